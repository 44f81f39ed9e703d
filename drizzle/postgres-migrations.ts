// Written by generate.ts.
import m0 from './postgres/0000_start.sql' with { type: 'text' }
import m1 from './postgres/0001_revision-and-counts.sql' with { type: 'text' }
import m2 from './postgres/0002_type-label.sql' with { type: 'text' }
import m3 from './postgres/0003_imported.sql' with { type: 'text' }
import m4 from './postgres/0004_scheduled.sql' with { type: 'text' }
import m5 from './postgres/0005_lists-dates-labels.sql' with { type: 'text' }
import m6 from './postgres/0006_release-notes.sql' with { type: 'text' }
import m7 from './postgres/0007_timeline.sql' with { type: 'text' }
import m8 from './postgres/0008_sources.sql' with { type: 'text' }
import m9 from './postgres/0009_hooks.sql' with { type: 'text' }
import m10 from './postgres/0010_import-notes.sql' with { type: 'text' }
import m11 from './postgres/0011_hook-names.sql' with { type: 'text' }

export const MIGRATIONS: readonly string[] = [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11]

// Written by generate.ts.
import m0 from './sqlite/0000_start.sql' with { type: 'text' }
import m1 from './sqlite/0001_keep-change-count.sql' with { type: 'text' }
import m2 from './sqlite/0002_type-label.sql' with { type: 'text' }
import m3 from './sqlite/0003_imported.sql' with { type: 'text' }
import m4 from './sqlite/0004_scheduled.sql' with { type: 'text' }
import m5 from './sqlite/0005_lists-dates-labels.sql' with { type: 'text' }
import m6 from './sqlite/0006_release-notes.sql' with { type: 'text' }
import m7 from './sqlite/0007_timeline.sql' with { type: 'text' }
import m8 from './sqlite/0008_sources.sql' with { type: 'text' }
import m9 from './sqlite/0009_hooks.sql' with { type: 'text' }
import m10 from './sqlite/0010_database-id.sql' with { type: 'text' }
import m11 from './sqlite/0011_import-notes.sql' with { type: 'text' }
import m12 from './sqlite/0012_hook-names.sql' with { type: 'text' }

export const MIGRATIONS: readonly string[] = [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12]

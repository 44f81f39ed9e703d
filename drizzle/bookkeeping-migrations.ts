// Written by generate.ts.
import m0 from './bookkeeping/0000_sources.sql' with { type: 'text' }
import m1 from './bookkeeping/0001_hooks.sql' with { type: 'text' }
import m2 from './bookkeeping/0002_copies.sql' with { type: 'text' }
import m3 from './bookkeeping/0003_product-names.sql' with { type: 'text' }

export const MIGRATIONS: readonly string[] = [m0, m1, m2, m3]

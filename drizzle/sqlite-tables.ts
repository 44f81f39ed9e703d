import { SQLITE_TABLES } from '../src/store/sqlite/tables.ts'

export const {
  teams,
  products,
  changelogs,
  publicProducts,
  versions,
  formerLabels,
  changes,
  keys,
  keyTokens,
  keyProducts,
} = SQLITE_TABLES

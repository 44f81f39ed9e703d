import { SQLITE_TABLES } from '../src/store/tables/sqlite.ts'

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

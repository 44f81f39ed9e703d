import { POSTGRES_TABLES } from '../src/store/postgres/tables.ts'

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
} = POSTGRES_TABLES

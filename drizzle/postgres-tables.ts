import { POSTGRES_TABLES } from '../src/store/tables/postgres.ts'

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

import { SQLITE } from './columns.ts'
import { tablesOf } from './schema.ts'

export const SQLITE_TABLES = tablesOf(SQLITE)

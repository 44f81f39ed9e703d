import { SQLITE_COLUMNS } from './columns.ts'
import { tablesOf } from './schema.ts'

export const SQLITE_TABLES = tablesOf(SQLITE_COLUMNS)

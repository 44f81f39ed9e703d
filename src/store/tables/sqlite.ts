import { backupTableOf, bookkeepingTablesOf } from './bookkeeping.ts'
import { SQLITE_COLUMNS } from './columns.ts'
import { tablesOf } from './schema.ts'

export const SQLITE_TABLES = tablesOf(SQLITE_COLUMNS)
/** The worker's tables, in a file beside the database. */
export const SQLITE_BOOKKEEPING = bookkeepingTablesOf(SQLITE_COLUMNS)
export const SQLITE_BACKUPS = backupTableOf(SQLITE_COLUMNS)

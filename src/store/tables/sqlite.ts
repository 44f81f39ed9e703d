import { bookkeepingTablesOf, copyTableOf } from './bookkeeping.ts'
import { SQLITE_COLUMNS } from './columns.ts'
import { tablesOf } from './schema.ts'

export const SQLITE_TABLES = tablesOf(SQLITE_COLUMNS)
/** In a file of their own. */
export const SQLITE_BOOKKEEPING = bookkeepingTablesOf(SQLITE_COLUMNS)
export const SQLITE_COPIES = copyTableOf(SQLITE_COLUMNS)

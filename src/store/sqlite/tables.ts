import { SQLITE } from '../kit.ts'
import { tablesOf } from '../schema.ts'

export const SQLITE_TABLES = tablesOf(SQLITE)

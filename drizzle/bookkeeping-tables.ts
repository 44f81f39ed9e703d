import { SQLITE_BACKUPS, SQLITE_BOOKKEEPING } from '../src/store/tables/sqlite.ts'

// drizzle-kit finds tables only as exports of their own.
export = { ...SQLITE_BOOKKEEPING, copies: SQLITE_BACKUPS }

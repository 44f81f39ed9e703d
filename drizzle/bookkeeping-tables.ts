import { SQLITE_BOOKKEEPING, SQLITE_BACKUPS } from '../src/store/tables/sqlite.ts'

// drizzle-kit finds tables only as exports of their own.
export = { ...SQLITE_BOOKKEEPING, copies: SQLITE_BACKUPS }

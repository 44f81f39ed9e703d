import { POSTGRES_BOOKKEEPING, POSTGRES_TABLES } from '../src/store/tables/postgres.ts'

// drizzle-kit finds tables only as exports of their own.
export = { ...POSTGRES_TABLES, ...POSTGRES_BOOKKEEPING }

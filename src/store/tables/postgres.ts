import { type Column, type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

import { bookkeepingTablesOf } from './bookkeeping.ts'
import type { ColumnBuilders } from './columns.ts'
import { tablesOf, typedAs } from './schema.ts'

const POSTGRES_COLUMNS = {
  table: pgTable,
  text,
  number: integer,
  moment: (name: string) => bigint(name, { mode: 'number' }),
  flag: (name: string) => boolean(name),
  flagRules: () => [],
  check,
  foreignKey,
  index,
  primaryKey,
  unique,
  uniqueIndex,
  // An expression, so that no other index serves a statement with it: the planner might choose one with drafts.
  publicKey: (column: Column | SQL) => sql`(${column} || '')`,
}

const COLUMNS = typedAs<ColumnBuilders>(POSTGRES_COLUMNS)

export const POSTGRES_TABLES = tablesOf(COLUMNS)
export const POSTGRES_BOOKKEEPING = bookkeepingTablesOf(COLUMNS)

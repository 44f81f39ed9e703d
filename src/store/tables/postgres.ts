import { type Column, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
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

export const POSTGRES_COLUMNS = {
  table: pgTable,
  text,
  number: integer,
  moment: (name: string) => bigint(name, { mode: 'number' }),
  flag: (name: string) => boolean(name),
  bytes: customType<{ data: Buffer }>({ dataType: () => 'bytea' }),
  flagRules: () => [],
  check,
  foreignKey,
  index,
  primaryKey,
  unique,
  uniqueIndex,
  // Expressions, so that only these indexes serve a statement with them: the planner might choose another, with drafts.
  listKey: (column: Column) => sql`(${column} || '')`,
  choiceKey: (column: Column) => sql`((${column} || '') || '')`,
}

const COLUMNS = typedAs<ColumnBuilders>(POSTGRES_COLUMNS)

export const POSTGRES_TABLES = tablesOf(COLUMNS)
export const POSTGRES_BOOKKEEPING = bookkeepingTablesOf(COLUMNS)

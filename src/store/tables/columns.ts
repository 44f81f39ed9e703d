import { type SQL, sql } from 'drizzle-orm'
import {
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

/** The column builders of SQLite. PostgreSQL's (`tables/postgres.ts`) have the same names and this type. */
export const SQLITE_COLUMNS = {
  table: sqliteTable,
  text,
  number: integer,
  moment: <Name extends string>(name: Name) => integer(name),
  flag: <Name extends string>(name: Name) => integer(name, { mode: 'boolean' }),
  bytes: <Name extends string>(name: Name) => blob(name, { mode: 'buffer' }),
  /** The check that a column is a flag, if its type does not say so. */
  flagRules: (name: string, column: string) => [check(name, sql.raw(`${column} in (0, 1)`))],
  check,
  foreignKey,
  index,
  primaryKey,
  unique,
  uniqueIndex,
  /** The column as indexes of lists have it, and as those of some versions only do: see tables/postgres.ts. */
  listKey: (column: SQLiteColumn): SQLiteColumn | SQL => column,
  choiceKey: (column: SQLiteColumn): SQLiteColumn | SQL => column,
}

export type ColumnBuilders = typeof SQLITE_COLUMNS

export const constraintsOf = ({ text, check }: ColumnBuilders) => ({
  /** A reference to the record it is deleted with. */
  belongsTo: <Name extends string>(name: Name, id: () => SQLiteColumn) =>
    text(name).notNull().references(id, { onDelete: 'cascade' }),

  oneOf: (table: string, column: string, values: readonly string[]) => {
    const list = values.map((value) => `'${value}'`).join(', ')
    return check(`${table}_${column}`, sql.raw(`${column} in (${list})`))
  },
})

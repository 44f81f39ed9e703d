import { type Column, eq, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import { QueryBuilder as PostgresBuilder } from 'drizzle-orm/pg-core'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { typedAs } from '../tables/columns.ts'
import { POSTGRES_TABLES } from '../tables/postgres.ts'
import type { Tables } from '../tables/schema.ts'
import { SQLITE_TABLES } from '../tables/sqlite.ts'

/** The differences between the engines’ SQL in the serving reads. Used only at build time. */
export interface Dialect {
  builder: QueryBuilder
  tables: Tables
  /** The column by which a row is found fastest. */
  keyOf(table: Table & { id: Column }): SQL
  /** The engine's own name of a row, for a table without such a column. It holds within one statement. */
  rowOf(table: Table): SQL
  /**
   * A condition that is checked last, on the row that all lookups led to: an engine checks others as early as it can, and
   * a lookup that ends early takes less time.
   */
  checkedLast(condition: SQL | undefined): SQL
  /** Joins the one row that has this value in a unique column, and only by its index: never by reading the whole table. */
  isLookedUp(column: Column, value: Column): SQL
  /** The text of a statement that lists published versions: it walks only the index that has no drafts. */
  withoutDrafts(sql: string): string
  /**
   * Whether each part of a list needs the order and the limit of the whole: PostgreSQL would read all of them and sort that, if
   * it takes them for short.
   */
  ordersParts: boolean
  /** The limit of a page. */
  limit: Placeholder
  /** How many rows are before the first of a page. */
  skip: Placeholder
}

const LIMIT = sql.placeholder('limit')
const SKIP = sql.placeholder('skip')

export const DIALECTS = {
  sqlite: {
    builder: new QueryBuilder(),
    tables: SQLITE_TABLES,
    // SQLite's own key of a row: every index holds it, so finding it reads no row.
    keyOf: (table) => sql`${table}.rowid`,
    rowOf: (table) => sql`${table}.rowid`,
    checkedLast: (condition) => sql`(${condition}) = true`,
    isLookedUp: eq,
    // By itself, SQLite prefers the primary key. Drizzle has no word for this.
    withoutDrafts: (sql) => replaced(sql, 'from "version"', 'from "version" indexed by "version_public"'),
    ordersParts: false,
    // Not the parameter alone: SQLite would choose the plan by its value, and so prepare the statement again for each
    // read, which takes half as long as the read.
    limit: typedAs<Placeholder>(sql`${LIMIT} + 0`),
    skip: typedAs<Placeholder>(sql`${SKIP} + 0`),
  },
  postgres: {
    builder: typedAs<QueryBuilder>(new PostgresBuilder()),
    tables: POSTGRES_TABLES,
    keyOf: (table) => sql`${table.id}`,
    rowOf: (table) => sql`${table}.ctid`,
    // PostgreSQL would take `= true` apart.
    checkedLast: (condition) => sql`(${condition}) is true`,
    // Neither hashed nor merged, which both read all rows.
    isLookedUp: (column, value) => sql`${column} = any (array[${value}])`,
    // The expressions of that index: see tables/postgres.ts.
    withoutDrafts: (sql) =>
      ['"version"."changelog_id"', '"version"."status"'].reduce(
        (text, column) => replaced(text, `${column} = `, `(${column} || '') = `),
        sql,
      ),
    ordersParts: true,
    limit: typedAs<Placeholder>(sql`${LIMIT}::int8`),
    skip: typedAs<Placeholder>(sql`${SKIP}::int8`),
  },
} satisfies Record<string, Dialect>

/** Throws if there is nothing to replace: the statement would walk past drafts, and nobody would notice. */
function replaced(sql: string, part: string, by: string): string {
  if (!sql.includes(part)) throw new Error(`no ${part} in: ${sql}`)
  return sql.replaceAll(part, by)
}

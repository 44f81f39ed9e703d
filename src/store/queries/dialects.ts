import { eq, type Placeholder, sql } from 'drizzle-orm'
import { QueryBuilder as PostgresBuilder } from 'drizzle-orm/pg-core'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { POSTGRES_TABLES } from '../tables/postgres.ts'
import { typedAs } from '../tables/schema.ts'
import { SQLITE_TABLES } from '../tables/sqlite.ts'
import { statementsOf } from './reads.ts'
import type { Dialect } from './statement.ts'

const LIMIT = sql.placeholder('limit')
const SKIP = sql.placeholder('skip')

export const DIALECTS = {
  sqlite: {
    builder: new QueryBuilder(),
    tables: SQLITE_TABLES,
    // Every index has the rowid, so finding it reads no row.
    keyOf: (table) => sql`${table}.rowid`,
    rowOf: (table) => sql`${table}.rowid`,
    checkedLast: (condition) => sql`(${condition}) = true`,
    isLookedUp: eq,
    isAmong: (column, texts) => sql`${column} in (select value from json_each(${texts}))`,
    withoutDrafts: byIndex('version_public'),
    amongThese: byIndex,
    rangeWithoutDrafts: byIndex('version_range'),
    // It has the key of the table too, so that no row is read.
    byPrecedence: eachList(byIndex('version_precedence'), byIndex('version_range')),
    inSiteIndex: (column) => column,
    ordersParts: false,
    // Not the parameter alone: SQLite would plan by its value, and so prepare the statement for each read.
    limit: typedAs<Placeholder>(sql`${LIMIT} + 0`),
    skip: typedAs<Placeholder>(sql`${SKIP} + 0`),
  },
  postgres: {
    builder: typedAs<QueryBuilder>(new PostgresBuilder()),
    tables: POSTGRES_TABLES,
    keyOf: (table) => sql`${table.id}`,
    rowOf: (table) => sql`${table}.ctid`,
    // PostgreSQL would split `= true` into its parts.
    checkedLast: (condition) => sql`(${condition}) is true`,
    // Neither hashed nor merged: both read all rows.
    isLookedUp: (column, value) => sql`${column} = any (array[${value}])`,
    isAmong: (column, texts) =>
      sql`${column} = any (array(select json_array_elements_text(${texts}::text::json)))`,
    withoutDrafts: byExpressions,
    // Both have the same expressions. The condition of the list chooses one.
    amongThese: () => (sql) => replaced(byExpressions(sql), `_id" || '')`, `_id" || '' || '')`),
    rangeWithoutDrafts: byExpressions,
    byPrecedence: eachList(byNoPosition, byExpressions),
    inSiteIndex: (column) => sql`(${column} || '')`,
    ordersParts: true,
    limit: typedAs<Placeholder>(sql`${LIMIT}::int8`),
    skip: typedAs<Placeholder>(sql`${SKIP}::int8`),
  },
} satisfies Record<string, Dialect>

/** Every read of the server in SQL. Called as a macro, so that a server builds none with Drizzle. */
export const readStatements = (engine: keyof typeof DIALECTS) => statementsOf(DIALECTS[engine])

/** SQLite would prefer the primary key, and Drizzle cannot name an index. */
function byIndex(name: string): (sql: string) => string {
  return (sql) => replaced(sql, 'from "version"', `from "version" indexed by "${name}"`)
}

/** The expressions of the indexes without drafts: see tables/postgres.ts. */
function byExpressions(sql: string): string {
  return ['"version"."changelog_id"', '"version"."status"'].reduce(
    (text, column) => replaced(text, `${column} = `, `(${column} || '') = `),
    sql,
  )
}

/** PostgreSQL would walk all versions, drafts too, in the order of the list. The first order is that of the part itself. */
function byNoPosition(list: string): string {
  return list
    .replaceAll('("version"."published_at", ', '("version"."published_at" + 0, ')
    .replace('order by "published_at" desc', 'order by "published_at" + 0 desc')
}

/** Edits each part of a list: that of scheduled versions says until when these are due. */
function eachList(edit: (list: string) => string, editDue: (list: string) => string) {
  return (sql: string): string =>
    sql
      .split(' union all ')
      .map((list) => (list.includes('"published_at" <= ') ? editDue(list) : edit(list)))
      .join(' union all ')
}

/** Throws if there is nothing to replace: the statement would read drafts, unnoticed. */
function replaced(sql: string, part: string, by: string): string {
  if (!sql.includes(part)) throw new Error(`no ${part} in: ${sql}`)
  return sql.replaceAll(part, by)
}

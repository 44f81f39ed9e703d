import { eq, type Placeholder, sql } from 'drizzle-orm'
import { QueryBuilder as PostgresBuilder } from 'drizzle-orm/pg-core'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { POSTGRES_COLUMNS, POSTGRES_TABLES } from '../tables/postgres.ts'
import { FILTERED, NEWEST, type Tables, typedAs } from '../tables/schema.ts'
import { SQLITE_TABLES } from '../tables/sqlite.ts'
import { statementsOf } from './reads.ts'
import type { Dialect, IndexedVersions, VersionIndex } from './statement.ts'

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
    indexed: (index) => ({
      ...columnsOf(SQLITE_TABLES),
      // SQLite would prefer the primary key. It reads the subquery as if it were the table.
      ...(index && { from: indexedBy(index) }),
    }),
    listKey: (column) => column,
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
    indexed: (index) => ({ ...columnsOf(POSTGRES_TABLES), ...(index && keysOf(index)) }),
    listKey: POSTGRES_COLUMNS.listKey,
    ordersParts: true,
    limit: typedAs<Placeholder>(sql`${LIMIT}::int8`),
    skip: typedAs<Placeholder>(sql`${SKIP}::int8`),
  },
} satisfies Record<string, Dialect>

/** Every read of the server in SQL. Called as a macro, so that a server builds none with Drizzle. */
export const readStatements = (engine: keyof typeof DIALECTS) => statementsOf(DIALECTS[engine])

function columnsOf({ versions }: Tables): IndexedVersions {
  const { changelogId, status, publishedAt, id } = versions
  const position = { publishedAt, id }
  return { from: versions, position, ...position, changelogId, status, statusKey: status }
}

function indexedBy(index: VersionIndex): Tables['versions'] {
  const from = sql`${SQLITE_TABLES.versions} indexed by ${sql.identifier(index)}`
  return typedAs(new QueryBuilder().select({ all: sql`*` }).from(from).as('version'))
}

/** The columns as the index has them. The condition of a list chooses between those with the same. */
function keysOf(index: VersionIndex): Partial<IndexedVersions> {
  const { changelogId, status, publishedAt } = POSTGRES_TABLES.versions
  // PostgreSQL would walk all versions, drafts too, in the order of the list.
  if (index === 'version_precedence') return { publishedAt: sql`${publishedAt} + 0` }
  const { listKey, choiceKey } = POSTGRES_COLUMNS
  const isChoice = [...Object.values(FILTERED), ...Object.values(NEWEST)].some((one) => one.index === index)
  return { changelogId: (isChoice ? choiceKey : listKey)(changelogId), statusKey: listKey(status) }
}

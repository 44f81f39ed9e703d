import { Column, desc, is, Placeholder, type Query, SQL, sql, type Table } from 'drizzle-orm'
import type { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { changeTexts, type FilterName, versionFacts, versionTexts } from '../../domain/versions/properties.ts'
import type { FILTERED, NEWEST, Tables } from '../tables/schema.ts'
import { isDateKnown, type VisibilityRule } from '../visibility.ts'

/** A statement: its SQL, its parameters and the columns of its rows, in order. */
export interface Statement<Row> {
  sql: string
  /** Values given by name, or constants. */
  parameters: ({ name: string } | { value: string | number })[]
  /** The path of each column in the object of its row. */
  columns: string[][]
  conversions: { at: number; to: 'number' | 'boolean' }[]
  /** Never set: it only carries the type of a row. */
  row?: Row
}

export type NewestIndex = (typeof NEWEST)[keyof typeof NEWEST]['index']

/** Indexes of versions: see tables/schema.ts. */
export type VersionIndex =
  | `version_${'public' | 'range' | 'precedence'}`
  | (typeof FILTERED)[FilterName]['index']
  | NewestIndex

/** A table with positions, and their columns as an index has them. */
export interface Listed {
  from: Tables['versions']
  /** The plain columns of positions. */
  position: { publishedAt: Column; id: Column }
  publishedAt: Column | SQL
  id: Column
}

export interface IndexedVersions extends Listed {
  changelogId: Column | SQL
  status: Column
  statusKey: Column | SQL
}

/** The differences between the engines’ SQL in the serving reads. Used only at build time. */
export interface Dialect {
  builder: QueryBuilder
  tables: Tables
  /** The column that finds a row fastest. */
  keyOf(table: Table & { id: Column }): SQL
  /** The engine's own identifier of a row, for a table without such a column. Valid within one statement. */
  rowOf(table: Table): SQL
  /** A condition checked last, on the row that all lookups led to: ending early would reveal something by its time. */
  checkedLast(condition: SQL | undefined): SQL
  /** Joins the row with this value in a unique column by its index, never by reading the whole table. */
  isLookedUp(column: Column, value: Column | SQL): SQL
  /** True if the column is in a JSON array of texts, each of which is looked up. */
  isAmong(column: Column, texts: Placeholder): SQL
  /** Reads the versions by one of their indexes and no other; by any without one. */
  indexed(index?: VersionIndex): IndexedVersions
  listKey(column: Column): Column | SQL
  /** Each part of a list needs its order and limit: PostgreSQL would read and sort all of a short part. */
  ordersParts: boolean
  limit: Placeholder
  skip: Placeholder
}

/** What is read of a version, and of the changelog that it is in. */
export function columnsFor(tables: Tables, { status }: VisibilityRule) {
  const { teams, products, changelogs, versions } = tables
  const summary = { ...pick(versions, 'id', 'label', 'title', 'publishedAt', 'changeCount'), status }
  const dated = {
    ...summary,
    createdAt: versions.createdAt,
    ...versionFacts(versions),
    // Not the condition alone: SQLite would evaluate all of it for each row.
    dateKnown: sql`case when ${isDateKnown(tables, sql.placeholder('now'))} then 1 else 0 end`.mapWith(
      Boolean,
    ),
  }
  return {
    info: {
      team: pick(teams, 'slug', 'name'),
      product: pick(products, 'slug', 'name'),
      changelog: pick(changelogs, 'id', 'name', 'status'),
      settings: {
        ...pick(products, 'language', 'repository', 'subscribeUrl'),
        teamSubscribeUrl: teams.subscribeUrl,
      },
    },
    position: pick(versions, 'id', 'publishedAt'),
    bound: pick(versions, 'id', 'publishedAt', 'label'),
    summary,
    dated,
    content: {
      ...dated,
      ...versionTexts(versions),
      kinds: versions.kinds,
      grounds: sql<
        string | null
      >`case when ${versions.pictures} is not null then (select string_agg(made.picture_id, ' ')
        from version_picture shown join derived_picture made
          on made.changelog_id = shown.changelog_id and made.picture_id = shown.picture_id
        where shown.version_id = ${versions.id} and made.ground) end`,
    },
  }
}

export const changeColumns = ({ changes }: Tables) => ({
  ...pick(changes, 'id', 'type', 'typeLabel', 'title'),
  ...changeTexts(changes),
})

/**
 * Matches the row with these values or, without one, the next row in their order, or else the previous. So a lookup of
 * something missing reads index and table like any other, and takes as long. The key finds a row; the columns are those
 * of a unique index.
 */
export const isNearest = (
  key: SQL | Column,
  table: Table,
  columns: readonly Column[],
  values: readonly (SQL | Placeholder)[],
): SQL => {
  const [names, wanted] = [sql.join([...columns], sql`, `), sql.join([...values], sql`, `)]
  const backwards = sql.join(columns.map(desc), sql`, `)
  const rows = sql`select ${key} from ${table} where (${names})`
  return sql`${key} = coalesce((${rows} >= (${wanted}) order by ${names} limit 1), (${rows} < (${wanted}) order by ${backwards} limit 1))`
}

interface Built<Row> {
  toSQL(): Query
  _: { selectedFields: object; result: Row[] }
}

export function statement<Row>(query: Built<Row>): Statement<Row> {
  const { sql, params } = query.toSQL()
  const parameters = params.map((param) =>
    is(param, Placeholder) ? { name: param.name } : { value: param as string | number },
  )
  const fields = columnsOf(query._.selectedFields)
  return {
    sql,
    parameters,
    columns: fields.map(({ path }) => path),
    conversions: fields.flatMap(({ field }, at) => conversionOf(field).map((to) => ({ at, to }))),
  }
}

/** Each column and its path, in the order of the SELECT. */
const columnsOf = (fields: object): { path: string[]; field: object }[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    is(field, Column) || is(field, SQL) || is(field, SQL.Aliased)
      ? [{ path: [name], field }]
      : columnsOf(field).map((inner) => ({ ...inner, path: [name, ...inner.path] })),
  )

/** PostgreSQL sends long numbers as text, and SQLite flags as numbers. An expression says so by `mapWith`. */
function conversionOf(field: object): ('number' | 'boolean')[] {
  if (is(field, Column)) {
    if (field.dataType === 'boolean') return ['boolean']
    return field.getSQLType() === 'bigint' ? ['number'] : []
  }
  const { decoder } = field as { decoder?: { mapFromDriverValue: unknown } }
  if (decoder?.mapFromDriverValue === Number) return ['number']
  return decoder?.mapFromDriverValue === Boolean ? ['boolean'] : []
}

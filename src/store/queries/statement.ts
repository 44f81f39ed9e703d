import { Column, desc, is, Placeholder, type Query, SQL, sql, type Table } from 'drizzle-orm'
import type { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { changeTexts, versionFacts, versionTexts } from '../../domain/versions/properties.ts'
import { type Tables, typedAs } from '../tables/schema.ts'
import { isDateKnown, type VersionPart, type VisibilityRule } from '../visibility.ts'

/** A statement: its SQL, its parameters and the columns of its rows, in order. */
export interface Statement<Row> {
  sql: string
  /** Values given by name, or constants. */
  parameters: ({ name: string } | { value: string | number })[]
  /** The path of each column in the object of its row. */
  columns: string[][]
  /** Columns whose values are converted. */
  conversions: { at: number; to: 'number' | 'boolean' }[]
  /** Never set: it only carries the type of a row. */
  row?: Row
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
  /** For a list of published versions: uses only the index without drafts. */
  withoutDrafts(sql: string): string
  /** The same for one between two semantic versions: the index has their precedence too. */
  rangeWithoutDrafts(sql: string): string
  /** For a list of some versions, of one status each: uses only the index of these. */
  amongThese(index: 'version_stable' | 'version_current'): (sql: string) => string
  /**
   * For a list by precedence: uses the index for that. Only scheduled versions are looked for by time, as those that are not
   * due would be in the way.
   */
  byPrecedence(sql: string): string
  /** A column as the index of the site's timeline has it: see `publicKey` of the tables. */
  inSiteIndex(column: Column): Column | SQL
  /** Each part of a list needs its order and limit: PostgreSQL would read and sort all of a short part. */
  ordersParts: boolean
  /** The limit of a page. */
  limit: Placeholder
  skip: Placeholder
}

export const infoColumns = ({ teams, products, changelogs }: Tables) => ({
  team: pick(teams, 'slug', 'name'),
  product: pick(products, 'slug', 'name'),
  changelog: pick(changelogs, 'id', 'name', 'status'),
  settings: pick(products, 'language', 'repository'),
})

export const summaryColumns = ({ versions }: Tables, { status }: VisibilityRule) => ({
  ...pick(versions, 'id', 'label', 'title', 'publishedAt', 'changeCount'),
  status,
})

export const positionColumns = ({ versions }: Tables) => pick(versions, 'id', 'publishedAt')

/** The bound of a range. */
export const boundColumns = ({ versions }: Tables) => pick(versions, 'id', 'publishedAt', 'label')

export const datedColumns = (tables: Tables, rule: VisibilityRule) => ({
  ...summaryColumns(tables, rule),
  createdAt: tables.versions.createdAt,
  ...versionFacts(tables.versions),
  // Not the condition alone: SQLite would evaluate all of it for each row.
  dateKnown: sql`case when ${isDateKnown(tables, sql.placeholder('now'))} then 1 else 0 end`.mapWith(Boolean),
})

export const contentColumns = (tables: Tables, rule: VisibilityRule) => ({
  ...datedColumns(tables, rule),
  ...versionTexts(tables.versions),
  kinds: tables.versions.kinds,
})

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

/** Order and limit of a list. */
export interface Extent {
  order: SQL[]
  limit?: Placeholder
  skip?: Placeholder
}

/** One query for each part of a rule, in one order, of which each part is read only up to the limit. */
export function eachPart<Q>(
  { ordersParts }: Dialect,
  { versionParts }: Pick<VisibilityRule, 'versionParts'>,
  { order, limit, skip }: Extent,
  query: (part: VersionPart) => Q,
): Q {
  const parts = typedAs<[Part, ...Part[]]>(versionParts.map(query))
  if (ordersParts && parts.length > 1 && limit)
    for (const part of parts) part.orderBy(...order).limit(skip ? sql`${limit} + ${skip}` : limit)
  const all = parts.reduce((all, next) => all.unionAll(next)).orderBy(...order)
  if (limit) all.limit(limit)
  if (skip) all.offset(skip)
  return typedAs<Q>(all)
}

/** Typed as the query: Drizzle has no type for the order of a query with columns that are not known. */
export const ordered = <Q>(query: Q, order: SQL[]): Q => typedAs<Q>(typedAs<Part>(query).orderBy(...order))

/** The used part of a Drizzle query in construction. */
interface Part {
  unionAll(other: Part): Part
  orderBy(...order: SQL[]): Part
  limit(limit: Placeholder | SQL): Part
  offset(skip: Placeholder): Part
}

export const newestFirst = ({ versions }: Tables): SQL[] => [desc(versions.publishedAt), desc(versions.id)]

/** True between two semantic versions. */
export const isBetween = ({ versions }: Tables): SQL =>
  sql`(${versions.precedence} > ${sql.placeholder('fromKey')} and ${versions.precedence} <= ${sql.placeholder('toKey')})`

/** Compares the position of a version with the one given by these names. */
export const comparePosition = (
  { versions }: Tables,
  operator: '<' | '>',
  names: { at: string; id: string },
): SQL => comparePair([versions.publishedAt, versions.id], operator, names)

/** The same, where other columns have its position. */
export const comparePair = (
  position: [publishedAt: Column, id: Column],
  operator: '<' | '>',
  { at, id }: { at: string; id: string },
): SQL =>
  sql`(${sql.join(position, sql`, `)}) ${sql.raw(operator)} (${sql.placeholder(at)}, ${sql.placeholder(id)})`

interface Built<Row> {
  toSQL(): Query
  _: { selectedFields: object; result: Row[] }
}

export type List = <Row>(query: Built<Row>) => Statement<Row>

/** `finish` edits the SQL that Drizzle generated. */
export function statement<Row>(query: Built<Row>, finish = (sql: string) => sql): Statement<Row> {
  const { sql, params } = query.toSQL()
  const parameters = params.map((param) =>
    is(param, Placeholder) ? { name: param.name } : { value: param as string | number },
  )
  const fields = columnsOf(query._.selectedFields)
  return {
    sql: finish(sql),
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

/**
 * PostgreSQL sends long numbers as text, and SQLite flags as numbers. For an expression, `mapWith` says so, of which
 * Drizzle has no type.
 */
function conversionOf(field: object): ('number' | 'boolean')[] {
  if (is(field, Column)) {
    if (field.dataType === 'boolean') return ['boolean']
    return field.getSQLType() === 'bigint' ? ['number'] : []
  }
  const { decoder } = field as { decoder?: { mapFromDriverValue: unknown } }
  if (decoder?.mapFromDriverValue === Number) return ['number']
  return decoder?.mapFromDriverValue === Boolean ? ['boolean'] : []
}

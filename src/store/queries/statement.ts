import {
  and,
  asc,
  Column,
  desc,
  is,
  isNull,
  Placeholder,
  type Query,
  SQL,
  sql,
  type Table,
} from 'drizzle-orm'
import type { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import {
  changeTexts,
  FILTER_NAMES,
  type FilterName,
  type VersionFilter,
  versionFacts,
  versionTexts,
} from '../../domain/versions/properties.ts'
import { FILTERED, type Tables, typedAs } from '../tables/schema.ts'
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

export type VersionIndex =
  /** Without drafts, in list order; the second one has the precedence too, and only semantic versions. */
  | 'version_public'
  | 'version_range'
  /** By precedence. */
  | 'version_precedence'
  /** Some versions of each status, in list order: those that filters leave, and those that are not yanked. */
  | (typeof FILTERED)[FilterName]['index']
  | 'version_current'

/** The table to select from, and the columns that conditions and orders name. */
export interface IndexedVersions {
  from: Tables['versions']
  changelogId: Column | SQL
  status: Column
  statusKey: Column | SQL
  publishedAt: Column | SQL
  id: Column
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
  /** A column as indexes of lists have it. */
  listKey(column: Column): Column | SQL
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

/** The columns of a position. */
interface Position {
  publishedAt: Column | SQL
  id: Column
}

/** Order and limit of a list. */
export interface Extent {
  order?: (position: Position) => SQL[]
  limit?: Placeholder
  skip?: Placeholder
}

/** A part of a rule, with the columns that it reads. */
export type ListPart<Columns extends Position = IndexedVersions> = Columns &
  Pick<VersionPart, 'before'> & { condition: SQL | undefined }

/** The parts of a list of the versions of a changelog, each read by an index, with the condition of that index. */
export const partsBy = (
  { indexed, tables }: Dialect,
  parts: readonly VersionPart[],
  indexOf: (part: VersionPart) => VersionIndex | undefined,
  only?: SQL,
  changelog: Column | Placeholder = sql.placeholder('changelogId'),
): ListPart[] =>
  parts.map((part) => {
    const index = indexOf(part)
    const columns = indexed(index)
    const inside = sql`${columns.changelogId} = ${changelog}`
    const current = index === 'version_current' ? isNull(tables.versions.yanked) : undefined
    const condition = and(inside, part.condition(columns), current, only)
    return { ...columns, before: part.before, condition }
  })

/** Statements of a list, and the same for each combination of filters, by their names. */
export function eachFilter<Lists extends object>(
  make: (names: readonly FilterName[]) => Lists,
): Filtered<Lists> {
  const filtered: Record<string, Lists> = {}
  let combinations: FilterName[][] = [[]]
  for (const name of FILTER_NAMES) {
    const more = combinations.map((names) => [...names, name])
    for (const names of more) filtered[names.join()] = make(names)
    combinations = combinations.concat(more)
  }
  return { ...make([]), filtered }
}

type Filtered<Lists> = Lists & { filtered: Record<string, Lists> }

/** The statements for a request. */
export const filteredBy = <Lists>(lists: Filtered<Lists>, filter: VersionFilter): Lists =>
  lists.filtered[FILTER_NAMES.filter((name) => filter[name]).join()] ?? lists

/** Only the versions that filters leave. */
export const onlyBy = (names: readonly FilterName[]): SQL | undefined =>
  and(...names.map((name) => sql.raw(`(${FILTERED[name].where()})`)))

/** Lists by precedence look for scheduled versions by time, as those that are not due would be in the way. */
export const byPrecedence = ({ before }: VersionPart): VersionIndex =>
  before.at === 'dueAt' ? 'version_range' : 'version_precedence'

/** One query for each part of a list, in one order, of which each part is read only up to the limit. */
export function eachPart<Columns extends Position, Q>(
  { ordersParts }: Dialect,
  parts: readonly ListPart<Columns>[],
  position: Position,
  { order = () => [], limit, skip }: Extent,
  query: (part: ListPart<Columns>) => Q,
): Q {
  const queries = parts.map((part) => {
    const list = typedAs<Part>(query(part))
    return ordersParts && parts.length > 1 && limit
      ? list.orderBy(...order(part)).limit(skip ? sql`${limit} + ${skip}` : limit)
      : list
  })
  const all = queries.reduce((all, next) => all.unionAll(next)).orderBy(...order(position))
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

export const newestFirst = ({ publishedAt, id }: Position): SQL[] => [desc(publishedAt), desc(id)]
export const oldestFirst = ({ publishedAt, id }: Position): SQL[] => [asc(publishedAt), asc(id)]

/** True between two semantic versions. */
export const isBetween = ({ versions }: Tables): SQL =>
  sql`(${versions.precedence} > ${sql.placeholder('fromKey')} and ${versions.precedence} <= ${sql.placeholder('toKey')})`

/** Compares a position with the one given by these names. */
export const comparePosition = (
  { publishedAt, id }: Position,
  operator: '<' | '>',
  names: { at: string; id: string },
): SQL =>
  sql`(${publishedAt}, ${id}) ${sql.raw(operator)} (${sql.placeholder(names.at)}, ${sql.placeholder(names.id)})`

/** True for the versions of a list strictly between two positions. */
export const inRange = ({ before, condition, ...position }: ListPart): SQL | undefined =>
  and(
    condition,
    comparePosition(position, '<', before),
    comparePosition(position, '>', { at: 'beyondAt', id: 'beyondId' }),
  )

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

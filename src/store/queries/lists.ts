import { and, asc, type Column, desc, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import type { Instant } from '../../domain/records.ts'
import { FILTER_NAMES, type FilterName, type VersionFilter } from '../../domain/versions/properties.ts'
import { FILTERED, NEWEST, type Tables, typedAs } from '../tables/schema.ts'
import { PUBLIC_PARTS, type VersionPart, type VisibilityRule } from '../visibility.ts'
import { type Dialect, type Listed, statement, type VersionIndex } from './statement.ts'
import type { Cursor } from './types.ts'

type Position = Pick<Listed, 'publishedAt' | 'id'>

interface Extent {
  order?: (position: Position) => SQL[]
  limit?: Placeholder
  skip?: Placeholder
}

/** A part of a rule, with the columns that it reads. */
export type ListPart = Listed & Pick<VersionPart, 'before'> & { condition: SQL | undefined }

/** The parts of a list of the versions of a changelog, each read by an index, with the condition of that index. */
export const partsBy = (
  { indexed }: Dialect,
  parts: readonly VersionPart[],
  indexOf: (part: VersionPart) => VersionIndex | undefined,
  only?: SQL,
  changelog: Column | Placeholder = sql.placeholder('changelogId'),
): ListPart[] =>
  parts.map((part) => {
    const index = indexOf(part)
    const columns = indexed(index)
    const inside = sql`${columns.changelogId} = ${changelog}`
    const newest = Object.values(NEWEST).find((one) => one.index === index)
    const condition = and(inside, part.condition(columns), newest && sql.raw(`(${newest.where()})`), only)
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

export const filteredBy = <Lists>(lists: Filtered<Lists>, filter: VersionFilter): Lists =>
  lists.filtered[FILTER_NAMES.filter((name) => filter[name]).join()] ?? lists

export const onlyBy = (names: readonly FilterName[]): SQL | undefined =>
  and(...names.map((name) => sql.raw(`(${FILTERED[name].where()})`)))

/** Lists by number look for scheduled versions by time, as those that are not due would be in the way. */
export const byPrecedence = ({ before }: Pick<VersionPart, 'before'>): VersionIndex =>
  before.at === 'dueAt' ? 'version_range' : 'version_precedence'

/** The given columns of the rows that the parts of a list and `where` leave. */
export const list = <Columns extends SelectedFields>(
  dialect: Dialect,
  parts: readonly ListPart[],
  columns: Columns,
  extent: Extent,
  where: (part: ListPart) => SQL | undefined = () => undefined,
) =>
  eachPart(dialect, parts, extent, (part) =>
    dialect.builder
      .select(columns)
      .from(part.from)
      .where(and(part.condition, where(part))),
  )

/** One query for each part of a list, in one order, of which each part is read only up to the limit. */
export function eachPart<Q>(
  { ordersParts }: Dialect,
  parts: readonly ListPart[],
  { order = () => [], limit, skip }: Extent,
  query: (part: ListPart) => Q,
): Q {
  const queries = parts.map((part) => {
    const one = typedAs<Part>(query(part))
    return ordersParts && parts.length > 1 && limit
      ? one.orderBy(...order(part)).limit(skip ? sql`${limit} + ${skip}` : limit)
      : one
  })
  const all = queries
    .reduce((all, next) => all.unionAll(next))
    .orderBy(...parts.slice(0, 1).flatMap((part) => order(part.position)))
  if (limit) all.limit(limit)
  if (skip) all.offset(skip)
  return typedAs<Q>(all)
}

/** The newest public version of a changelog in an index. */
export const newestIn = <Columns extends SelectedFields>(
  dialect: Dialect,
  index: VersionIndex,
  columns: Columns,
  only?: SQL,
  changelog?: Column,
) =>
  list(
    dialect,
    partsBy(dialect, PUBLIC_PARTS, () => index, only, changelog),
    columns,
    { order: newestFirst, limit: typedAs<Placeholder>(sql`1`) },
  )

/** Versions that were found before, newest first. */
export const byIds = <Columns extends SelectedFields>(
  { builder, tables, isAmong }: Dialect,
  rule: VisibilityRule,
  columns: Columns,
) =>
  statement(
    ordered(
      builder
        .select(columns)
        .from(tables.versions)
        .where(and(isAmong(tables.versions.id, sql.placeholder('ids')), rule.version)),
      newestFirst(tables.versions),
    ),
  )

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

export const isBetween = ({ versions }: Tables): SQL =>
  sql`(${versions.precedence} > ${sql.placeholder('fromKey')} and ${versions.precedence} <= ${sql.placeholder('toKey')})`

/** Compares a position with the one given by these names. */
export const comparePosition = (
  { publishedAt, id }: Position,
  operator: '<' | '>',
  names: { at: string; id: string },
): SQL =>
  sql`(${publishedAt}, ${id}) ${sql.raw(operator)} (${sql.placeholder(names.at)}, ${sql.placeholder(names.id)})`

/** True for what comes after the position where a list begins, and for what is newer than another one. */
export const isAfter = (part: ListPart) => comparePosition(part, '<', part.before)
export const isNewer = (part: ListPart) => comparePosition(part, '>', { at: 'thanAt', id: 'thanId' })

export const inRange = (part: ListPart): SQL | undefined =>
  and(isAfter(part), comparePosition(part, '>', { at: 'beyondAt', id: 'beyondId' }))

/** A position before all versions, to end a list. */
export const OLDEST: Cursor = { publishedAt: Number.MIN_SAFE_INTEGER, id: '' }

export const newer = (one: Cursor, other: Cursor): Cursor =>
  one.publishedAt > other.publishedAt || (one.publishedAt === other.publishedAt && one.id > other.id)
    ? one
    : other

export type Range = ReturnType<typeof rangeOf>

/** The versions strictly between two positions. Scheduled ones only if they are due. */
export function rangeOf(
  changelogId: string,
  now: Instant,
  after: Cursor | null,
  beyond: Cursor,
  limit: number | null,
) {
  const notDue: Cursor = { publishedAt: now + 1, id: '' }
  const due = after && newer(after, notDue) === notDue ? after : notDue
  return {
    changelogId,
    now,
    afterAt: after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
    afterId: after?.id ?? '',
    dueAt: due.publishedAt,
    dueId: due.id,
    beyondAt: beyond.publishedAt,
    beyondId: beyond.id,
    // One more tells whether there is a next page.
    limit: limit === null ? Number.MAX_SAFE_INTEGER : limit + 1,
  }
}

/** A page without the extra version that `rangeOf` asks for, and the start of the next one, if any. */
export function cut<Version extends Cursor>(
  found: Version[],
  { limit }: Range,
): { versions: Version[]; next: Cursor | null } {
  if (found.length < limit) return { versions: found, next: null }
  const versions = found.slice(0, limit - 1)
  return { versions, next: versions.at(-1) ?? null }
}

export const idsOf = (found: readonly { id: string }[]): string => JSON.stringify(found.map(({ id }) => id))

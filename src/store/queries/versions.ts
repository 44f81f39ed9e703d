import { and, asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import { LATEST, versionName } from '../../domain/addresses/paths.ts'
import { isId } from '../../domain/id.ts'
import { pick } from '../../domain/objects.ts'
import type { Change } from '../../domain/records.ts'
import { otherSpellings, withoutV } from '../../domain/rules.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { orderOf, readNumber, rightBelow } from '../../domain/versions/number.ts'
import { sourceOf } from '../../domain/versions/source.ts'
import type { VisibilityRule } from '../visibility.ts'
import { byIds, byPrecedence, eachPart, idsOf, isBetween, list, newestFirst, partsBy } from './lists.ts'
import { newestVersion, type orderStatements } from './order.ts'
import { all, type ChangelogContext, type Read } from './read.ts'
import { changeColumns, columnsFor, type Dialect, isNearest, statement } from './statement.ts'
import type { ChangeRange, Cursor, DatedVersion, VersionRead } from './types.ts'

type Context = ChangelogContext<VersionStatements & ReturnType<typeof orderStatements>>

export interface Bound extends Cursor {
  label: string
}

/** Versions between two by number: above `fromKey` up to `toKey`, inclusive. */
export type KeyRange = { fromKey: string; toKey: string }

/** A range is small if it has at most so many versions: all their keys are sorted. */
const SMALL_RANGE = 1_000

const ALL_CHANGES: ChangeRange = { skip: 0, limit: Number.MAX_SAFE_INTEGER }

/**
 * One version of that product with its changes, or null if that audience may see none. `name` is its id or its label,
 * or `latest`, see `newestVersion`. With `range`, only that part of its changes. By another
 * label that leads to it, see `labelled`, it comes without its changes.
 */
export function* readVersion(
  context: Context,
  name: string,
  range: ChangeRange = ALL_CHANGES,
): Read<VersionRead | null> {
  const { statements, info, changelogId, now } = context
  const key = name === LATEST ? (yield* newestVersion(context))?.id : name
  if (key === undefined) return null
  const [version] = isId('ver', key)
    ? yield* all(statements.version, { changelogId, id: key, now })
    : yield* all(statements.versionByLabel, { changelogId, label: key, now })
  if (version) {
    const content = { ...version, changes: yield* changesOf(statements, version.id, range) }
    const [stored] = range.sourceBytes
      ? yield* all(statements.sourceOf, { id: version.id, bytes: range.sourceBytes })
      : []
    return { ...info, version: content, ...(stored && { source: sourceOf(stored, content) }) }
  }
  if (isId('ver', key)) return null
  // A hidden label takes the same steps here as a missing one.
  const named = yield* labelled(context, key)
  // The day is the address of a version that is called by it.
  if (named && versionName(named) === key) return yield* readVersion(context, named.id, range)
  const [moved] = named ? yield* all(statements.version, { changelogId, id: named.id, now }) : []
  return moved ? { ...info, version: { ...moved, changes: [] }, isMoved: true } : null
}

/** The version that a label leads to: its own, a former one, the same with or without a `v`, or without its package. */
export function* labelled(context: Context, label: string): Read<Bound | null> {
  const { statements, changelogId, now } = context
  for (const spelling of [label, ...otherSpellings(label)]) {
    const values = { changelogId, label: spelling, now }
    const [current] = yield* all(statements.positionByLabel, values)
    const [found] = current ? [current] : yield* all(statements.positionByFormerLabel, values)
    if (found) return found
  }
  const [found = null, ...others] = yield* withPackage(context, label)
  return others.length === 0 || dayIn(label) !== null ? found : null
}

/** The versions with a label behind the name of their package. */
export function* withPackage(context: Context, given: string): Read<DatedVersion[]> {
  const { statements, changelogId, now } = context
  const label = dayIn(given) ?? withoutV(given)
  const toKey = orderOf(label)
  if (toKey === null || readNumber(label)?.text !== label) return []
  const keys = { fromKey: rightBelow(toKey), toKey }
  if (!(yield* isSmall(context, keys))) return []
  const positions = yield* all(statements.alike, { changelogId, now, ...keys, limit: SMALL_RANGE })
  const alike = yield* all(statements.withIds.dated, { ids: idsOf(positions), now })
  return alike.filter((each) => readNumber(each.label)?.text === label)
}

export function* isSmall({ statements, changelogId, now }: Context, keys: KeyRange): Read<boolean> {
  const [counted] = yield* all(statements.countBetween, { changelogId, now, ...keys, limit: SMALL_RANGE + 1 })
  return (counted?.count ?? 0) <= SMALL_RANGE
}

export const changesOf = (
  { changesOf }: VersionStatements,
  id: string,
  { skip, limit }: Pick<ChangeRange, 'skip' | 'limit'>,
) => all(changesOf, { id, skip, limit })

export function* contentsOf<Version extends { id: string }>(
  { changesOfAll }: VersionStatements,
  versions: readonly Version[],
) {
  const contents = versions.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, ...change } of yield* all(changesOfAll, { ids: idsOf(versions) }))
    byId.get(versionId)?.changes.push(change)
  return contents
}

export type VersionStatements = ReturnType<typeof versionStatements>

/** Statements for the versions of a changelog that `info` found. */
export function versionStatements(dialect: Dialect, rule: VisibilityRule) {
  const { builder, tables, rowOf, limit, skip, checkedLast, isAmong } = dialect
  const { versions, formerLabels, changes, versionSources } = tables
  const [inside, label] = [sql.placeholder('changelogId'), sql.placeholder('label')]
  const [id, ids] = [sql.placeholder('id'), sql.placeholder('ids')]
  const inChangelog = eq(versions.changelogId, inside)
  const former = pick(formerLabels, 'changelogId', 'label')
  const hasId = and(
    isNearest(versions.id, versions, [versions.id], [id]),
    checkedLast(and(eq(versions.id, id), inChangelog, rule.version)),
  )
  const hasLabel = and(
    isNearest(versions.id, versions, [versions.changelogId, versions.label], [inside, label]),
    checkedLast(and(eq(versions.label, label), inChangelog, rule.version)),
  )
  const hadLabel = and(
    isNearest(rowOf(formerLabels), formerLabels, [former.changelogId, former.label], [inside, label]),
    checkedLast(and(eq(former.changelogId, inside), eq(former.label, label), rule.version)),
  )
  const columns = columnsFor(tables, rule)
  const one = <Columns extends SelectedFields>(columns: Columns, condition: SQL | undefined) =>
    statement(builder.select(columns).from(versions).where(condition))
  const withIds = <Columns extends SelectedFields>(columns: Columns) => byIds(dialect, rule, columns)
  const byKey = partsBy(dialect, rule.statusParts, byPrecedence)
  const inOrder = [asc(changes.position), asc(changes.id)]

  return {
    version: one(columns.content, hasId),
    versionByLabel: one(columns.content, hasLabel),
    positionByLabel: one(columns.bound, hasLabel),
    positionByFormerLabel: statement(
      builder
        .select(columns.bound)
        .from(formerLabels)
        // Joined: a second search for the label would be visible in the time it takes.
        .innerJoin(versions, eq(versions.id, formerLabels.versionId))
        .where(hadLabel),
    ),

    /** Versions that were found before, newest first. */
    withIds: {
      summaries: withIds(columns.summary),
      dated: withIds(columns.dated),
      contents: withIds(columns.content),
    },

    alike: statement(
      list(dialect, byKey, columns.position, { order: newestFirst, limit }, () => isBetween(tables)),
    ),

    /** How many versions a small range has to look at, at most `limit` of each status. */
    countBetween: statement(
      builder.select({ count: sql`count(*)`.mapWith(Number) }).from(
        eachPart(dialect, byKey, { limit }, ({ from, condition, before }) => {
          const isDue = before.at === 'dueAt'
          // In the order of an index, so that the planner chooses it.
          const few = builder
            .select({ id: versions.id })
            .from(from)
            .where(and(condition, isDue ? isNotNull(versions.precedence) : isBetween(tables)))
            .orderBy(desc(isDue ? versions.publishedAt : versions.precedence))
            .limit(limit)
            .as('few')
          return builder.select({ id: few.id }).from(few)
        }).as('counted'),
      ),
    ),

    sourceOf: statement(
      builder
        .select(pick(versionSources, 'text', 'hash'))
        .from(versionSources)
        .where(
          and(
            eq(versionSources.versionId, id),
            // The length is known without the text.
            sql`octet_length(${versionSources.text}) <= ${sql.placeholder('bytes')}`,
          ),
        ),
    ),

    changesOfAll: statement(
      builder
        .select({ versionId: changes.versionId, ...changeColumns(tables) })
        .from(changes)
        .where(isAmong(changes.versionId, ids))
        .orderBy(asc(changes.versionId), ...inOrder),
    ),

    changesOf: statement(
      builder
        .select(changeColumns(tables))
        .from(changes)
        .where(eq(changes.versionId, id))
        .orderBy(...inOrder)
        .limit(limit)
        .offset(skip),
    ),
  }
}

import { LATEST } from '../../domain/addresses/paths.ts'
import { isId } from '../../domain/id.ts'
import type { Change, Instant, VersionStatus } from '../../domain/records.ts'
import {
  type Audience,
  type ChangelogInfo,
  type ChangelogOverview,
  type ChangelogRead,
  type ChangeRange,
  type Cursor,
  type DirectoryEntry,
  type DirectoryRange,
  type Grant,
  OVERVIEW,
  type Page,
  type Stretch,
  type VersionContent,
  type VersionRead,
  type VersionSummary,
} from '../store.ts'
import { cut, lastOf, newer, OLDEST, type Range, rangeOf, within } from './range.ts'
import type { Statement } from './statement.ts'
import type { Statements } from './statements.ts'

type Value = string | number

/** A statement to run, with its values. Its rows are arrays, in the order of the SQL. */
export interface Step {
  statement: Statement<unknown>
  values: Value[]
}

/**
 * A read: it yields the statements that it needs and gets their rows, so that one body serves an engine that answers at
 * once and one that is awaited. The caller runs all of it within one snapshot.
 */
export type Read<T> = Generator<Step, T, unknown[][]>

export type Reads = ReturnType<typeof readsOf>

/** Who reads, and when: what is scheduled for that moment or an earlier one is published. */
export interface Reader {
  audience: Audience
  now: Instant
}

/** Every read of the server, in the statements of one engine. */
export const readsOf = (statements: Statements) => ({
  *ping(): Read<void> {
    yield* rows(statements.anyTeam, {})
  },

  *grant(hash: string, now: Instant): Read<Grant | null> {
    const [found] = yield* all(statements.grant, { hash, now })
    if (!found) return null
    const { tokenExpiresAt, keyExpiresAt, ...grant } = found
    const attached = yield* all(statements.attachedProducts, { keyId: grant.keyId })
    return {
      ...grant,
      products: new Set(attached.map(({ slug }) => slug)),
      expiresAt: earliest(tokenExpiresAt, keyExpiresAt),
    }
  },

  *changelog(reader: Reader, team: string, product: string, page: Page): Read<ChangelogRead | null> {
    const { now } = reader
    const own = statementsFor(statements, reader)
    const [found] = yield* all(own.info, { team, product, ...credentials(reader) })
    if (!found) return null
    let info: ChangelogInfo & { beyond?: Cursor } = found
    const changelogId = info.changelog.id
    let beyond: Cursor = { publishedAt: page.since ?? OLDEST.publishedAt, id: '' }
    if (page.newerThan !== undefined) {
      const label = { changelogId, label: page.newerThan, now }
      const [current] = yield* all(own.positionByLabel, label)
      const [named] = current ? [current] : yield* all(own.positionByFormerLabel, label)
      if (!named) return { ...info, versions: [], next: null, isLabelMissing: true }
      beyond = newer(beyond, named)
      info = { ...info, beyond }
    }
    const range = rangeOf(changelogId, now, page.after, beyond, page.limit)
    if (page.withChanges) return { ...info, ...(yield* contents(own, range, page.maxChanges)) }
    if (page.withDates) return { ...info, ...cut((yield* all(own.dated, range)).map(datedOf), range) }
    return { ...info, ...cut(((yield* rows(own.summaries, range)) as SummaryRow[]).map(summaryOf), range) }
  },

  *version(
    reader: Reader,
    team: string,
    product: string,
    name: string,
    range: ChangeRange = ALL_CHANGES,
  ): Read<VersionRead | null> {
    const { now } = reader
    const own = statementsFor(statements, reader)
    const [info] = yield* all(own.info, { team, product, ...credentials(reader) })
    if (!info) return null
    const changelogId = info.changelog.id
    const [version] =
      name === LATEST
        ? // The public's, for a key too: it has no drafts.
          yield* all(statements.forPublic.contents, rangeOf(changelogId, now, null, OLDEST, 0))
        : isId('ver', name)
          ? yield* all(own.version, { changelogId, id: name, now })
          : yield* all(own.versionByLabel, { changelogId, label: name, now })
    if (version)
      return { ...info, version: { ...datedOf(version), changes: yield* changesOf(own, version.id, range) } }
    if (name === LATEST || isId('ver', name)) return null
    // What has a label and is hidden takes the same steps here as what has none.
    const [renamed] = yield* all(own.versionByFormerLabel, { changelogId, label: name, now })
    return renamed ? { ...info, version: { ...datedOf(renamed), changes: [] }, isFormerLabel: true } : null
  },

  *overview(reader: Reader, team: string, product: string): Read<ChangelogOverview | null> {
    const { now } = reader
    const own = statementsFor(statements, reader)
    const [info] = yield* all(own.info, { team, product, ...credentials(reader) })
    if (!info) return null
    const { id: changelogId } = info.changelog
    const [counted] = yield* all(own.count, rangeOf(changelogId, now, null, OLDEST, OVERVIEW.versions))
    const types = yield* all(own.types, { changelogId, now, limit: OVERVIEW.changes })
    return { ...info, versionCount: Number(counted?.count), types }
  },

  *stretch(
    reader: Reader,
    team: string,
    product: string,
    after: Cursor | null,
    limit: number,
  ): Read<Stretch | null> {
    const own = statementsFor(statements, reader)
    const [info] = yield* all(own.info, { team, product, ...credentials(reader) })
    if (!info) return null
    const range = rangeOf(info.changelog.id, reader.now, after, OLDEST, limit)
    const [counted] = yield* all(own.count, range)
    const count = Number(counted?.count)
    if (count <= limit) return { count, next: null }
    const [next = null] = yield* all(own.positions, { ...range, skip: limit - 1, limit: 1 })
    return { count: limit, next }
  },

  *newer(reader: Reader, team: string, product: string, than: Cursor, limit: number): Read<VersionSummary[]> {
    const own = statementsFor(statements, reader)
    const [info] = yield* all(own.info, { team, product, ...credentials(reader) })
    if (!info) return []
    const position = { thanAt: than.publishedAt, thanId: than.id }
    return yield* all(own.newer, { changelogId: info.changelog.id, now: reader.now, ...position, limit })
  },

  *directory(now: Instant, range: DirectoryRange, limit: number): Read<DirectoryEntry[]> {
    const found = yield* all(statements.directory, { now, ...range, limit })
    return found.map(({ newest: { label, publishedAt }, ...changelog }) => ({
      ...changelog,
      // PostgreSQL sends it as text.
      newest: { label, publishedAt: publishedAt === null ? null : Number(publishedAt) },
    }))
  },
})

type AudienceStatements = Statements['forPublic']

const ALL_CHANGES: ChangeRange = { skip: 0, limit: Number.MAX_SAFE_INTEGER }

const changesOf = (own: AudienceStatements, id: string, { skip, limit }: ChangeRange) =>
  all(own.changesOf, { id, skip, limit })

function* contents(
  own: AudienceStatements,
  range: Range,
  maxChanges = Number.POSITIVE_INFINITY,
): Read<{ versions: VersionContent[]; next: Cursor | null }> {
  const { versions, next } = within(cut((yield* all(own.contents, range)).map(datedOf), range), maxChanges)
  const [first] = versions
  if (first && first.changeCount > maxChanges) {
    const changes = yield* changesOf(own, first.id, { skip: 0, limit: maxChanges })
    return { versions: [{ ...first, changes }], next }
  }
  const last = lastOf(versions)
  const changes = last ? yield* all(own.changesBetween, { ...range, ...last }) : []
  return { versions: withChanges(versions, changes), next }
}

const statementsFor = ({ forPublic, forKey }: Statements, { audience }: Reader) =>
  audience === 'public' ? forPublic : forKey

function* rows<Row>(statement: Statement<Row>, values: Record<string, Value>): Read<unknown[][]> {
  return yield {
    statement,
    values: statement.parameters.map((each) => ('name' in each ? (values[each.name] as Value) : each.value)),
  }
}

function* all<Row>(statement: Statement<Row>, values: Record<string, Value>): Read<Row[]> {
  return (yield* rows(statement, values)).map((row) => objectOf(statement.columns, row) as Row)
}

/** A row as an object. The path of a column is one name, or two for a field of an inner object. */
function objectOf(columns: readonly string[][], row: readonly unknown[]): object {
  const object: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const [name = '', inner] = columns[at] as string[]
    if (inner === undefined) object[name] = row[at]
    else {
      object[name] ??= {}
      const within = object[name] as Record<string, unknown>
      within[inner] = row[at]
    }
  }
  return object
}

/**
 * A row of the summaries, its columns in the order of `summaryColumns`. Used without a conversion to objects by name,
 * which would double the cost of the largest reads.
 */
type SummaryRow = [
  id: string,
  label: string,
  title: string,
  status: VersionStatus,
  publishedAt: Instant,
  changeCount: number,
]

const summaryOf = ([id, label, title, status, publishedAt, changeCount]: SummaryRow): VersionSummary => ({
  id,
  label,
  title,
  status,
  publishedAt,
  changeCount,
})

const datedOf = <Row extends { dateKnown: number }>(
  row: Row,
): Omit<Row, 'dateKnown'> & { dateKnown: boolean } => ({
  ...row,
  dateKnown: row.dateKnown === 1,
})

/** The versions of a page with their changes, which one statement has read for the whole page. */
function withChanges(
  page: Omit<VersionContent, 'changes'>[],
  list: (Change & { versionId: string; position: number; publishedAt: Instant })[],
): VersionContent[] {
  const contents = page.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, position: _, publishedAt: __, ...change } of list)
    byId.get(versionId)?.changes.push(change)
  return contents
}

const credentials = ({ audience }: Reader): Record<string, Value> =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

import type { Change, Instant, VersionStatus } from '../../domain/records.ts'
import {
  type Audience,
  type ChangelogOverview,
  type ChangelogRead,
  type Cursor,
  type Directory,
  type DirectoryRange,
  type Grant,
  OVERVIEW,
  type Page,
  type VersionContent,
  type VersionRead,
  type VersionSummary,
} from '../port.ts'
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

  *changelog(audience: Audience, team: string, product: string, page: Page): Read<ChangelogRead | null> {
    const { info, summaries, contents, changesBetween } = statementsFor(statements, audience)
    const [found] = yield* all(info, { team, product, ...credentials(audience) })
    if (!found) return null
    const range = {
      changelogId: found.changelog.id,
      since: page.since ?? Number.MIN_SAFE_INTEGER,
      afterAt: page.after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
      afterId: page.after?.id ?? '',
      // One more than asked for tells whether there is a next page.
      limit: page.limit === null ? Number.MAX_SAFE_INTEGER : page.limit + 1,
    }
    let versions: VersionSummary[]
    if (page.withChanges) {
      const list = yield* all(contents, range)
      const last = list.at(-1)
      const until = last && { lastAt: last.publishedAt, lastId: last.id }
      versions = until ? withChanges(list, yield* all(changesBetween, { ...range, ...until })) : []
    } else versions = ((yield* rows(summaries, range)) as SummaryRow[]).map(summaryOf)
    const more = page.limit !== null && versions.length > page.limit
    if (more) versions.pop()
    return { ...found, versions, next: more ? (versions.at(-1) ?? null) : null }
  },

  *version(audience: Audience, team: string, product: string, id: string): Read<VersionRead | null> {
    const own = statementsFor(statements, audience)
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return null
    const [version] = yield* all(own.version, { id, changelogId: info.changelog.id })
    if (!version) return null
    return { ...info, version: { ...version, changes: yield* all(own.changesOf, { id }) } }
  },

  *versionByLabel(
    audience: Audience,
    team: string,
    product: string,
    label: string,
  ): Read<VersionRead | null> {
    const own = statementsFor(statements, audience)
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return null
    const [version] = yield* all(own.versionByLabel, { label, changelogId: info.changelog.id })
    if (!version) return null
    return { ...info, version: { ...version, changes: yield* all(own.changesOf, { id: version.id }) } }
  },

  *overview(audience: Audience, team: string, product: string): Read<ChangelogOverview | null> {
    const own = statementsFor(statements, audience)
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return null
    const { id: changelogId } = info.changelog
    const [counted] = yield* all(own.count, { changelogId, limit: OVERVIEW.versions + 1 })
    const types = yield* all(own.types, { changelogId, limit: OVERVIEW.changes })
    return { ...info, versionCount: Number(counted?.count), types }
  },

  *newer(
    audience: Audience,
    team: string,
    product: string,
    than: Cursor,
    limit: number,
  ): Read<VersionSummary[]> {
    const own = statementsFor(statements, audience)
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return []
    const position = { thanAt: than.publishedAt, thanId: than.id }
    return yield* all(own.newer, { changelogId: info.changelog.id, ...position, limit })
  },

  *directory({ team, product, lastTeam }: DirectoryRange, limit: number): Read<Directory> {
    const range = { team, product, lastTeam, limit }
    const [end] = yield* all(statements.directory.end, range)
    const visible = yield* all(statements.directory.visible, range)
    const changelogs = visible.map(({ newest: { label, publishedAt }, ...changelog }) => ({
      ...changelog,
      // PostgreSQL sends it as text.
      newest: { label, publishedAt: publishedAt === null ? null : Number(publishedAt) },
    }))
    return { changelogs, end: end ?? null }
  },
})
const statementsFor = ({ forPublic, forKey }: Statements, audience: Audience) =>
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

/** The versions of a page with their changes, which one statement has read for the whole page. */
function withChanges(
  page: Omit<VersionContent, 'changes'>[],
  list: (Change & { versionId: string })[],
): VersionContent[] {
  const contents = page.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, ...change } of list) byId.get(versionId)?.changes.push(change)
  return contents
}

const credentials = (audience: Audience): Record<string, Value> =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

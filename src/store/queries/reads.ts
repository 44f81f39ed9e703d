import { isId } from '../../domain/id.ts'
import type { Change, Instant, VersionStatus } from '../../domain/records.ts'
import {
  type Audience,
  type ChangelogRead,
  type Cursor,
  type Grant,
  LATEST,
  type Page,
  type VersionContent,
  type VersionRead,
  type VersionSummary,
} from '../port.ts'
import { readStatements } from './statements.ts' with { type: 'macro' }
import type { Statement } from './statements.ts'

const STATEMENTS = readStatements()

type Value = string | number

/** How an engine prepares a statement: the function that runs it takes its values and returns its rows, in the order of the SQL. */
export type Prepare = (sql: string) => (values: Value[]) => unknown[][]

/** Every read of the server. A read may run more than one statement: the caller runs it within one snapshot. */
export function prepareReads(prepare: Prepare) {
  const { rows, all } = runner(prepare)

  const contents = (statements: Own, range: Range): VersionContent[] => {
    const found = all(statements.contents, range)
    const until = lastOf(found)
    return until ? withChanges(found, all(statements.changesBetween, { ...range, ...until })) : []
  }

  /** A page of the versions with changes of these types. It ends early where the search does. */
  const contentsOfTypes = (statements: Own, range: Range, types: readonly string[]) => {
    const [end, beyond] = all(statements.endOfSearch, range)
    const searched = beyond ? { ...range, beyondAt: beyond.publishedAt, beyondId: beyond.id } : range
    const values = { ...searched, types: `,${types.join()},` }
    const found = all(statements.contentsOfTypes, values)
    const until = lastOf(found)
    const changes = until ? all(statements.changesOfTypesBetween, { ...values, ...until }) : []
    const { versions, next } = cut(withChanges(found, changes), range.limit - 1)
    return { versions, next: next ?? (beyond && end ? end : null) }
  }

  return {
    ping: (): void => {
      rows(STATEMENTS.anyTeam, {})
    },

    grant: (hash: string, now: Instant): Grant | null => {
      const [found] = all(STATEMENTS.grant, { hash, now })
      if (!found) return null
      const { tokenExpiresAt, keyExpiresAt, ...grant } = found
      const attached = all(STATEMENTS.attachedProducts, { keyId: grant.keyId })
      return {
        ...grant,
        products: new Set(attached.map(({ slug }) => slug)),
        expiresAt: earliest(tokenExpiresAt, keyExpiresAt),
      }
    },

    changelog: (audience: Audience, team: string, product: string, page: Page): ChangelogRead | null => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      if (!info) return null
      const changelogId = info.changelog.id
      let beyond: Cursor = { publishedAt: page.since ?? OLDEST.publishedAt, id: '' }
      if (page.newerThan !== undefined) {
        const [named] = all(statements.positionByLabel, { changelogId, label: page.newerThan })
        if (!named) return { ...info, versions: [], next: null, lacksLabel: true }
        beyond = newer(beyond, named)
      }
      const range = rangeOf(changelogId, page.after, beyond, page.limit)
      if (page.types) return { ...info, ...contentsOfTypes(statements, range, page.types) }
      const found = page.withChanges
        ? contents(statements, range)
        : (rows(statements.summaries, range) as SummaryRow[]).map(summaryOf)
      return { ...info, ...cut(found, range.limit - 1) }
    },

    version: (audience: Audience, team: string, product: string, name: string): VersionRead | null => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      if (!info) return null
      const changelogId = info.changelog.id
      const [version] =
        name === LATEST
          ? // The public's, for a key too: it has no drafts.
            all(STATEMENTS.forPublic.contents, rangeOf(changelogId, null, OLDEST, 0))
          : isId('ver', name)
            ? all(statements.version, { changelogId, id: name })
            : all(statements.versionByLabel, { changelogId, label: name })
      if (!version) return null
      return { ...info, version: { ...version, changes: all(statements.changesOf, { id: version.id }) } }
    },
  }
}

const statementsFor = (audience: Audience) =>
  audience === 'public' ? STATEMENTS.forPublic : STATEMENTS.forKey

type Own = typeof STATEMENTS.forPublic

/** A position before all versions: the end of a list that has no other. */
const OLDEST: Cursor = { publishedAt: Number.MIN_SAFE_INTEGER, id: '' }

/** The one of two positions that is nearer to the top of the list. */
const newer = (one: Cursor, other: Cursor): Cursor =>
  one.publishedAt > other.publishedAt || (one.publishedAt === other.publishedAt && one.id > other.id)
    ? one
    : other

type Range = ReturnType<typeof rangeOf>

/** The versions between two positions, without both. */
const rangeOf = (changelogId: string, after: Cursor | null, beyond: Cursor, limit: number | null) => ({
  changelogId,
  afterAt: after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
  afterId: after?.id ?? '',
  beyondAt: beyond.publishedAt,
  beyondId: beyond.id,
  // One more than asked for tells whether there is a next page.
  limit: limit === null ? Number.MAX_SAFE_INTEGER : limit + 1,
})

/** The versions without the one too many, and where the next page begins if there is one. */
function cut<Version extends Cursor>(
  found: Version[],
  limit: number,
): { versions: Version[]; next: Cursor | null } {
  if (found.length <= limit) return { versions: found, next: null }
  const versions = found.slice(0, limit)
  return { versions, next: versions.at(-1) ?? null }
}

/** The position of the last version of a page, as its changes are looked for. */
const lastOf = (found: readonly Cursor[]) => {
  const last = found.at(-1)
  return last && { lastAt: last.publishedAt, lastId: last.id }
}

/** Runs statements, each prepared when it is first used. */
function runner(prepare: Prepare) {
  const prepared = new Map<string, ReturnType<Prepare>>()

  const rows = <Row>({ sql, parameters }: Statement<Row>, values: Record<string, Value>): unknown[][] => {
    let run = prepared.get(sql)
    if (!run) {
      run = prepare(sql)
      prepared.set(sql, run)
    }
    return run(parameters.map((each) => ('name' in each ? (values[each.name] as Value) : each.value)))
  }

  const all = <Row>(statement: Statement<Row>, values: Record<string, Value>): Row[] =>
    rows(statement, values).map((row) => objectOf(statement.columns, row) as Row)

  return { rows, all }
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

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
import { pageStatements } from './page-statements.ts' with { type: 'macro' }
import { readStatements } from './statements.ts' with { type: 'macro' }
import type { Statement } from './statements.ts'

const { forPublic, forKey, ...STATEMENTS } = readStatements()
const { forPublic: pagesForPublic, forKey: pagesForKey, directory } = pageStatements()
const FOR_PUBLIC = { ...forPublic, ...pagesForPublic }
const FOR_KEY = { ...forKey, ...pagesForKey }

type Value = string | number

/** How an engine prepares a statement: the function that runs it takes its values and returns its rows, in the order of the SQL. */
export type Prepare = (sql: string) => (values: Value[]) => unknown[][]

/** Every read of the server. A read may run more than one statement: the caller runs it within one snapshot. */
export function prepareReads(prepare: Prepare) {
  const { rows, all } = runner(prepare)

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
      const range = {
        changelogId: info.changelog.id,
        since: page.since ?? Number.MIN_SAFE_INTEGER,
        afterAt: page.after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
        afterId: page.after?.id ?? '',
        // One more than asked for tells whether there is a next page.
        limit: page.limit === null ? Number.MAX_SAFE_INTEGER : page.limit + 1,
      }
      const contents = (): VersionContent[] => {
        const found = all(statements.contents, range)
        const last = found.at(-1)
        if (!last) return []
        const until = { lastAt: last.publishedAt, lastId: last.id }
        return withChanges(found, all(statements.changesBetween, { ...range, ...until }))
      }
      const found: VersionSummary[] = page.withChanges
        ? contents()
        : (rows(statements.summaries, range) as SummaryRow[]).map(summaryOf)
      const more = page.limit !== null && found.length > page.limit
      if (more) found.pop()
      return { ...info, versions: found, next: more ? (found.at(-1) ?? null) : null }
    },

    overview: (audience: Audience, team: string, product: string): ChangelogOverview | null => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      if (!info) return null
      const { id: changelogId } = info.changelog
      const [counted] = all(statements.count, { changelogId, limit: OVERVIEW.versions + 1 })
      const types = all(statements.types, { changelogId, limit: OVERVIEW.changes })
      return { ...info, versionCount: Number(counted?.count), types }
    },

    newer: (audience: Audience, team: string, product: string, than: Cursor, limit: number) => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      const position = { thanAt: than.publishedAt, thanId: than.id }
      return info ? all(statements.newer, { changelogId: info.changelog.id, ...position, limit }) : []
    },

    directory: ({ team, product, lastTeam }: DirectoryRange, limit: number): Directory => {
      const range = { team, product, lastTeam, limit }
      const [end] = all(directory.end, range)
      return { changelogs: all(directory.visible, range), end: end ?? null }
    },

    versionByLabel: (
      audience: Audience,
      team: string,
      product: string,
      label: string,
    ): VersionRead | null => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      if (!info) return null
      const [version] = all(statements.versionByLabel, {
        label,
        changelogId: info.changelog.id,
      })
      if (!version) return null
      return { ...info, version: { ...version, changes: all(statements.changesOf, { id: version.id }) } }
    },

    version: (audience: Audience, team: string, product: string, id: string): VersionRead | null => {
      const statements = statementsFor(audience)
      const [info] = all(statements.info, { team, product, ...credentials(audience) })
      if (!info) return null
      const [version] = all(statements.version, { id, changelogId: info.changelog.id })
      if (!version) return null
      return { ...info, version: { ...version, changes: all(statements.changesOf, { id }) } }
    },
  }
}

const statementsFor = (audience: Audience) => (audience === 'public' ? FOR_PUBLIC : FOR_KEY)

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

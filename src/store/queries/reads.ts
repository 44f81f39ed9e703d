import type { Change, Instant, VersionStatus } from '../../domain/records.ts'
import type {
  Audience,
  ChangelogRead,
  Grant,
  Page,
  VersionContent,
  VersionRead,
  VersionSummary,
} from '../port.ts'
import { readStatements } from './statements.ts' with { type: 'macro' }
import type { Statement } from './statements.ts'

const STATEMENTS = readStatements()

type Value = string | number

/** How an engine runs a text of SQL, prepared once: given the values, it gives rows, all in the text's order. */
export type Prepare = (sql: string) => (values: Value[]) => unknown[][]

/**
 * Every read of the serving side. A function here may run more than one statement: the caller runs it whole
 * within one snapshot.
 */
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
      const [heading] = all(statements.heading, { team, product, ...credentials(audience) })
      if (!heading) return null
      const range = {
        changelogId: heading.changelog.id,
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
      return { ...heading, versions: found, next: more ? (found.at(-1) ?? null) : null }
    },

    version: (audience: Audience, team: string, product: string, id: string): VersionRead | null => {
      const statements = statementsFor(audience)
      const [heading] = all(statements.heading, { team, product, ...credentials(audience) })
      if (!heading) return null
      const [version] = all(statements.version, { id, changelogId: heading.changelog.id })
      if (!version) return null
      return { ...heading, version: { ...version, changes: all(statements.changesOf, { id }) } }
    },
  }
}

const statementsFor = (audience: Audience) =>
  audience === 'public' ? STATEMENTS.forPublic : STATEMENTS.forKey

/** Runs statements, each prepared when it first comes. */
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

/** The object of a row. A column's way is its name, or two: that of an object within, and its name there. */
function objectOf(columns: readonly string[][], row: readonly unknown[]): object {
  const made: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const [name = '', inner] = columns[at] as string[]
    if (inner === undefined) made[name] = row[at]
    else {
      made[name] ??= {}
      const within = made[name] as Record<string, unknown>
      within[inner] = row[at]
    }
  }
  return made
}

/**
 * A row of the summaries, its columns in the order of `summaryColumns`. It is taken as it comes: in the largest reads,
 * objects by name would cost as much again.
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

/** Puts their changes to the versions of a page: one statement for the page, not one for each version. */
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

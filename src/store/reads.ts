import { and, asc, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm'
import type { Instant, VersionStatus } from '../domain/records.ts'
import type {
  Audience,
  Change,
  ChangelogRead,
  Grant,
  Page,
  Place,
  VersionContent,
  VersionRead,
  VersionSummary,
} from './port.ts'
import {
  changelogs,
  changes,
  type Drizzle,
  keyProducts,
  keys,
  keyTokens,
  products,
  teams,
  versions,
} from './schema.ts'
import { KEYED, PUBLIC, type Rule } from './visibility.ts'

/**
 * Every read of the serving side, each a fixed statement prepared once. A function here may run more than one
 * statement: the caller runs it whole within one snapshot.
 */
export function prepareReads(db: Drizzle) {
  const prepared = prepareStatements(db)
  const statementsFor = (audience: Audience) => (audience === 'public' ? prepared.forPublic : prepared.forKey)

  return {
    ping: (): void => {
      prepared.anyTeam.all()
    },

    grant: (hash: string, now: Instant): Grant | null => {
      const rows = prepared.grant.all({ hash, now })
      const first = rows[0]
      if (!first) return null
      const { product: _, tokenExpiresAt, keyExpiresAt, ...grant } = first
      const attached = rows.flatMap((row) => row.product ?? [])
      return { ...grant, products: new Set(attached), expiresAt: earliest(tokenExpiresAt, keyExpiresAt) }
    },

    changelog: (audience: Audience, team: string, product: string, page: Page): ChangelogRead | null => {
      const statements = statementsFor(audience)
      const heading = statements.heading.get({ team, product, ...credentials(audience) })
      if (!heading) return null
      const range = {
        changelogId: heading.changelog.id,
        since: page.since ?? Number.MIN_SAFE_INTEGER,
        afterAt: page.after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
        afterId: page.after?.id ?? '',
        // One more than asked for tells whether there is a next page.
        limit: page.limit === null ? Number.MAX_SAFE_INTEGER : page.limit + 1,
      }
      const found: VersionSummary[] = page.withChanges
        ? withChanges(statements.contents.all(range), statements.changesBetween, range)
        : (statements.summaries.values(range) as SummaryRow[]).map(summaryOf)
      const more = page.limit !== null && found.length > page.limit
      if (more) found.pop()
      return { ...heading, versions: found, next: more ? (found.at(-1) ?? null) : null }
    },

    version: (audience: Audience, team: string, product: string, id: string): VersionRead | null => {
      const statements = statementsFor(audience)
      const row = statements.version.get({ team, product, id, ...credentials(audience) })
      if (!row) return null
      const { version, ...heading } = row
      const list = statements.changesOf.all({ id })
      return { ...heading, version: { ...version, changes: list } }
    },
  }
}

/** All the statements there are. */
export const prepareStatements = (db: Drizzle) =>
  lazily({
    forPublic: () => prepareFor(db, PUBLIC),
    forKey: () => prepareFor(db, KEYED),
    grant: () => prepareGrant(db),
    anyTeam: () => db.select({ id: teams.id }).from(teams).limit(1).prepare(),
  })

const headingColumns = {
  team: { slug: teams.slug, name: teams.name },
  product: { slug: products.slug, name: products.name },
  changelog: { id: changelogs.id, name: changelogs.name, status: changelogs.status },
}

const summaryColumns = {
  id: versions.id,
  label: versions.label,
  title: versions.title,
  status: versions.status,
  publishedAt: versions.publishedAt,
  changeCount: versions.changeCount,
}

const contentColumns = { ...summaryColumns, description: versions.description }

/**
 * A row of `summaryColumns`, in their order. It is taken as it comes: in the largest reads, Drizzle's way from
 * rows to objects would cost half of the query again.
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

const changeColumns = {
  id: changes.id,
  type: changes.type,
  title: changes.title,
  description: changes.description,
}

function prepareFor(db: Drizzle, rule: Rule) {
  const named = and(eq(teams.slug, sql.placeholder('team')), eq(products.slug, sql.placeholder('product')))
  const inRange = and(
    eq(versions.changelogId, sql.placeholder('changelogId')),
    rule.version,
    gte(versions.publishedAt, sql.placeholder('since')),
    sql`(${versions.publishedAt}, ${versions.id}) < (${sql.placeholder('afterAt')}, ${sql.placeholder('afterId')})`,
  )
  const newestFirst = [desc(versions.publishedAt), desc(versions.id)]

  return lazily({
    heading: () =>
      db
        .select(headingColumns)
        .from(teams)
        .innerJoin(products, eq(products.teamId, teams.id))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(and(named, rule.changelog))
        .prepare(),

    summaries: () =>
      db
        .select(summaryColumns)
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(sql.placeholder('limit'))
        .prepare(),

    contents: () =>
      db
        .select(contentColumns)
        .from(versions)
        .where(inRange)
        .orderBy(...newestFirst)
        .limit(sql.placeholder('limit'))
        .prepare(),

    changesBetween: () =>
      db
        .select({ versionId: changes.versionId, ...changeColumns })
        .from(versions)
        .innerJoin(changes, eq(changes.versionId, versions.id))
        .where(
          and(
            inRange,
            sql`(${versions.publishedAt}, ${versions.id}) >= (${sql.placeholder('lastAt')}, ${sql.placeholder('lastId')})`,
          ),
        )
        .orderBy(...newestFirst, asc(changes.position), asc(changes.id))
        .prepare(),

    version: () =>
      db
        .select({ ...headingColumns, version: contentColumns })
        .from(versions)
        .innerJoin(changelogs, eq(changelogs.id, versions.changelogId))
        .innerJoin(products, eq(products.id, changelogs.productId))
        .innerJoin(teams, eq(teams.id, products.teamId))
        .where(and(eq(versions.id, sql.placeholder('id')), named, rule.changelog, rule.version))
        .prepare(),

    changesOf: () =>
      db
        .select(changeColumns)
        .from(changes)
        .where(eq(changes.versionId, sql.placeholder('id')))
        .orderBy(asc(changes.position), asc(changes.id))
        .prepare(),
  })
}

function prepareGrant(db: Drizzle) {
  const now = sql.placeholder('now')
  return db
    .select({
      keyId: keys.id,
      teamId: teams.id,
      teamSlug: teams.slug,
      kind: keys.kind,
      keyExpiresAt: keys.expiresAt,
      tokenExpiresAt: keyTokens.expiresAt,
      product: products.slug,
    })
    .from(keyTokens)
    .innerJoin(keys, eq(keys.id, keyTokens.keyId))
    .innerJoin(teams, eq(teams.id, keys.teamId))
    .leftJoin(keyProducts, eq(keyProducts.keyId, keys.id))
    .leftJoin(products, eq(products.id, keyProducts.productId))
    .where(
      and(
        eq(keyTokens.hash, sql.placeholder('hash')),
        eq(keys.status, 'active'),
        or(isNull(keys.expiresAt), gt(keys.expiresAt, now)),
        or(isNull(keyTokens.expiresAt), gt(keyTokens.expiresAt, now)),
      ),
    )
    .prepare()
}

type ChangesBetween = ReturnType<typeof prepareFor>['changesBetween']

/** Puts their changes to the versions of a page: one statement for the page, not one for each version. */
function withChanges(
  page: Omit<VersionContent, 'changes'>[],
  changesBetween: ChangesBetween,
  range: Record<string, unknown>,
): VersionContent[] {
  const last: Place | undefined = page.at(-1)
  if (!last) return []
  const contents = page.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, ...change } of changesBetween.all({
    ...range,
    lastAt: last.publishedAt,
    lastId: last.id,
  }))
    byId.get(versionId)?.changes.push(change)
  return contents
}

const credentials = (audience: Audience) =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

/** Each made when it is first asked for: to prepare them all takes longer than to start the rest of a server. */
function lazily<T extends object>(makers: { [Name in keyof T]: () => T[Name] }): T {
  const made = {} as T
  for (const name of Object.keys(makers) as (keyof T)[])
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = makers[name]()
        Object.defineProperty(made, name, { enumerable: true, value })
        return value
      },
    })
  return made
}

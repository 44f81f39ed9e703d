import { and, type Column, eq, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Instant, STORED_VERSION_STATUSES, type VersionStatus } from '../domain/records.ts'
import type { Tables } from './tables/schema.ts'

/**
 * The visibility rules, in one place. The WHERE of each read contains one of them, so that hidden content is never
 * found, instead of found and then checked.
 */
export interface VisibilityRule {
  /** For statements that join team, product and changelog. */
  changelog: SQL | undefined
  /** For statements that read its versions. */
  version: SQL | undefined
  /** The rule in parts, for lists: each reads one index in the order of the list. */
  versionParts: readonly VersionPart[]
  /** The same with a status in each, for lists by precedence. */
  statusParts: readonly VersionPart[]
  status: SQL<VersionStatus>
}

export interface VersionPart {
  condition: SQL | undefined
  /** The names of the position where a list begins. Versions that are not due are never before that of `due`. */
  before: { at: 'afterAt' | 'dueAt'; id: 'afterId' | 'dueId' }
}

const AFTER = { at: 'afterAt', id: 'afterId' } as const
const DUE = { at: 'dueAt', id: 'dueId' } as const

/** A scheduled version is published from its own time on. */
export const isPublished = (tables: Tables, now: Placeholder | Instant): SQL =>
  sql`(${sql.join(publishedParts(tables.versions, now), sql` or `)})`

/** The columns that decide publication. */
interface PublicationColumns {
  status: Column | SQL
  publishedAt: Column
}

/** The two ways to be published. That it is no draft is said as in the index `version_public`. */
const publishedParts = (
  { status, publishedAt }: PublicationColumns,
  now: Placeholder | Instant,
): [SQL, SQL] => [
  sql`(${status} <> 'draft' and ${status} = 'published')`,
  sql`(${status} <> 'draft' and ${status} = 'scheduled' and ${publishedAt} <= ${now})`,
]

export const statusAt = (tables: Tables, now: Placeholder | Instant): SQL<VersionStatus> =>
  sql<VersionStatus>`case when ${isPublished(tables, now)} then 'published' else 'draft' end`

/** True for a draft with a time at which it is published. */
export const isScheduled = ({ versions }: Tables, now: Instant): SQL =>
  sql`(${versions.status} = 'scheduled' and ${versions.publishedAt} > ${now})`

/**
 * True for an author's date. The column is false only for published versions, so that an older program, which does not
 * know it, may publish a draft.
 */
export const isDateKnown = (tables: Tables, now: Placeholder | Instant): SQL =>
  sql`(${tables.versions.dated} or (${tables.versions.dateKnown} and ${isPublished(tables, now)}))`

const NOW = sql.placeholder('now')

/** Everyone: published content of public teams. */
export const publicRule = (tables: Tables): VisibilityRule => ({
  changelog: and(
    eq(tables.teams.visibility, 'public'),
    eq(tables.products.status, 'published'),
    eq(tables.changelogs.status, 'published'),
  ),
  version: isPublished(tables, NOW),
  versionParts: publicParts(tables.versions),
  statusParts: publicParts(tables.versions),
  status: sql`'published'`,
})

/** The parts of the published rule: for versions, or a table with some of their columns. */
export function publicParts(columns: PublicationColumns): readonly VersionPart[] {
  const [published, due] = publishedParts(columns, NOW)
  return [
    { condition: published, before: AFTER },
    { condition: due, before: DUE },
  ]
}

/** An API-key holder: everything of the key's team, or of the products attached to the key. */
export const keyedRule = (tables: Tables): VisibilityRule => ({
  changelog: ofKey(tables),
  version: undefined,
  versionParts: [{ condition: undefined, before: AFTER }],
  statusParts: STORED_VERSION_STATUSES.map((status) => ({
    condition: eq(tables.versions.status, status),
    before: AFTER,
  })),
  status: statusAt(tables, NOW),
})

const ofKey = ({ teams, products, keyProducts }: Tables) =>
  and(
    eq(teams.id, sql.placeholder('teamId')),
    or(
      eq(sql.placeholder('kind'), sql`'FULL'`),
      sql`exists (select 1 from ${keyProducts} where ${and(
        eq(keyProducts.keyId, sql.placeholder('keyId')),
        eq(keyProducts.productId, products.id),
      )})`,
    ),
  )

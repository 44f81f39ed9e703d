import { and, eq, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Instant, VersionStatus } from '../domain/records.ts'
import type { Tables } from './tables/schema.ts'

/**
 * Who may see what: the only place that says it. The WHERE of each read contains one of these rules, so that hidden
 * content is never found, rather than found and then checked.
 */
export interface VisibilityRule {
  /** For statements that join team, product and changelog. */
  changelog: SQL | undefined
  /** For statements that read versions of such a changelog. */
  version: SQL | undefined
  /** The same rule in parts, for lists: each is a stretch of one index, in the order of the list. */
  versionParts: readonly VersionPart[]
  /** The status of such a version. */
  status: SQL<VersionStatus>
}

export interface VersionPart {
  condition: SQL | undefined
  /** The names of the position before which a list begins. What is not due yet is never before that of `due`. */
  before: { at: 'afterAt' | 'dueAt'; id: 'afterId' | 'dueId' }
}

const AFTER = { at: 'afterAt', id: 'afterId' } as const
const DUE = { at: 'dueAt', id: 'dueId' } as const

/** Whether a version is published at a moment: a scheduled one is, once its own has come. */
export const isPublished = (tables: Tables, now: Placeholder | Instant): SQL =>
  sql`(${sql.join(publishedParts(tables, now), sql` or `)})`

/** The two ways to be that. That neither is a draft is said as the index `version_public` has it. */
const publishedParts = ({ versions }: Tables, now: Placeholder | Instant): [SQL, SQL] => [
  sql`(${versions.status} <> 'draft' and ${versions.status} = 'published')`,
  sql`(${versions.status} <> 'draft' and ${versions.status} = 'scheduled' and ${versions.publishedAt} <= ${now})`,
]

/** The status of a version at a moment. */
export const statusAt = (tables: Tables, now: Placeholder | Instant): SQL<VersionStatus> =>
  sql<VersionStatus>`case when ${isPublished(tables, now)} then 'published' else 'draft' end`

/** Whether it is a draft at that moment, and will be published by itself. */
export const isScheduled = ({ versions }: Tables, now: Instant): SQL =>
  sql`(${versions.status} = 'scheduled' and ${versions.publishedAt} > ${now})`

/**
 * Whether the date of a version is known at a moment: a date that its author gave is. The column is false only of what is
 * published, so that another program, which does not know it, may publish a draft.
 */
export const isDateKnown = (tables: Tables, now: Placeholder | Instant): SQL =>
  sql`(${tables.versions.dated} or (${tables.versions.dateKnown} and ${isPublished(tables, now)}))`

const NOW = sql.placeholder('now')

/** Everyone: published content of public teams. */
export function publicRule(tables: Tables): VisibilityRule {
  const [published, due] = publishedParts(tables, NOW)
  return {
    changelog: and(
      eq(tables.teams.visibility, 'public'),
      eq(tables.products.status, 'published'),
      eq(tables.changelogs.status, 'published'),
    ),
    version: isPublished(tables, NOW),
    versionParts: [
      { condition: published, before: AFTER },
      { condition: due, before: DUE },
    ],
    status: sql`'published'`,
  }
}

/** An API-key holder: everything of the key's team, or of the products attached to the key. */
export const keyedRule = (tables: Tables): VisibilityRule => ({
  changelog: ofKey(tables),
  version: undefined,
  versionParts: [{ condition: undefined, before: AFTER }],
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

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
  /** The status of such a version. */
  status: SQL<VersionStatus>
}

/**
 * Whether a version is published at a moment: a scheduled one is, once its own has come. That it is no draft stands by
 * itself, as the index `version_public` has it.
 */
export const isPublished = ({ versions }: Tables, now: Placeholder | Instant): SQL =>
  sql`(${versions.status} <> 'draft' and (${versions.status} = 'published' or ${versions.publishedAt} <= ${now}))`

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
export const publicRule = (tables: Tables): VisibilityRule => ({
  changelog: and(
    eq(tables.teams.visibility, 'public'),
    eq(tables.products.status, 'published'),
    eq(tables.changelogs.status, 'published'),
  ),
  version: isPublished(tables, NOW),
  status: sql`'published'`,
})

/** An API-key holder: everything of the key's team, or of the products attached to the key. */
export const keyedRule = (tables: Tables): VisibilityRule => ({
  changelog: ofKey(tables),
  version: undefined,
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

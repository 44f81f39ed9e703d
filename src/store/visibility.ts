import { and, type Column, eq, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Instant, STORED_VERSION_STATUSES, type VersionStatus } from '../domain/records.ts'
import type { Tables } from './tables/schema.ts'

/**
 * The visibility rules, in one place. The WHERE of each read contains one of them, so that hidden content is never
 * found, instead of found and then checked.
 */
export interface VisibilityRule {
  /** The condition of statements that join team, product and changelog. */
  changelog: SQL | undefined
  /** The condition of statements that read versions. */
  version: SQL | undefined
  /** True if no list of this rule has a draft, so that indexes without them serve it. */
  hidesDrafts: boolean
  /** The rule in parts, for lists: each reads one index in the order of the list. */
  versionParts: readonly VersionPart[]
  /** The rule in parts of one status each, for lists by number. */
  statusParts: readonly VersionPart[]
  status: SQL<VersionStatus>
}

export interface VersionPart {
  condition(columns: PublicationColumns): SQL | undefined
  /** The names of the position where a list begins. Versions that are not due are never before that of `due`. */
  before: { at: 'afterAt' | 'dueAt'; id: 'afterId' | 'dueId' }
}

/** The columns that decide publication, of versions or of a table with some of their columns. */
interface PublicationColumns {
  status: Column
  /** The status as the index of a list has it. */
  statusKey?: Column | SQL
  publishedAt: Column | SQL
}

const AFTER = { at: 'afterAt', id: 'afterId' } as const
const DUE = { at: 'dueAt', id: 'dueId' } as const

/** A scheduled version is published from its own time on. */
export const isPublished = ({ versions }: Tables, now: Placeholder | Instant): SQL =>
  sql`(${isOut(versions)} or ${isDue(versions, now)})`

// `<> 'draft'` is the condition of the indexes without drafts.
const isOut = ({ status, statusKey = status }: PublicationColumns): SQL =>
  sql`(${status} <> 'draft' and ${statusKey} = 'published')`

const isDue = (
  { status, statusKey = status, publishedAt }: PublicationColumns,
  now: Placeholder | Instant,
): SQL => sql`(${status} <> 'draft' and ${statusKey} = 'scheduled' and ${publishedAt} <= ${now})`

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

export const PUBLIC_PARTS: readonly VersionPart[] = [
  { condition: isOut, before: AFTER },
  { condition: (columns) => isDue(columns, NOW), before: DUE },
]

/** Everyone: published content of public teams. */
export const publicRule = (tables: Tables): VisibilityRule => ({
  changelog: and(
    eq(tables.teams.visibility, 'public'),
    eq(tables.products.status, 'published'),
    eq(tables.changelogs.status, 'published'),
  ),
  version: isPublished(tables, NOW),
  hidesDrafts: true,
  versionParts: PUBLIC_PARTS,
  statusParts: PUBLIC_PARTS,
  status: sql`'published'`,
})

/** An API-key holder: everything of the key's team, or of the products attached to the key. */
export const keyedRule = (tables: Tables): VisibilityRule => ({
  changelog: ofKey(tables),
  version: undefined,
  hidesDrafts: false,
  versionParts: [{ condition: () => undefined, before: AFTER }],
  statusParts: STORED_VERSION_STATUSES.map((stored) => ({
    condition: ({ status, statusKey = status }) => sql`${statusKey} = ${stored}`,
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

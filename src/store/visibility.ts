import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Tables } from './schema.ts'

/**
 * Who may see what: the only place that says it. The WHERE of each read contains one of these rules, so that hidden
 * content is never found, rather than found and then checked.
 */
export interface Rule {
  /** For statements that join team, product and changelog. */
  changelog: SQL | undefined
  /** For statements that read versions of such a changelog. */
  version: SQL | undefined
}

/** Everyone: published content of public teams. */
export const publicRule = ({ teams, products, changelogs, versions }: Tables): Rule => ({
  changelog: and(
    eq(teams.visibility, 'public'),
    eq(products.status, 'published'),
    eq(changelogs.status, 'published'),
  ),
  version: eq(versions.status, 'published'),
})

/** An API-key holder: everything of the key's team, or of the products attached to the key. */
export const keyedRule = ({ teams, products, keyProducts }: Tables): Rule => ({
  changelog: and(
    eq(teams.id, sql.placeholder('teamId')),
    or(
      eq(sql.placeholder('kind'), sql`'FULL'`),
      sql`exists (select 1 from ${keyProducts} where ${and(
        eq(keyProducts.keyId, sql.placeholder('keyId')),
        eq(keyProducts.productId, products.id),
      )})`,
    ),
  ),
  version: undefined,
})

import { and, eq, ne, or, sql } from 'drizzle-orm'
import { ok, type Result, wrong } from '../../domain/finding.ts'
import { pick } from '../../domain/objects.ts'
import { isStable } from '../tables/schema.ts'
import { publicRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'

/** Count the differences between the lists that triggers keep and their rule: missing and surplus rows of each. */
export function listingCounts({ builder, tables }: Dialect): { sql: string; params: unknown[] }[] {
  const { teams, products, changelogs, publicProducts, versions, publicVersions } = tables
  const { changelog: isPublic } = publicRule(tables)
  const { productId, productSlug, teamSlug } = publicProducts
  const productsByRule = () =>
    builder
      .select({ id: products.id, slug: products.slug, team: teams.slug })
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(isPublic)
  const listedProducts = () =>
    builder.select({ id: productId, slug: productSlug, team: teamSlug }).from(publicProducts)
  const versionsByRule = () =>
    builder
      .select({
        id: versions.id,
        team: products.teamId,
        ...pick(versions, 'status', 'publishedAt'),
        prerelease: sql<boolean>`not (${sql.raw(isStable('version.'))})`.as('prerelease'),
      })
      .from(versions)
      .innerJoin(changelogs, eq(changelogs.id, versions.changelogId))
      .innerJoin(products, eq(products.id, changelogs.productId))
      .innerJoin(teams, eq(teams.id, products.teamId))
      .where(and(isPublic, ne(versions.status, 'draft'), or(versions.dated, versions.dateKnown)))
  const { versionId, teamId, status, publishedAt, prerelease } = publicVersions
  const listedVersions = () =>
    builder.select({ id: versionId, team: teamId, status, publishedAt, prerelease }).from(publicVersions)
  const differences = [
    productsByRule().except(listedProducts()),
    listedProducts().except(productsByRule()),
    versionsByRule().except(listedVersions()),
    listedVersions().except(versionsByRule()),
  ]
  const count = { count: sql`count(*)` }
  return differences.map((rows) => builder.select(count).from(rows.as('differing')).toSQL())
}

export function listingResult(counts: readonly number[]): Result {
  const rows = counts.reduce((sum, count) => sum + count, 0)
  if (rows === 0) return ok('has every public product and version')
  return wrong(`${rows} rows are missing or extra`, 'To rebuild it: changelogd migrate --repair')
}

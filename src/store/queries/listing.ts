import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { ok, type Result, wrong } from '../../domain/finding.ts'
import { isStable } from '../tables/schema.ts'
import { publicRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'

/** Count the differences between the lists that triggers keep and their rule: missing and surplus rows of each. */
export function listingCounts({ builder, tables }: Dialect): { sql: string; params: unknown[] }[] {
  const { teams, products, changelogs, publicProducts, versions, publicVersions } = tables
  const { changelog: isPublic } = publicRule(tables)
  const isNamed = and(
    eq(publicProducts.productId, products.id),
    eq(publicProducts.productSlug, products.slug),
    eq(publicProducts.teamSlug, teams.slug),
  )
  const count = { count: sql`count(*)` }
  const unlisted = builder
    .select(count)
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .innerJoin(changelogs, eq(changelogs.productId, products.id))
    .leftJoin(publicProducts, isNamed)
    .where(and(isPublic, isNull(publicProducts.productId)))
  const surplus = builder
    .select(count)
    .from(publicProducts)
    .leftJoin(products, eq(products.id, publicProducts.productId))
    .leftJoin(teams, eq(teams.id, products.teamId))
    .leftJoin(changelogs, eq(changelogs.productId, products.id))
    .where(sql`(${and(isNamed, isPublic)}) is not true`)
  const isShown = and(
    eq(publicVersions.versionId, versions.id),
    eq(publicVersions.teamId, products.teamId),
    eq(publicVersions.status, versions.status),
    eq(publicVersions.publishedAt, versions.publishedAt),
    sql`${publicVersions.prerelease} <> (${sql.raw(isStable('version.'))})`,
  )
  const isPublicVersion = and(isPublic, ne(versions.status, 'draft'))
  const unshown = builder
    .select(count)
    .from(versions)
    .innerJoin(changelogs, eq(changelogs.id, versions.changelogId))
    .innerJoin(products, eq(products.id, changelogs.productId))
    .innerJoin(teams, eq(teams.id, products.teamId))
    .leftJoin(publicVersions, isShown)
    .where(and(isPublicVersion, isNull(publicVersions.versionId)))
  const surplusVersions = builder
    .select(count)
    .from(publicVersions)
    .leftJoin(versions, eq(versions.id, publicVersions.versionId))
    .leftJoin(changelogs, eq(changelogs.id, versions.changelogId))
    .leftJoin(products, eq(products.id, changelogs.productId))
    .leftJoin(teams, eq(teams.id, products.teamId))
    .where(sql`(${and(isShown, isPublicVersion)}) is not true`)
  return [unlisted.toSQL(), surplus.toSQL(), unshown.toSQL(), surplusVersions.toSQL()]
}

export function listingResult(counts: readonly number[]): Result {
  const rows = counts.reduce((sum, count) => sum + count, 0)
  if (rows === 0) return ok('has every public product and version')
  return wrong(`${rows} rows are missing or surplus`, 'To write it again: changelogd migrate --repair')
}

import {
  and,
  asc,
  type Column,
  desc,
  eq,
  gt,
  isNull,
  lte,
  not,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { typedAs } from '../tables/columns.ts'
import { isStable } from '../tables/schema.ts'
import { isDateKnown, type VersionPart, type VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import {
  boundColumns,
  comparePosition,
  datedColumns,
  eachPart,
  infoColumns,
  type List,
  positionColumns,
  statement,
  summaryColumns,
} from './statement.ts'

/** Within a changelog that `info` found. `only` is a further condition. */
export function pageStatementsFor(dialect: Dialect, rule: VisibilityRule, list: List, only?: SQL) {
  const { builder: db, tables, limit, skip } = dialect
  const { versions } = tables
  const inChangelog = and(eq(versions.changelogId, sql.placeholder('changelogId')), only)
  const newestFirst = [desc(versions.publishedAt), desc(versions.id)]
  const oldestFirst = [asc(versions.publishedAt), asc(versions.id)]
  const after =
    <Columns extends SelectedFields>(columns: Columns) =>
    ({ condition, before }: VersionPart) =>
      db
        .select({ ...positionColumns(tables), ...columns })
        .from(versions)
        .where(and(inChangelog, comparePosition(tables, '<', before), condition))
  const newest = { order: newestFirst, limit }
  const counted = eachPart(dialect, rule, newest, after(pick(versions, 'kinds', 'changeCount'))).as('counted')

  return {
    /** Versions newer than a position, nearest first. */
    newer: list(
      eachPart(dialect, rule, { order: oldestFirst, limit }, ({ condition }) =>
        db
          .select(summaryColumns(tables, rule))
          .from(versions)
          .where(and(inChangelog, condition, comparePosition(tables, '>', { at: 'thanAt', id: 'thanId' }))),
      ),
    ),

    /** The number of versions after a position, at most `limit`. */
    count: list(
      db
        .select({ count: sql`count(*)`.mapWith(Number) })
        .from(eachPart(dialect, rule, newest, after({})).as('counted')),
    ),

    /** The positions after `skip` others. */
    positions: list(eachPart(dialect, rule, { ...newest, skip }, after({}))),

    /** How many of the versions after a position, at most `limit`, have the same counts of kinds, and how many changes. */
    kinds: list(
      db
        .select({
          kinds: counted.kinds,
          versions: sql`count(*)`.mapWith(Number),
          changes: sql`sum(${counted.changeCount})`.mapWith(Number),
        })
        .from(counted)
        .groupBy(counted.kinds),
    ),
  }
}

/** Changelogs by slug, and the newest version of each that is not yanked. The rows of a page are limited first, so that no planner begins with another table. */
export function directoryStatements(dialect: Dialect, rule: VisibilityRule, keyed: VisibilityRule) {
  const { builder: db, tables, limit, withoutDrafts, amongThese, isLookedUp, checkedLast } = dialect
  const withoutYanked = amongThese('version_current')
  const { teams, products, changelogs, publicProducts, versions } = tables
  const newestOne = {
    order: [desc(versions.publishedAt), desc(versions.id)],
    limit: typedAs<Placeholder>(sql`1`),
  }
  const newestIn = <Columns extends SelectedFields>(columns: Columns, of: Column | Placeholder, only?: SQL) =>
    eachPart(dialect, rule, newestOne, ({ condition }) =>
      db
        .select(columns)
        .from(versions)
        .where(and(eq(versions.changelogId, of), condition, only)),
    )
  const newest = <Value>(value: Column | SQL, only?: SQL) => {
    const columns = { ...positionColumns(tables), value: sql`${value}`.as('value') }
    const each = newestIn(columns, changelogs.id, only)
    return sql<Value | null>`(select ${sql.identifier('value')} from ${each.as('newest')})`
  }
  const isCurrent = isNull(versions.yanked)
  const page = db
    .select()
    .from(publicProducts)
    .where(
      and(
        sql`(${publicProducts.teamSlug}, ${publicProducts.productSlug}) > (${sql.placeholder('team')}, ${sql.placeholder('product')})`,
        lte(publicProducts.teamSlug, sql.placeholder('lastTeam')),
      ),
    )
    .orderBy(asc(publicProducts.teamSlug), asc(publicProducts.productSlug))
    .limit(limit)
    .as('page')
  const pageOfKey = db
    .select({ productId: products.id, slug: products.slug })
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .where(
      and(
        eq(products.teamId, sql.placeholder('teamId')),
        gt(products.slug, sql.placeholder('product')),
        keyed.changelog,
      ),
    )
    .orderBy(asc(products.slug))
    .limit(limit)
    .as('page')

  const onPage = <Columns extends SelectedFields>(
    columns: Columns,
    shown: typeof page | typeof pageOfKey = page,
    bySlug = [asc(page.teamSlug), asc(page.productSlug)],
  ) =>
    db
      .select({ ...infoColumns(tables), ...columns })
      .from(shown)
      .innerJoin(products, isLookedUp(products.id, shown.productId))
      .innerJoin(teams, isLookedUp(teams.id, products.teamId))
      .innerJoin(changelogs, isLookedUp(changelogs.productId, products.id))
      .orderBy(...bySlug)

  /** The newest versions whose date is not known. */
  const undated = (only?: SQL) =>
    onPage({ ...datedColumns(tables, rule), kinds: versions.kinds })
      .innerJoin(versions, isLookedUp(versions.id, newest(versions.id, only)))
      .where(checkedLast(and(rule.changelog, rule.version, not(isDateKnown(tables, sql.placeholder('now'))))))

  const withNewest = {
    newest: {
      label: newest<string>(versions.label, isCurrent),
      // Null also if it is unknown.
      publishedAt: newest<number>(
        sql`case when ${versions.dateKnown} then ${versions.publishedAt} end`,
        isCurrent,
      ).mapWith<(value: unknown) => number | null>(Number),
    },
  }

  return {
    /** Of one changelog: the newest version that is not yanked. */
    latest: statement(
      newestIn(boundColumns(tables), sql.placeholder('changelogId'), isCurrent),
      withoutYanked,
    ),
    directory: statement(onPage(withNewest).where(checkedLast(rule.changelog)), withoutYanked),
    productsOfKey: statement(onPage(withNewest, pageOfKey, [asc(pageOfKey.slug)]), withoutYanked),
    undated: statement(undated(), withoutDrafts),
    undatedStable: statement(undated(sql.raw(`(${isStable()})`)), amongThese('version_stable')),
  }
}

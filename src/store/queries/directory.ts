import { and, asc, type Column, eq, gt, lte, not, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import type { FilterName, VersionFilter } from '../../domain/versions/properties.ts'
import { FILTERED } from '../tables/schema.ts'
import { isDateKnown, keyedRule, publicRule } from '../visibility.ts'
import { eachFilter, filteredBy, newestIn, onlyBy } from './lists.ts'
import { latestId } from './order.ts'
import { all, credentials, type Read, type ReadContext } from './read.ts'
import { columnsFor, type Dialect, statement, type VersionIndex } from './statement.ts'
import type { DirectoryEntry, DirectoryRange, Grant, TimelineEntry } from './types.ts'

export function* readDirectory(
  { statements, now }: ReadContext<Statements>,
  range: DirectoryRange,
  limit: number,
): Read<DirectoryEntry[]> {
  return yield* all(statements.directory, { now, ...range, limit })
}

/** The newest undated versions of the first public changelogs of a range. */
export function* readUndated(
  { statements, now }: ReadContext<Statements>,
  range: DirectoryRange,
  limit: number,
  filter: VersionFilter = {},
): Read<TimelineEntry[]> {
  return yield* all(filteredBy(statements.undated, filter).list, { now, ...range, limit })
}

/** The first changelogs that a key may read after a product. */
export function* readProductsOfKey(
  { statements, now }: ReadContext<Statements>,
  grant: Grant,
  product: string,
  limit: number,
): Read<DirectoryEntry[]> {
  const { productsOfKey, productsOfSelect } = statements
  const own = grant.kind === 'SELECT' ? productsOfSelect : productsOfKey
  return yield* all(own, { now, ...credentials(grant), product, limit })
}

type Statements = ReturnType<typeof directoryStatements>

/** Changelogs by slug, and the newest release of each. The rows of a page are limited first, so that no planner begins with another table. */
export function directoryStatements(dialect: Dialect) {
  const { builder, tables, limit, isLookedUp, checkedLast } = dialect
  const { teams, products, changelogs, keyProducts, publicProducts, versions } = tables
  const rule = publicRule(tables)
  const { info, position, dated } = columnsFor(tables, rule)
  /** A value of the newest version in an index. */
  const newest = <Value>(index: VersionIndex, value: Column | SQL, only?: SQL) => {
    const columns = { ...position, value: sql`${value}`.as('value') }
    const each = newestIn(dialect, index, columns, only, changelogs.id)
    return sql<Value | null>`(select ${sql.identifier('value')} from ${each.as('newest')})`
  }
  const page = builder
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
  const ofKey = { productId: products.id, slug: products.slug }
  const isNext = and(gt(products.slug, sql.placeholder('product')), keyedRule(tables).changelog)
  const pageOfKey = builder
    .select(ofKey)
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .where(and(eq(products.teamId, sql.placeholder('teamId')), isNext))
    .orderBy(asc(products.slug))
    .limit(limit)
    .as('page')
  // Of the attached ones: those that the key may not read are no work.
  const pageOfSelect = builder
    .select(ofKey)
    .from(keyProducts)
    .innerJoin(products, isLookedUp(products.id, keyProducts.productId))
    .innerJoin(teams, isLookedUp(teams.id, products.teamId))
    .where(and(eq(keyProducts.keyId, sql.placeholder('keyId')), isNext))
    .orderBy(asc(products.slug))
    .limit(limit)
    .as('page')

  const onPage = <Columns extends SelectedFields>(
    columns: Columns,
    shown: typeof page | typeof pageOfKey = page,
    bySlug = [asc(page.teamSlug), asc(page.productSlug)],
  ) =>
    builder
      .select({ ...info, ...columns })
      .from(shown)
      .innerJoin(products, isLookedUp(products.id, shown.productId))
      .innerJoin(teams, isLookedUp(teams.id, products.teamId))
      .innerJoin(changelogs, isLookedUp(changelogs.productId, products.id))
      .orderBy(...bySlug)

  const undated = (names: readonly FilterName[], [first] = names) =>
    onPage({ ...dated, kinds: versions.kinds })
      .innerJoin(
        versions,
        isLookedUp(
          versions.id,
          newest(first ? FILTERED[first].index : 'version_public', versions.id, onlyBy(names)),
        ),
      )
      .where(checkedLast(and(rule.changelog, rule.version, not(isDateKnown(tables, sql.placeholder('now'))))))

  /** With the label and the date of the version that `latest` means. The date is null also if it is unknown. */
  const withNewest = (...from: Parameters<typeof onPage> extends [unknown, ...infer Rest] ? Rest : never) =>
    onPage(
      {
        newest: {
          label: sql<string | null>`${versions.label}`,
          publishedAt: sql`case when ${versions.dateKnown} then ${versions.publishedAt} end`.mapWith<
            (value: unknown) => number | null
          >(Number),
        },
      },
      ...from,
    ).leftJoin(versions, isLookedUp(versions.id, latestId(dialect, changelogs.id)))

  return {
    directory: statement(withNewest().where(checkedLast(rule.changelog))),
    productsOfKey: statement(withNewest(pageOfKey, [asc(pageOfKey.slug)])),
    productsOfSelect: statement(withNewest(pageOfSelect, [asc(pageOfSelect.slug)])),
    undated: eachFilter((names) => ({ list: statement(undated(names)) })),
  }
}

import { and, asc, type Column, count, eq, not, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import { differing } from '../../domain/importing/merge.ts'
import type { Product } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  changelogNameAfter,
  changelogNameOf,
  checkChangelogUpdate,
  checkName,
  checkPreamble,
  checkProductUpdate,
  checkSlug,
  checkUnlocked,
} from '../../domain/rules.ts'
import type { Tables } from '../tables/schema.ts'
import { isPublished, isScheduled } from '../visibility.ts'
import { type Engine, given, inserter, prepared } from './insert.ts'
import type { ProductRecords, ProductSummary } from './types.ts'

/** For statements that join team, product and changelog. */
export const productColumns = ({ products, teams, changelogs }: Tables) => ({
  id: products.id,
  slug: products.slug,
  name: products.name,
  status: products.status,
  createdAt: products.createdAt,
  team: {
    id: teams.id,
    slug: teams.slug,
    name: teams.name,
    visibility: teams.visibility,
    plan: teams.plan,
    createdAt: teams.createdAt,
  },
  changelog: {
    id: changelogs.id,
    name: changelogs.name,
    status: changelogs.status,
    preamble: changelogs.preamble,
  },
})

export function productRecords(engine: Engine): ProductRecords {
  const insert = inserter(engine, engine.tables.products)
  const insertChangelog = inserter(engine, engine.tables.changelogs)
  const statements = productStatements(engine)

  const find = async (team: string, product: string): Promise<Product | null> =>
    (await statements.bySlugs().execute({ team, product }))[0] ?? null

  const checkFree = async (team: string, slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(team, slug))
      throw new Refusal(`There is a product ${team}/${slug} already.`, {
        kind: 'exists',
        hint: `To see it: changelogd product show ${team}/${slug}`,
      })
  }

  return {
    find,

    list: async (team) => (team ? statements.ofTeam().execute({ of: team.id }) : statements.all().execute()),

    summary: async (product) => (await statements.byId().execute({ of: product.id }))[0] as ProductSummary,

    create: async (team, { slug, name, status }, now) => {
      await checkFree(team.slug, slug)
      checkName(name)
      const product = { id: newId('prod'), slug, name, status, createdAt: now }
      const changelog = {
        id: newId('clog'),
        name: changelogNameOf(name),
        status,
        preamble: null,
      }
      await insert({ ...product, teamId: team.id })
      await insertChangelog({ ...changelog, productId: product.id })
      return { ...product, team, changelog }
    },

    update: async (product, wanted, options) => {
      const update = differing<Pick<Product, 'slug' | 'name' | 'status'>>(product, wanted)
      checkProductUpdate(product, update)
      if (update.slug !== undefined) await checkFree(product.team.slug, update.slug)
      if (update.name !== undefined) checkName(update.name)
      const { slug, name, status } = { ...product, ...update }
      await statements.update().execute({ id: product.id, slug, name, status })
      const changelog = { ...product.changelog, name: changelogNameAfter(product, name) }
      if (options?.keepsChangelogName || changelog.name === product.changelog.name)
        return { ...product, slug, name, status }
      await statements.updateChangelog().execute(changelog)
      return { ...product, slug, name, status, changelog }
    },

    updateChangelog: async (product, wanted) => {
      const update = differing(product.changelog, wanted)
      checkChangelogUpdate(product, update)
      if (update.name !== undefined) checkName(update.name)
      if (update.preamble !== undefined) checkPreamble(update.preamble)
      const changelog = { ...product.changelog, ...update }
      await statements.updateChangelog().execute(changelog)
      return { ...product, changelog }
    },

    holdings: async (product) => {
      const [held] = await statements.contents().execute({ changelogId: product.changelog.id })
      return { products: 0, versions: 0, changes: 0, keys: 0, ...held }
    },

    delete: async (product) => {
      checkUnlocked(product)
      await statements.delete().execute({ id: product.id })
    },
  }
}

function productStatements(engine: Engine) {
  const { db, tables } = engine
  const { products, teams, changelogs, versions, changes } = tables
  return {
    contents: prepared(() =>
      db
        .select({ versions: count(sql`distinct ${versions.id}`), changes: count(changes.id) })
        .from(versions)
        .leftJoin(changes, eq(changes.versionId, versions.id))
        .where(eq(versions.changelogId, sql.placeholder('changelogId')))
        .prepare(),
    ),
    bySlugs: prepared(() =>
      db
        .select(productColumns(tables))
        .from(products)
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(and(eq(teams.slug, sql.placeholder('team')), eq(products.slug, sql.placeholder('product'))))
        .prepare(),
    ),
    update: prepared(() =>
      db
        .update(products)
        .set({ slug: given('slug'), name: given('name'), status: given('status') })
        .where(eq(products.id, sql.placeholder('id')))
        .prepare(),
    ),
    updateChangelog: prepared(() =>
      db
        .update(changelogs)
        .set({ name: given('name'), status: given('status'), preamble: given('preamble') })
        .where(eq(changelogs.id, sql.placeholder('id')))
        .prepare(),
    ),
    delete: prepared(() =>
      db
        .delete(products)
        .where(eq(products.id, sql.placeholder('id')))
        .prepare(),
    ),
    all: prepared(() => prepareSummaries(engine, undefined)),
    ofTeam: prepared(() => prepareSummaries(engine, eq(products.teamId, sql.placeholder('of')))),
    byId: prepared(() => prepareSummaries(engine, eq(products.id, sql.placeholder('of')))),
  }
}

/** The products that `where` names, or all, with what a list tells about them. */
function prepareSummaries({ db, tables, now }: Engine, where: SQL | undefined) {
  const { products, teams, changelogs, versions } = tables
  const published = isPublished(tables, now)
  const versionsThat = (rule: SQL) =>
    sql`${versions} where ${eq(versions.changelogId, changelogs.id)} and ${rule}`
  const versionCount = (rule: SQL) => sql`(select count(*) from ${versionsThat(rule)})`.mapWith(Number)
  const newestLabel = (rule: SQL) =>
    sql<string | null>`(select ${versions.label} from ${versionsThat(rule)}
      order by ${versions.publishedAt} desc, ${versions.id} desc limit 1)`
  const next = (column: Column) =>
    sql`(select ${column} from ${versionsThat(isScheduled(tables, now))}
      order by ${versions.publishedAt}, ${versions.id} limit 1)`
  return db
    .select({
      ...productColumns(tables),
      publishedCount: versionCount(published),
      draftCount: versionCount(not(published)),
      newestPublished: newestLabel(published),
      newestDraft: newestLabel(not(published)),
      nextScheduled: {
        label: next(versions.label).mapWith(versions.label),
        publishedAt: next(versions.publishedAt).mapWith(versions.publishedAt),
      },
    })
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .innerJoin(changelogs, eq(changelogs.productId, products.id))
    .where(where)
    .orderBy(asc(teams.slug), asc(products.slug))
    .prepare()
}

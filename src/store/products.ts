import { and, asc, count, eq, sql } from 'drizzle-orm'
import { newId } from '../domain/id.ts'
import type { Product } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  checkChangelogUpdate,
  checkName,
  checkProductUnlocked,
  checkProductUpdate,
  checkSlug,
} from '../domain/rules.ts'
import type { ProductRecords } from './port.ts'
import { changelogs, changes, type Drizzle, products, teams, versions } from './schema.ts'

/** For statements that join team, product and changelog. */
export const productColumns = {
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
  changelog: { id: changelogs.id, name: changelogs.name, status: changelogs.status },
}

export function productRecords(db: Drizzle): ProductRecords {
  const find = async (team: string, product: string): Promise<Product | null> => {
    const rows = await db
      .select(productColumns)
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(and(eq(teams.slug, team), eq(products.slug, product)))
    return rows[0] ?? null
  }

  const checkFree = async (team: string, slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(team, slug))
      throw new Refusal(
        'conflict',
        `There is a product ${team}/${slug} already: changelogd product show ${team}/${slug}`,
      )
  }

  return {
    find,

    list: (team) =>
      db
        .select({
          ...productColumns,
          publishedCount: versionCount('published'),
          draftCount: versionCount('draft'),
        })
        .from(products)
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(team && eq(products.teamId, team.id))
        .orderBy(asc(teams.slug), asc(products.slug)),

    create: async (team, { slug, name, status }, now) => {
      await checkFree(team.slug, slug)
      checkName(name)
      const product = { id: newId('prod'), slug, name, status, createdAt: now }
      const changelog = { id: newId('clog'), name: `${name} changelog`.slice(0, 200), status }
      await db.insert(products).values({ ...product, teamId: team.id })
      await db.insert(changelogs).values({ ...changelog, productId: product.id })
      return { ...product, team, changelog }
    },

    update: async (product, update) => {
      checkProductUpdate(product, update)
      if (update.slug !== undefined && update.slug !== product.slug)
        await checkFree(product.team.slug, update.slug)
      if (update.name !== undefined) checkName(update.name)
      const { slug, name, status } = { ...product, ...update }
      await db.update(products).set({ slug, name, status }).where(eq(products.id, product.id))
      return { ...product, slug, name, status }
    },

    updateChangelog: async (product, update) => {
      checkChangelogUpdate(product, update)
      if (update.name !== undefined) checkName(update.name)
      const changelog = { ...product.changelog, ...update }
      await db.update(changelogs).set(changelog).where(eq(changelogs.id, changelog.id))
      return { ...product, changelog }
    },

    holdings: async (product) => {
      const [held] = await db
        .select({ versions: count(sql`distinct ${versions.id}`), changes: count(changes.id) })
        .from(versions)
        .leftJoin(changes, eq(changes.versionId, versions.id))
        .where(eq(versions.changelogId, product.changelog.id))
      return { products: 0, versions: 0, changes: 0, keys: 0, ...held }
    },

    delete: async (product) => {
      checkProductUnlocked(product)
      await db.delete(products).where(eq(products.id, product.id))
    },
  }
}

const versionCount = (status: 'published' | 'draft') =>
  sql<number>`(select count(*) from ${versions} where ${and(eq(versions.changelogId, changelogs.id), eq(versions.status, status))})`

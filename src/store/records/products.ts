import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import { differing } from '../../domain/merge.ts'
import { LIMITS, type Product, type VersionStatus } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  checkChangelogUpdate,
  checkName,
  checkProductUpdate,
  checkSlug,
  checkUnlocked,
} from '../../domain/rules.ts'
import { changelogs, changes, type Drizzle, products, teams, versions } from '../schema.ts'
import type { ProductRecords, ProductSummary } from './port.ts'

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
  changelog: {
    id: changelogs.id,
    name: changelogs.name,
    status: changelogs.status,
    preamble: changelogs.preamble,
  },
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

  const summaries = async (where: SQL | undefined): Promise<ProductSummary[]> =>
    db
      .select({
        ...productColumns,
        publishedCount: versionCount('published'),
        draftCount: versionCount('draft'),
        newestPublished: newestLabel('published'),
        newestDraft: newestLabel('draft'),
      })
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(where)
      .orderBy(asc(teams.slug), asc(products.slug))

  const checkFree = async (team: string, slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(team, slug))
      throw new Refusal(`There is a product ${team}/${slug} already.`, {
        hint: `To see it: changelogd product show ${team}/${slug}`,
      })
  }

  return {
    find,

    list: (team) => summaries(team && eq(products.teamId, team.id)),

    summary: async (product) => (await summaries(eq(products.id, product.id)))[0] as ProductSummary,

    create: async (team, { slug, name, status }, now) => {
      await checkFree(team.slug, slug)
      checkName(name)
      const product = { id: newId('prod'), slug, name, status, createdAt: now }
      const changelog = {
        id: newId('clog'),
        name: `${name} changelog`.slice(0, LIMITS.name),
        status,
        preamble: null,
      }
      await db.insert(products).values({ ...product, teamId: team.id })
      await db.insert(changelogs).values({ ...changelog, productId: product.id })
      return { ...product, team, changelog }
    },

    update: async (product, wanted) => {
      const update = differing<Pick<Product, 'slug' | 'name' | 'status'>>(product, wanted)
      checkProductUpdate(product, update)
      if (update.slug !== undefined) await checkFree(product.team.slug, update.slug)
      if (update.name !== undefined) checkName(update.name)
      const { slug, name, status } = { ...product, ...update }
      await db.update(products).set({ slug, name, status }).where(eq(products.id, product.id))
      return { ...product, slug, name, status }
    },

    updateChangelog: async (product, wanted) => {
      const update = differing(product.changelog, wanted)
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
      checkUnlocked(product)
      await db.delete(products).where(eq(products.id, product.id))
    },
  }
}

const versionsThat = (status: VersionStatus) =>
  and(eq(versions.changelogId, changelogs.id), eq(versions.status, status))

const versionCount = (status: VersionStatus) =>
  sql<number>`(select count(*) from ${versions} where ${versionsThat(status)})`

const newestLabel = (status: VersionStatus) =>
  sql<string | null>`(select ${versions.label} from ${versions} where ${versionsThat(status)}
    order by ${versions.publishedAt} desc, ${versions.id} desc limit 1)`

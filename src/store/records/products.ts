import { and, asc, type Column, count, eq, getTableColumns, not, type SQL, sql } from 'drizzle-orm'
import { alias, type SelectedFields } from 'drizzle-orm/sqlite-core'
import { checkRepository } from '../../domain/addresses/repository.ts'
import { newId } from '../../domain/id.ts'
import { differing } from '../../domain/importing/merge.ts'
import { pick } from '../../domain/objects.ts'
import type { Changelog, Instant, Product, Team } from '../../domain/records.ts'
import { taken } from '../../domain/refusal.ts'
import {
  changelogNameAfter,
  changelogNameOf,
  checkChangelogUpdate,
  checkName,
  checkPreamble,
  checkProductUpdate,
  checkSlug,
  checkSubscribeUrl,
  checkUnlocked,
} from '../../domain/rules.ts'
import { isHigher, NEWEST } from '../tables/schema.ts'
import { isPublished, isScheduled } from '../visibility.ts'
import { type Engine, freeId } from './engine.ts'
import { formerAddressRecords } from './former-addresses.ts'
import type { Holdings, ProductSummary } from './types.ts'

const FIELDS = ['slug', 'name', 'status', 'repository', 'language', 'subscribeUrl'] as const
type ProductFields = Pick<Product, (typeof FIELDS)[number]>

export function selectProducts<More extends SelectedFields>({ db, tables }: Engine, more: More) {
  const { products, teams, changelogs } = tables
  const { teamId: _, ...product } = getTableColumns(products)
  // Not the revision: whoever writes the record again would set it back.
  const { productId: __, revision: ___, ...changelog } = getTableColumns(changelogs)
  return db
    .select({ ...product, team: getTableColumns(teams), changelog, ...more })
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .innerJoin(changelogs, eq(changelogs.productId, products.id))
}

export type FindProduct = (team: string, product: string) => Promise<Product | null>

/** Absent fields are null. */
type ProductDraft = Pick<Product, 'slug' | 'name' | 'status'> & {
  [Field in 'repository' | 'language' | 'subscribeUrl']?: Product[Field] | undefined
}

export function productRecords(engine: Engine) {
  const { db, tables } = engine
  const { teams, products, changelogs } = tables
  const { take, keep } = formerAddressRecords(engine)
  const isNamed = and(eq(teams.slug, sql.placeholder('team')), eq(products.slug, sql.placeholder('product')))
  const named = selectProducts(engine, {}).where(isNamed).prepare()
  const find: FindProduct = async (team, product) => (await named.execute({ team, product }))[0] ?? null

  const writeChangelog = async ({ id, ...changelog }: Changelog): Promise<void> =>
    db.update(changelogs).set(changelog).where(eq(changelogs.id, id))

  const checkFree = async (team: string, slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(team, slug)) throw taken(`product ${team}/${slug}`, ['product show', `${team}/${slug}`])
  }

  const insert = async (team: Team, { changelog, ...product }: Omit<Product, 'team'>): Promise<Product> => {
    await checkFree(team.slug, product.slug)
    for (const { name } of [product, changelog]) checkName(name)
    checkPreamble(changelog.preamble)
    checkRepository(product.repository)
    checkSubscribeUrl(product)
    await take(team.slug, product.slug)
    await db.insert(products).values({ ...product, teamId: team.id })
    await db.insert(changelogs).values({ ...changelog, productId: product.id })
    return { ...product, team, changelog }
  }

  return {
    find,

    /** Adds the product and its changelog, with their ids unless they are taken. Refuses a slug that is taken. */
    add: async (team: Team, product: Omit<Product, 'team'>): Promise<Product> => {
      const id = await freeId(engine, products, 'prod', product.id)
      const changelogId = await freeId(engine, changelogs, 'clog', product.changelog.id)
      return insert(team, { ...product, id, changelog: { ...product.changelog, id: changelogId } })
    },

    list: (team?: Team): Promise<ProductSummary[]> =>
      selectSummaries(engine, team && eq(products.teamId, team.id)),

    summary: async ({ id }: Product): Promise<ProductSummary> =>
      (await selectSummaries(engine, eq(products.id, id)))[0] as ProductSummary,

    /** Creates the product and its changelog, with the same status. Refuses a slug that is taken. */
    create: (team: Team, draft: ProductDraft, now: Instant): Promise<Product> => {
      const { name, status, repository = null, language = null, subscribeUrl = null } = draft
      const changelog = { id: newId('clog'), name: changelogNameOf(name), status, preamble: null }
      const added = { ...draft, id: newId('prod'), repository, language, subscribeUrl, createdAt: now }
      return insert(team, { ...added, changelog })
    },

    /** A changelog name that was derived from the product's name follows it, unless `keepsChangelogName`. */
    update: async (
      product: Product,
      wanted: Partial<ProductFields>,
      options?: { keepsChangelogName: boolean },
    ): Promise<Product> => {
      const update = differing<ProductFields>(product, wanted)
      checkProductUpdate(product, update)
      if (update.slug !== undefined) await checkFree(product.team.slug, update.slug)
      if (update.name !== undefined) checkName(update.name)
      checkRepository(update.repository)
      checkSubscribeUrl(update)
      if (update.slug !== undefined) {
        await take(product.team.slug, update.slug)
        await keep(product.id, { team: product.team.slug, product: product.slug })
      }
      const fields = pick({ ...product, ...update }, ...FIELDS)
      await db.update(products).set(fields).where(eq(products.id, product.id))
      const changelog = { ...product.changelog, name: changelogNameAfter(product, fields.name) }
      if (options?.keepsChangelogName || changelog.name === product.changelog.name)
        return { ...product, ...fields }
      await writeChangelog(changelog)
      return { ...product, ...fields, changelog }
    },

    updateChangelog: async (product: Product, wanted: Partial<Omit<Changelog, 'id'>>): Promise<Product> => {
      const update = differing(product.changelog, wanted)
      checkChangelogUpdate(product, update)
      if (update.name !== undefined) checkName(update.name)
      if (update.preamble !== undefined) checkPreamble(update.preamble)
      const changelog = { ...product.changelog, ...update }
      await writeChangelog(changelog)
      return { ...product, changelog }
    },

    holdings: async (product: Product): Promise<Holdings> => {
      const [held] = await countContents(engine, eq(products.id, product.id))
      return { versions: 0, changes: 0, ...held, products: 0, keys: 0 }
    },

    /** Deletes the product with its content. Refuses a locked one. */
    delete: async (product: Product): Promise<void> => {
      checkUnlocked(product)
      await db.delete(products).where(eq(products.id, product.id))
    },
  }
}

export const countContents = ({ db, tables }: Engine, where: SQL) => {
  const { products, changelogs, versions, changes } = tables
  return db
    .select({
      products: count(sql`distinct ${products.id}`),
      versions: count(sql`distinct ${versions.id}`),
      changes: count(changes.id),
    })
    .from(products)
    .innerJoin(changelogs, eq(changelogs.productId, products.id))
    .leftJoin(versions, eq(versions.changelogId, changelogs.id))
    .leftJoin(changes, eq(changes.versionId, versions.id))
    .where(where)
}

function selectSummaries(engine: Engine, where: SQL | undefined) {
  const { tables, now } = engine
  const { products, teams, changelogs, versions } = tables
  const published = isPublished(tables, now)
  const versionsThat = (rule: SQL) =>
    sql`${versions} where ${eq(versions.changelogId, changelogs.id)} and ${rule}`
  const versionCount = (rule: SQL) => sql`(select count(*) from ${versionsThat(rule)})`.mapWith(Number)
  const newestOf = (column: Column, rule: SQL) =>
    sql<string | null>`(select ${column} from ${versionsThat(rule)}
      order by ${versions.publishedAt} desc, ${versions.id} desc limit 1)`
  const isOf = (name: keyof typeof NEWEST) => sql`${published} and ${sql.raw(NEWEST[name].where('version.'))}`
  const newest = alias(versions, 'newest')
  const newestId = sql`coalesce(${newestOf(versions.id, isOf('release'))}, ${newestOf(versions.id, isOf('any'))})`
  const highest = sql`(select ${versions.label} from ${versionsThat(sql`${isOf('release')} and ${isHigher(versions, newest)}`)}
      order by ${versions.precedence} desc limit 1)`
  const next = (column: Column) =>
    sql`(select ${column} from ${versionsThat(isScheduled(tables, now))}
      order by ${versions.publishedAt}, ${versions.id} limit 1)`
  return selectProducts(engine, {
    publishedCount: versionCount(published),
    draftCount: versionCount(not(published)),
    scheduledCount: versionCount(isScheduled(tables, now)),
    latest: sql<
      string | null
    >`(select coalesce(${highest}, ${newest.label}) from ${versions} newest where ${newest.id} = ${newestId})`,
    newestDraft: newestOf(versions.label, not(published)),
    nextScheduled: {
      label: next(versions.label).mapWith(versions.label),
      publishedAt: next(versions.publishedAt).mapWith(versions.publishedAt),
    },
  })
    .where(where)
    .orderBy(asc(teams.slug), asc(products.slug))
}

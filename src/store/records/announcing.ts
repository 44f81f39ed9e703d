import { and, desc, eq, gt, inArray, isNull, lt, min, sql } from 'drizzle-orm'
import type { Instant, Product } from '../../domain/records.ts'
import { NO_NEWS } from '../tables/derived.ts'
import { publicRule } from '../visibility.ts'
import type { Engine } from './engine.ts'
import { selectProducts } from './products.ts'
import { prepareChangesOf } from './transfer/contents.ts'
import type { PublicEdition, PublicVersion } from './types.ts'
import { versionColumns } from './versions.ts'

const BATCH = 500

/** Public versions, by the rule that the server reads by. */
export function announcingRecords(engine: Engine) {
  const { db, tables, now: readAt } = engine
  const { teams, products, changelogs, versions, hooks } = tables
  const rule = publicRule(tables)
  const isHooked = sql`exists (select 1 from ${hooks} where ${eq(hooks.teamId, teams.id)})`
  // A program of an older schema leaves it as it was, and empties derived columns.
  const edition = sql`case when ${versions.kinds} is not null then ${versions.edition} end`
  const byIds = (ids: readonly string[]) =>
    selectProducts(engine, { version: versionColumns(engine) })
      .innerJoin(versions, eq(versions.changelogId, changelogs.id))
      .where(and(rule.changelog, rule.version, inArray(versions.id, [...ids])))
      .orderBy(desc(versions.publishedAt), desc(versions.id))
      .prepare()
      .execute({ now: readAt })

  return {
    /** When the clock alone publishes the next version. */
    until: async (now: Instant): Promise<Instant> => {
      const [next] = await db
        .select({ at: min(versions.publishedAt) })
        .from(versions)
        .where(and(eq(versions.status, 'scheduled'), gt(versions.publishedAt, now)))
      return next?.at ?? Number.POSITIVE_INFINITY
    },

    /** The public versions of every team that has hooks. */
    editions: (now: Instant): Promise<PublicEdition[]> =>
      db
        .select({
          id: versions.id,
          label: versions.label,
          prerelease: versions.prerelease,
          edition: edition.mapWith(versions.edition),
          productId: products.id,
          productName: products.name,
          teamId: teams.id,
        })
        .from(versions)
        .innerJoin(changelogs, eq(changelogs.id, versions.changelogId))
        .innerJoin(products, eq(products.id, changelogs.productId))
        .innerJoin(teams, eq(teams.id, products.teamId))
        .where(and(rule.changelog, rule.version, isHooked))
        .prepare()
        .execute({ now }),

    /**
     * Of what this transaction has imported into a product, other texts of known versions are no news, nor are new versions
     * that were released before a time.
     */
    passOver: async ({ changelog }: Product, importedAt: Instant, before: Instant): Promise<void> => {
      const here = eq(versions.changelogId, changelog.id)
      await db
        .update(versions)
        .set({ edition: NO_NEWS })
        .where(
          and(
            here,
            eq(versions.createdAt, importedAt),
            eq(versions.status, 'published'),
            eq(versions.dateKnown, true),
            lt(versions.publishedAt, before),
          ),
        )
      // As after a change of rules, which gives them no other edition: see store/upkeep/derivation.ts.
      await db
        .update(versions)
        .set({ kinds: '', derivedBy: 0 })
        .where(and(here, isNull(versions.kinds)))
    },

    find: async (ids: readonly string[]): Promise<PublicVersion[]> => {
      const changesOf = prepareChangesOf(engine)
      const found: PublicVersion[] = []
      for (let from = 0; from < ids.length; from += BATCH)
        for (const { version, ...product } of await byIds(ids.slice(from, from + BATCH)))
          found.push({ product, version, changes: await changesOf.execute({ versionId: version.id }) })
      return found
    },

    product: async (id: string): Promise<Product | null> =>
      (await selectProducts(engine, {}).where(and(rule.changelog, eq(products.id, id))))[0] ?? null,
  }
}

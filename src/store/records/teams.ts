import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Team } from '../../domain/records.ts'
import { taken } from '../../domain/refusal.ts'
import { checkName, checkSlug, checkUnlocked } from '../../domain/rules.ts'
import type { Engine } from './engine.ts'
import { countContents, selectProducts } from './products.ts'
import type { TeamRecords } from './types.ts'

export function teamRecords(engine: Engine): TeamRecords {
  const { db, tables } = engine
  const { teams, products, keys } = tables

  const find = async (slug: string): Promise<Team | null> =>
    (await db.select().from(teams).where(eq(teams.slug, slug)))[0] ?? null

  const checkFree = async (slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(slug)) throw taken(`team ${slug}`, `team show ${slug}`)
  }

  return {
    find,

    list: () =>
      db
        .select({
          ...getTableColumns(teams),
          productCount:
            sql`(select count(*) from ${products} where ${eq(products.teamId, teams.id)})`.mapWith(Number),
          keyCount: sql`(select count(*) from ${keys} where ${eq(keys.teamId, teams.id)})`.mapWith(Number),
        })
        .from(teams)
        .orderBy(asc(teams.slug)),

    create: async (draft, now) => {
      await checkFree(draft.slug)
      checkName(draft.name)
      const team: Team = { ...draft, id: newId('team'), createdAt: now }
      await db.insert(teams).values(team)
      return team
    },

    update: async (team, update) => {
      if (update.slug !== undefined && update.slug !== team.slug) await checkFree(update.slug)
      if (update.name !== undefined) checkName(update.name)
      const updated = { ...team, ...update }
      await db.update(teams).set(updated).where(eq(teams.id, team.id))
      return updated
    },

    holdings: async ({ id }) => {
      const [held] = await countContents(engine, eq(products.teamId, id))
      const [reading] = await db.select({ keys: count() }).from(keys).where(eq(keys.teamId, id))
      return { products: 0, versions: 0, changes: 0, ...held, keys: reading?.keys ?? 0 }
    },

    delete: async (team) => {
      const owned = await selectProducts(engine, {}).where(eq(products.teamId, team.id))
      for (const product of owned) checkUnlocked(product)
      await db.delete(teams).where(eq(teams.id, team.id))
    },
  }
}

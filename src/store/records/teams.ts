import { asc, count, eq, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Team } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { checkName, checkSlug, checkUnlocked } from '../../domain/rules.ts'
import { changelogs, changes, type Drizzle, keys, products, teams, versions } from '../schema.ts'
import { type Engine, inserter } from './insert.ts'
import type { TeamRecords } from './port.ts'
import { given, prepared } from './prepared.ts'
import { productColumns } from './products.ts'

export function teamRecords(engine: Engine): TeamRecords {
  const { db } = engine
  const insert = inserter(engine, teams)
  const statements = teamStatements(db)

  const find = async (slug: string): Promise<Team | null> =>
    (await statements.bySlug().all({ slug }))[0] ?? null

  const checkFree = async (slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(slug))
      throw new Refusal(`There is a team ${slug} already.`, {
        hint: `To see it: changelogd team show ${slug}`,
      })
  }

  return {
    find,

    list: () =>
      db
        .select({
          id: teams.id,
          slug: teams.slug,
          name: teams.name,
          visibility: teams.visibility,
          plan: teams.plan,
          createdAt: teams.createdAt,
          productCount: sql<number>`(select count(*) from ${products} where ${eq(products.teamId, teams.id)})`,
          keyCount: sql<number>`(select count(*) from ${keys} where ${eq(keys.teamId, teams.id)})`,
        })
        .from(teams)
        .orderBy(asc(teams.slug)),

    create: async (draft, now) => {
      await checkFree(draft.slug)
      checkName(draft.name)
      const team: Team = { ...draft, id: newId('team'), createdAt: now }
      await insert(team)
      return team
    },

    update: async (team, update) => {
      if (update.slug !== undefined && update.slug !== team.slug) await checkFree(update.slug)
      if (update.name !== undefined) checkName(update.name)
      const updated = { ...team, ...update }
      await statements.update().run(updated)
      return updated
    },

    holdings: async (team) => {
      const [contents] = await statements.contents().all({ id: team.id })
      const [access] = await statements.access().all({ id: team.id })
      return { products: 0, versions: 0, changes: 0, ...contents, keys: access?.keys ?? 0 }
    },

    delete: async (team) => {
      for (const product of await statements.owned().all({ id: team.id })) checkUnlocked(product)
      await statements.delete().run({ id: team.id })
    },
  }
}

const teamStatements = (db: Drizzle) => ({
  bySlug: prepared(() =>
    db
      .select()
      .from(teams)
      .where(eq(teams.slug, sql.placeholder('slug')))
      .prepare(),
  ),
  update: prepared(() =>
    db
      .update(teams)
      .set({ slug: given('slug'), name: given('name'), visibility: given('visibility'), plan: given('plan') })
      .where(eq(teams.id, sql.placeholder('id')))
      .prepare(),
  ),
  owned: prepared(() =>
    db
      .select(productColumns)
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(eq(products.teamId, sql.placeholder('id')))
      .prepare(),
  ),
  contents: prepared(() =>
    db
      .select({
        products: count(sql`distinct ${products.id}`),
        versions: count(sql`distinct ${versions.id}`),
        changes: count(changes.id),
      })
      .from(products)
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .leftJoin(versions, eq(versions.changelogId, changelogs.id))
      .leftJoin(changes, eq(changes.versionId, versions.id))
      .where(eq(products.teamId, sql.placeholder('id')))
      .prepare(),
  ),
  access: prepared(() =>
    db
      .select({ keys: count() })
      .from(keys)
      .where(eq(keys.teamId, sql.placeholder('id')))
      .prepare(),
  ),
  delete: prepared(() =>
    db
      .delete(teams)
      .where(eq(teams.id, sql.placeholder('id')))
      .prepare(),
  ),
})

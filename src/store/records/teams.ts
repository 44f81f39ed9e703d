import { asc, count, eq, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Team } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { checkName, checkSlug, checkUnlocked } from '../../domain/rules.ts'
import { type Engine, given, inserter, prepared } from './insert.ts'
import { productColumns } from './products.ts'
import type { TeamRecords } from './types.ts'

export function teamRecords(engine: Engine): TeamRecords {
  const { db, tables } = engine
  const { teams, products, keys } = tables
  const insert = inserter(engine, teams)
  const statements = teamStatements(engine)

  const find = async (slug: string): Promise<Team | null> =>
    (await statements.bySlug().execute({ slug }))[0] ?? null

  const checkFree = async (slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(slug))
      throw new Refusal(`There is a team ${slug} already.`, {
        kind: 'exists',
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
      await insert(team)
      return team
    },

    update: async (team, update) => {
      if (update.slug !== undefined && update.slug !== team.slug) await checkFree(update.slug)
      if (update.name !== undefined) checkName(update.name)
      const updated = { ...team, ...update }
      await statements.update().execute(updated)
      return updated
    },

    holdings: async (team) => {
      const [contents] = await statements.contents().execute({ id: team.id })
      const [access] = await statements.access().execute({ id: team.id })
      return { products: 0, versions: 0, changes: 0, ...contents, keys: access?.keys ?? 0 }
    },

    delete: async (team) => {
      for (const product of await statements.owned().execute({ id: team.id })) checkUnlocked(product)
      await statements.delete().execute({ id: team.id })
    },
  }
}

function teamStatements({ db, tables }: Engine) {
  const { teams, products, changelogs, versions, changes, keys } = tables
  return {
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
        .set({
          slug: given('slug'),
          name: given('name'),
          visibility: given('visibility'),
          plan: given('plan'),
        })
        .where(eq(teams.id, sql.placeholder('id')))
        .prepare(),
    ),
    owned: prepared(() =>
      db
        .select(productColumns(tables))
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
  }
}

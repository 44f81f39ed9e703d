import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Instant, Team } from '../../domain/records.ts'
import { taken } from '../../domain/refusal.ts'
import { checkName, checkSlug, checkSubscribeUrl, checkUnlocked } from '../../domain/rules.ts'
import { type Engine, freeId } from './engine.ts'
import { formerAddressRecords } from './former-addresses.ts'
import { countContents, selectProducts } from './products.ts'
import type { Holdings, TeamSummary } from './types.ts'

/** Absent fields are null. */
type TeamDraft = Omit<Team, 'id' | 'createdAt' | 'subscribeUrl'> & Partial<Pick<Team, 'subscribeUrl'>>

export function teamRecords(engine: Engine) {
  const { db, tables } = engine
  const { teams, products, keys } = tables
  const { takeTeam, moveTeam } = formerAddressRecords(engine)

  const isNamed = eq(teams.slug, sql.placeholder('slug'))
  const named = db.select().from(teams).where(isNamed).prepare()
  const find = async (slug: string): Promise<Team | null> => (await named.execute({ slug }))[0] ?? null

  const checkFree = async (slug: string): Promise<void> => {
    checkSlug(slug)
    if (await find(slug)) throw taken(`team ${slug}`, ['team show', slug])
  }

  const insert = async (team: Team): Promise<Team> => {
    await checkFree(team.slug)
    checkName(team.name)
    checkSubscribeUrl(team)
    await takeTeam(team.slug, team)
    await db.insert(teams).values(team)
    return team
  }

  return {
    find,

    /** Adds the team, with its id unless that is taken. Refuses a slug that is taken. */
    add: async (team: Team): Promise<Team> =>
      insert({ ...team, id: await freeId(engine, teams, 'team', team.id) }),

    list: (): Promise<TeamSummary[]> =>
      db
        .select({
          ...getTableColumns(teams),
          productCount: db.$count(products, eq(products.teamId, teams.id)),
          keyCount: db.$count(keys, eq(keys.teamId, teams.id)),
        })
        .from(teams)
        .orderBy(asc(teams.slug)),

    create: (draft: TeamDraft, now: Instant): Promise<Team> =>
      insert({ subscribeUrl: null, ...draft, id: newId('team'), createdAt: now }),

    update: async (team: Team, update: Partial<Omit<Team, 'id' | 'createdAt'>>): Promise<Team> => {
      if (update.slug !== undefined && update.slug !== team.slug) await checkFree(update.slug)
      if (update.name !== undefined) checkName(update.name)
      checkSubscribeUrl(update)
      const updated = { ...team, ...update }
      if (updated.slug !== team.slug) await moveTeam(team, updated.slug)
      await db.update(teams).set(updated).where(eq(teams.id, team.id))
      return updated
    },

    holdings: async ({ id }: Team): Promise<Holdings> => {
      const [held] = await countContents(engine, eq(products.teamId, id))
      const [reading] = await db.select({ keys: count() }).from(keys).where(eq(keys.teamId, id))
      return { products: 0, versions: 0, changes: 0, ...held, keys: reading?.keys ?? 0 }
    },

    /** Deletes the team with its content. Refuses while one of its products or changelogs is locked. */
    delete: async (team: Team): Promise<void> => {
      const owned = await selectProducts(engine, {}).where(eq(products.teamId, team.id))
      for (const product of owned) checkUnlocked(product)
      await db.delete(teams).where(eq(teams.id, team.id))
    },
  }
}

import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { checkHookUrl } from '../../domain/hooks.ts'
import { newId } from '../../domain/id.ts'
import type { Hook } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { deleter, type Engine, inserter, prepared, updater } from './engine.ts'
import type { HookRecords, TransferRecords } from './types.ts'

export function hookRecords(engine: Engine): HookRecords & Pick<TransferRecords, 'hooks' | 'putHook'> {
  const { db, tables } = engine
  const { hooks, teams, products } = tables
  const insert = inserter(engine, hooks)
  const write = updater(engine, hooks, ['status', 'url'])
  const remove = deleter(engine, hooks)
  const { teamId: _, productId: __, ...columns } = getTableColumns(hooks)
  const select = () =>
    db
      .select({ ...columns, team: getTableColumns(teams), product: { id: products.id, slug: products.slug } })
      .from(hooks)
      .innerJoin(teams, eq(teams.id, hooks.teamId))
      .leftJoin(products, eq(products.id, hooks.productId))
      .orderBy(asc(teams.slug), asc(hooks.id))
  const all = prepared(() => select())
  const ofTeam = prepared(() => select().where(eq(hooks.teamId, sql.placeholder('of'))))
  const byId = prepared(() => select().where(eq(hooks.id, sql.placeholder('of'))))

  const find = async (id: string): Promise<Hook | null> => (await byId({ of: id }))[0] ?? null
  const list: HookRecords['list'] = (team) => (team ? ofTeam({ of: team.id }) : all())

  const add = async ({ team, product, ...hook }: Hook): Promise<Hook> => {
    if (hook.url !== null) checkHookUrl(hook.url)
    await insert({ ...hook, teamId: team.id, productId: product?.id ?? null })
    return { ...hook, team, product }
  }

  return {
    list,
    find,
    delete: remove,

    create: (team, draft, now) => add({ ...draft, id: newId('hk'), team, status: 'active', createdAt: now }),

    update: async (hook, update) => {
      const updated = { ...hook, ...update }
      if (updated.url !== null) checkHookUrl(updated.url)
      await write(updated)
      return updated
    },

    hooks: async (team) =>
      (await list(team)).map(({ team: _, product, ...hook }) => ({
        ...hook,
        product: product?.slug ?? null,
      })),

    putHook: async (team, { product: slug, ...hook }) => {
      const known = await find(hook.id)
      if (known && known.team.id !== team.id)
        throw new Refusal(`Hook ${hook.id} belongs to another team in this database, not to ${team.slug}.`)
      if (known) return
      const [product] =
        slug === null
          ? [null]
          : await db
              .select({ id: products.id, slug: products.slug })
              .from(products)
              .where(and(eq(products.teamId, team.id), eq(products.slug, slug)))
      if (product === undefined)
        throw new Refusal(`Hook ${hook.id} names the product ${team.slug}/${slug}, which does not exist.`)
      // Its secret is not in the export, and two databases must not announce the same release.
      await add({ ...hook, team, product, status: 'disabled' })
    },
  }
}

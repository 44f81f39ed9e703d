import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { chatOf, checkHook, freeName, hookEventsOf, usualEvents, usualName } from '../../domain/hooks.ts'
import { newId } from '../../domain/id.ts'
import type { Hook, HookNaming } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { deleter, type Engine, inserter, prepared, updater } from './engine.ts'
import type { HookRecords, TransferRecords } from './types.ts'

export function hookRecords(engine: Engine): HookRecords & Pick<TransferRecords, 'hooks' | 'putHook'> {
  const { db, tables } = engine
  const { hooks, teams, products } = tables
  const insert = inserter(engine, hooks)
  const write = updater(engine, hooks, ['status', 'url', 'name', 'events', 'stable'])
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

  const hookOf = ({ name, events, ...row }: Awaited<ReturnType<typeof all>>[number]): Hook => ({
    ...row,
    name: name ?? row.id,
    events: hookEventsOf(events ?? '') ?? usualEvents(row.kind),
  })
  const find = async (id: string): Promise<Hook | null> => (await byId({ of: id })).map(hookOf)[0] ?? null
  const list: HookRecords['list'] = async (team) =>
    (await (team ? ofTeam({ of: team.id }) : all())).map(hookOf)

  /** With a name and events. */
  const add = async (hook: Omit<Hook, keyof HookNaming> & HookNaming): Promise<Hook> => {
    const others = await list(hook.team)
    const name = hook.name ?? freeName(usualName(hook), others)
    const { stable = false, events = usualEvents(hook.kind) } = hook
    const added = { ...hook, name, events, stable }
    checkHook(added, others)
    const { team, product, events: _, ...row } = added
    await insert({ ...row, teamId: team.id, productId: product?.id ?? null, events: events.join() })
    return added
  }

  return {
    list,
    find,
    delete: remove,

    create: (team, draft, now) => add({ ...draft, id: newId('hk'), team, status: 'active', createdAt: now }),

    update: async (hook, update) => {
      const updated = { ...hook, ...update }
      checkHook(updated, await list(hook.team))
      await write({ ...updated, events: updated.events.join() })
      return updated
    },

    hooks: async (team) =>
      (await list(team)).map(({ team: _, product, ...hook }) => {
        const chat = chatOf(hook.url)
        return { ...hook, product: product?.slug ?? null, ...(chat && { kind: chat, url: null }) }
      }),

    putHook: async (team, { product: slug, ...hook }) => {
      const known = await find(hook.id)
      if (known && known.team.id !== team.id)
        throw new Refusal(`Hook ${hook.id} belongs to another team in this database, not to ${team.slug}.`)
      if (known) return known
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
      const name = freeName(hook.name ?? usualName(hook), await list(team))
      return add({ ...hook, team, product, name, status: 'disabled' })
    },
  }
}

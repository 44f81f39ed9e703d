import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import {
  addressOfHook,
  chatOf,
  checkHook,
  freeHookName,
  hookEventsOf,
  usualEvents,
} from '../../domain/hooks.ts'
import { newId } from '../../domain/id.ts'
import type { Hook } from '../../domain/records.ts'
import { Refusal, taken } from '../../domain/refusal.ts'
import { deleter, type Engine, inserter, prepared, updater } from './engine.ts'
import type { HookRecords, TransferRecords } from './types.ts'

export function hookRecords(engine: Engine): HookRecords & Pick<TransferRecords, 'hooks' | 'putHook'> {
  const { db, tables } = engine
  const { hooks, teams, products } = tables
  const insert = inserter(engine, hooks)
  const write = updater(engine, hooks, ['status', 'url', 'name', 'events'])
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

  const otherNames = async ({ id, team }: Pick<Hook, 'id' | 'team'>): Promise<string[]> =>
    (await list(team)).flatMap((other) => (other.id === id ? [] : [other.name]))
  const check = async (hook: Hook): Promise<void> => {
    checkHook(hook)
    const name = addressOfHook(hook)
    if ((await otherNames(hook)).includes(hook.name)) throw taken(`hook ${name}`, `hook show ${name}`)
  }
  const add = async (hook: Hook): Promise<Hook> => {
    await check(hook)
    const { team, product, events, ...row } = hook
    await insert({ ...row, teamId: team.id, productId: product?.id ?? null, events: events.join() })
    return hook
  }

  return {
    list,
    find,
    delete: remove,

    create: async (team, { name, events, ...draft }, now) => {
      const hook = { ...draft, id: newId('hk'), team, status: 'active', createdAt: now } as const
      return add({
        ...hook,
        name: name ?? freeHookName(hook, await otherNames(hook)),
        events: events ?? usualEvents(draft.kind),
      })
    },

    update: async (hook, update) => {
      const updated = { ...hook, ...update }
      await check(updated)
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
      const name = freeHookName(hook, await otherNames({ ...hook, team }))
      const events = hook.events ?? usualEvents(hook.kind)
      return add({ ...hook, team, product, name, events, status: 'disabled' })
    },
  }
}

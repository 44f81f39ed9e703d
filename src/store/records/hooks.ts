import { asc, eq, getTableColumns, type SQL } from 'drizzle-orm'
import { chatOf } from '../../domain/hook-kinds.ts'
import { checkHook, freeName, hookEventsOf, usualDelay, usualEvents, usualName } from '../../domain/hooks.ts'
import { newId } from '../../domain/id.ts'
import { pick } from '../../domain/objects.ts'
import type { ExportedHook, Hook, HookNaming, Instant, Team } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Engine } from './engine.ts'
import type { FindProduct } from './products.ts'

type HookDraft = Pick<Hook, 'product' | 'kind' | 'url'> & HookNaming

const FIELDS = ['status', 'url', 'name', 'events', 'stable', 'unsubscribeUrl', 'delay'] as const

export function hookRecords(engine: Engine, findProduct: FindProduct) {
  const { db, tables } = engine
  const { hooks, teams, products } = tables
  const { teamId: _, productId: __, ...columns } = getTableColumns(hooks)
  const select = async (where: SQL | undefined): Promise<Hook[]> => {
    const rows = await db
      .select({ ...columns, team: getTableColumns(teams), product: { id: products.id, slug: products.slug } })
      .from(hooks)
      .innerJoin(teams, eq(teams.id, hooks.teamId))
      .leftJoin(products, eq(products.id, hooks.productId))
      .where(where)
      .orderBy(asc(teams.slug), asc(hooks.id))
    return rows.map(({ name, events, delay, ...row }) => ({
      ...row,
      delay: delay ?? usualDelay(row.kind),
      name: name ?? row.id,
      events: hookEventsOf(events ?? '') ?? usualEvents(row.kind),
    }))
  }
  const find = async (id: string): Promise<Hook | null> => (await select(eq(hooks.id, id)))[0] ?? null
  /** The hooks of all teams or of one, oldest first. */
  const list = (team?: Team): Promise<Hook[]> => select(team && eq(hooks.teamId, team.id))

  /** Adds a hook, with its usual name and events unless it has others. Refuses a name that is taken. */
  const add = async (hook: Omit<Hook, keyof HookNaming> & HookNaming): Promise<Hook> => {
    const others = await list(hook.team)
    const name = hook.name ?? freeName(usualName(hook), others)
    const { stable = false, events = usualEvents(hook.kind), unsubscribeUrl = null } = hook
    const delay = hook.delay ?? usualDelay(hook.kind)
    const added = { ...hook, name, events, stable, unsubscribeUrl, delay }
    checkHook(added, others)
    const { team, product, events: _, ...row } = added
    const references = { teamId: team.id, productId: product?.id ?? null }
    await db.insert(hooks).values({ ...row, ...references, events: events.join() })
    return added
  }

  return {
    list,
    find,
    delete: async ({ id }: Hook): Promise<void> => db.delete(hooks).where(eq(hooks.id, id)),

    create: (team: Team, draft: HookDraft, now: Instant): Promise<Hook> =>
      add({ ...draft, id: newId('hk'), team, status: 'active', createdAt: now }),

    /** Refuses a name that is taken. */
    update: async (hook: Hook, update: Partial<Pick<Hook, (typeof FIELDS)[number]>>): Promise<Hook> => {
      const updated = { ...hook, ...update }
      checkHook(updated, await list(hook.team))
      const { events, ...row } = pick(updated, ...FIELDS)
      await db
        .update(hooks)
        .set({ ...row, events: events.join() })
        .where(eq(hooks.id, hook.id))
      return updated
    },

    exported: async (team: Team): Promise<ExportedHook[]> =>
      (await list(team)).map(({ team: _, product, delay, ...hook }) => {
        const chat = chatOf(hook.url)
        const waits = delay !== usualDelay(hook.kind) && { delay }
        return { ...hook, ...waits, product: product?.slug ?? null, ...(chat && { kind: chat, url: null }) }
      }),

    /** Creates the hook, disabled and with a free name, unless its id is there. Refuses an id of another team's hook. */
    put: async (team: Team, { product: slug, ...hook }: ExportedHook): Promise<Hook> => {
      const known = await find(hook.id)
      if (known && known.team.id !== team.id)
        throw new Refusal(`Hook ${hook.id} belongs to another team in this database, not to ${team.slug}.`)
      if (known) return known
      const found = slug === null ? null : await findProduct(team.slug, slug)
      if (slug !== null && !found)
        throw new Refusal(`Hook ${hook.id} is for product ${team.slug}/${slug}, which does not exist.`)
      const product = found && pick(found, 'id', 'slug')
      // The secret is not in the export, and two databases must not announce the same release.
      const name = freeName(hook.name ?? usualName(hook), await list(team))
      return add({ ...hook, team, product, name, status: 'disabled' })
    },
  }
}

import { type Delivery, type DeliveryType, isAbout, MOST_ALONE } from '../domain/hooks.ts'
import { newId } from '../domain/id.ts'
import type { Hook, HookEvent, Instant } from '../domain/records.ts'
import { Unavailable } from '../domain/refusal.ts'
import { DERIVING } from '../domain/versions/derived.ts'
import type { AnnouncedState, AnnouncedVersion, HookState, Round } from '../store/bookkeeping/announced.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'
import type { Records } from '../store/records/records.ts'
import type { PublicEdition } from '../store/records/types.ts'
import { compare, lastRoundOf, needsHash, versionHash } from './compare.ts'
import type { Snapshot } from './content.ts'
import { FEED_SCOPES, feedLabels } from './message.ts'

/** How far a clock may go back without hiding a scheduled version that was just announced. */
const CLOCK_MS = 10 * 60_000

/** Texts read at a time. */
const BATCH = 500
const MOST_ATTEMPTS = 20

/**
 * Compares public versions with announced ones, and writes the deliveries of every hook. A new hook skips
 * versions that are already public. Returns when the clock alone will change that. Several processes may do it at once.
 */
export async function observe(
  snapshot: Snapshot,
  { announced }: Pick<Bookkeeping, 'announced'>,
  now: Instant,
): Promise<Instant> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // Before the content: the next round has seen at least as much as the last one.
    const state = await announced.read()
    const at = now < state.seenAt && state.seenAt - now <= CLOCK_MS ? state.seenAt : now
    const known = new Map(state.versions.map((version) => [version.versionId, version]))
    const { hooks, seen, until } = await snapshot((records) => readPublic(records, known, at))
    const round = state.round + 1
    const areOtherRules = state.rules !== DERIVING
    const { changed, nextAt } = compare(known, seen, round, now, areOtherRules)
    const found = roundOf(state, known, changed, hooks, round, at, now)
    if (found === null || (await announced.write(found))) return Math.min(until, nextAt)
  }
  throw new Unavailable('Other processes keep changing what is announced.')
}

async function readPublic(records: Records, known: ReadonlyMap<string, AnnouncedVersion>, at: Instant) {
  const hooks = await records.hooks.list()
  const editions: PublicEdition[] = hooks.length === 0 ? [] : await records.announcing.editions(at)
  const unread = editions.filter((each) => needsHash(known.get(each.id), each)).map(({ id }) => id)
  const hashes = new Map<string, string>()
  for (let from = 0; from < unread.length; from += BATCH)
    for (const found of await records.announcing.find(unread.slice(from, from + BATCH)))
      hashes.set(found.version.id, versionHash(found))
  const seen = editions.map((each) => ({ ...each, hash: hashes.get(each.id) }))
  return { hooks, seen, until: await records.announcing.until(at) }
}

/** Null if there is nothing to write. */
function roundOf(
  state: AnnouncedState,
  known: ReadonlyMap<string, AnnouncedVersion>,
  changed: readonly AnnouncedVersion[],
  hooks: readonly Hook[],
  round: number,
  seenAt: Instant,
  now: Instant,
): Round | null {
  const teams = new Set(hooks.map(({ team }) => team.id))
  const after = new Map([...known, ...changed.map((version) => [version.versionId, version] as const)])
  const byTeam = Map.groupBy(after.values(), ({ teamId }) => teamId)
  const states = new Map(state.hooks.map((hook) => [hook.hookId, hook]))
  const written: HookState[] = []
  const deliveries: Round['deliveries'][number][] = []
  const positions = new Map<string, number>()
  const quiet = new Set(state.quiet.map(({ hookId, versionId }) => `${hookId} ${versionId}`))
  for (const hook of hooks) {
    const before = states.get(hook.id) ?? newState(hook, round)
    const active = hook.status === 'active' && before.stoppedAt === null
    const since = (byTeam.get(hook.team.id) ?? []).filter((each) => lastRoundOf(each) > before.position)
    const next = { ...before, active, position: active && since.length > 0 ? round : before.position }
    const heard = since.filter(({ versionId }) => !quiet.has(`${hook.id} ${versionId}`))
    if (active) deliveries.push(...deliveriesFor(hook, before.position, heard, now))
    if (!states.has(hook.id) || !Bun.deepEquals(before, next)) written.push(next)
    positions.set(hook.team.id, Math.min(positions.get(hook.team.id) ?? round, next.position))
  }
  // Hidden, and every hook knows it.
  const isOver = ({ teamId, withdrawnIn }: AnnouncedVersion) =>
    !teams.has(teamId) || (withdrawnIn !== null && withdrawnIn <= (positions.get(teamId) ?? 0))
  const forgottenVersions = [...after.values()].filter(isOver).map(({ versionId }) => versionId)
  const live = new Set(hooks.map(({ id }) => id))
  const forgottenHooks = state.hooks.map(({ hookId }) => hookId).filter((id) => !live.has(id))
  const versions = changed.filter((version) => !isOver(version))
  const parts = [versions, written, deliveries, forgottenHooks, forgottenVersions]
  const isNoted = state.rules === DERIVING || known.size === 0
  if (isNoted && parts.every((part) => part.length === 0)) return null
  return { round, seenAt, versions, forgottenVersions, hooks: written, forgottenHooks, deliveries }
}

const newState = (hook: Hook, position: number): HookState => ({
  hookId: hook.id,
  teamId: hook.team.id,
  position,
  active: true,
  failingSince: null,
  stoppedAt: null,
  reason: null,
})

export type NewDelivery = Delivery & { topic: string }

/**
 * The new deliveries of a hook since a round. Only the net effect counts: a version published and withdrawn since is
 * not told, however long the hook was disabled.
 */
function deliveriesFor(
  hook: Pick<Hook, 'id' | 'kind' | 'product' | 'events' | 'stable' | 'delay'>,
  position: number,
  versions: readonly AnnouncedVersion[],
  now: Instant,
): NewDelivery[] {
  const concerned = versions.filter(({ productId }) => isAbout(hook, productId))
  const told = concerned.flatMap((version): [DeliveryType, AnnouncedVersion][] => {
    // A release that was a pre-release is published for it from then on.
    const { stableIn } = version
    if (hook.stable && stableIn === null) return []
    const event = eventSince(hook.stable ? { ...version, publishedIn: stableIn ?? 0 } : version, position)
    return event !== null && hook.events.includes(event) ? [[`version.${event}`, version]] : []
  })
  if (hook.kind === 'websub') {
    const products = [...new Set(told.map(([, { productId }]) => productId))]
    return FEED_SCOPES.flatMap((scope) =>
      // One of the products stands for the team and for the site.
      (scope === 'product' ? products : products.slice(0, 1)).flatMap((productId) =>
        feedLabels(scope).map((label) =>
          created(hook, now, { type: 'feed.changed', productId, versionIds: [], label }),
        ),
      ),
    )
  }
  const byProduct = Map.groupBy(
    told.filter(([type]) => type === 'version.published'),
    ([, { productId }]) => productId,
  )
  const lists = [...byProduct].filter(([, versions]) => versions.length > MOST_ALONE)
  const listed = new Set(lists.map(([productId]) => productId))
  return [
    ...told
      .filter(([type, { productId }]) => type !== 'version.published' || !listed.has(productId))
      .toSorted(([, one], [, other]) => (one.versionId < other.versionId ? -1 : 1))
      .map(([type, { versionId, productId, productName, label }]) =>
        created(hook, now, { type, productId, productName, versionIds: [versionId], label }),
      ),
    ...lists.map(([productId, versions]) => {
      const versionIds = versions.map(([, { versionId }]) => versionId)
      const label = `${versionIds.length} versions`
      return created(hook, now, { type: 'versions.published', productId, versionIds, label })
    }),
  ]
}

function eventSince(
  { publishedIn, updatedIn, withdrawnIn }: AnnouncedVersion,
  position: number,
): HookEvent | null {
  if (withdrawnIn !== null) return withdrawnIn > position && publishedIn <= position ? 'withdrawn' : null
  if (publishedIn > position) return 'published'
  return updatedIn !== null && updatedIn > position ? 'updated' : null
}

type Told = Pick<Delivery, 'type' | 'productId' | 'versionIds' | 'label'> & { productName?: string | null }

const created = ({ id, delay }: Pick<Hook, 'id' | 'delay'>, now: Instant, told: Told): NewDelivery => ({
  id: newId('msg'),
  hookId: id,
  productName: null,
  ...told,
  topic: topicOf(told),
  state: 'waiting',
  createdAt: now,
  tries: 0,
  nextAt: /published$/.test(told.type) ? now + delay : now,
  body: null,
  last: null,
})

/** The unit of order: a version, the product of a list of versions, or a feed. */
function topicOf({ type, productId, versionIds: [version = productId], label }: Told): string {
  if (type === 'feed.changed') return label.startsWith('product ') ? `${productId} ${label}` : label
  return type === 'versions.published' ? productId : version
}

import { type Delivery, type DeliveryType, MOST_ALONE } from '../domain/hooks.ts'
import { newId } from '../domain/id.ts'
import type { Hook, Instant } from '../domain/records.ts'
import type { AnnouncedVersion } from '../store/bookkeeping/announced.ts'
import { FEED_SCOPES, feedLabels } from './message.ts'

export type NewDelivery = Delivery & { topic: string }

/**
 * What a hook has to be told of versions since a round. Its net effect alone counts: what was published and withdrawn
 * since is not told, however long the hook was disabled.
 */
export function deliveriesFor(
  hook: Pick<Hook, 'id' | 'kind' | 'product'>,
  position: number,
  versions: readonly AnnouncedVersion[],
  now: Instant,
): NewDelivery[] {
  const own = versions.filter(({ productId }) => hook.product === null || hook.product.id === productId)
  const told = own.flatMap((version): [EventOfVersion, AnnouncedVersion][] => {
    const type = eventSince(version, position)
    return type === null ? [] : [[type, version]]
  })
  if (hook.kind === 'websub') {
    const products = [...new Set(told.map(([, { productId }]) => productId))]
    return FEED_SCOPES.flatMap((scope) =>
      // One of the products stands for the team and for the site.
      (scope === 'product' ? products : products.slice(0, 1)).flatMap((productId) =>
        feedLabels(scope).map((label) => {
          const topic = scope === 'product' ? `${productId} ${label}` : label
          return created(hook.id, 'feed.changed', productId, [], label, topic, now)
        }),
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
      .map(([type, { versionId, productId, label }]) =>
        created(hook.id, type, productId, [versionId], label, versionId, now),
      ),
    ...lists.map(([productId, versions]) => {
      const ids = versions.map(([, { versionId }]) => versionId)
      return created(hook.id, 'versions.published', productId, ids, `${ids.length} versions`, productId, now)
    }),
  ]
}

type EventOfVersion = 'version.published' | 'version.updated' | 'version.withdrawn'

function eventSince(
  { publishedIn, updatedIn, withdrawnIn }: AnnouncedVersion,
  position: number,
): EventOfVersion | null {
  if (withdrawnIn !== null)
    return withdrawnIn > position && publishedIn <= position ? 'version.withdrawn' : null
  if (publishedIn > position) return 'version.published'
  return updatedIn !== null && updatedIn > position ? 'version.updated' : null
}

const created = (
  hookId: string,
  type: DeliveryType,
  productId: string,
  versionIds: readonly string[],
  label: string,
  topic: string,
  now: Instant,
): NewDelivery => ({
  ...{ id: newId('msg'), hookId, type, productId, versionIds, label, topic },
  ...{ state: 'waiting', createdAt: now, tries: 0, nextAt: now, body: null, last: null },
})

/** The same again, under another id. */
export function replayed(
  { hookId, type, productId, versionIds, label }: Delivery,
  now: Instant,
): NewDelivery {
  const version = type === 'versions.published' ? undefined : versionIds[0]
  const topic = type === 'feed.changed' ? `${productId} ${label}` : (version ?? productId)
  return created(hookId, type, productId, versionIds, label, topic, now)
}

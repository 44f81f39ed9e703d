import { type Delivery, type DeliveryType, MOST_ALONE } from '../domain/hooks.ts'
import { newId } from '../domain/id.ts'
import type { Hook, HookEvent, Instant } from '../domain/records.ts'
import type { AnnouncedVersion } from '../store/bookkeeping/announced.ts'
import { FEED_SCOPES, feedLabels } from './message.ts'

export type NewDelivery = Delivery & { topic: string }

/**
 * What a hook has to be told of versions since a round. Its net effect alone counts: what was published and withdrawn
 * since is not told, however long the hook was disabled.
 */
export function deliveriesFor(
  hook: Pick<Hook, 'id' | 'kind' | 'product' | 'events' | 'stable'>,
  position: number,
  versions: readonly AnnouncedVersion[],
  now: Instant,
): NewDelivery[] {
  const own = versions.filter(({ productId }) => hook.product === null || hook.product.id === productId)
  const told = own.flatMap((version): [DeliveryType, AnnouncedVersion][] => {
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
          created(hook.id, now, { type: 'feed.changed', productId, versionIds: [], label }),
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
        created(hook.id, now, { type, productId, productName, versionIds: [versionId], label }),
      ),
    ...lists.map(([productId, versions]) => {
      const versionIds = versions.map(([, { versionId }]) => versionId)
      const label = `${versionIds.length} versions`
      return created(hook.id, now, { type: 'versions.published', productId, versionIds, label })
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

const created = (hookId: string, now: Instant, told: Told): NewDelivery => ({
  ...{ id: newId('msg'), hookId, productName: null, ...told, topic: topicOf(told) },
  ...{ state: 'waiting', createdAt: now, tries: 0, nextAt: now, body: null, last: null },
})

/** What is told in order: a version, the product of a list of versions, or a feed. */
function topicOf({ type, productId, versionIds: [version = productId], label }: Told): string {
  if (type === 'feed.changed') return label.startsWith('product ') ? `${productId} ${label}` : label
  return type === 'versions.published' ? productId : version
}

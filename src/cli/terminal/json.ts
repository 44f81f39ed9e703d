import { addressOfHook, type Delivery, shownUrl } from '../../domain/hooks.ts'
import { pick } from '../../domain/objects.ts'
import { type Picture, pictureAddress, sidesOf } from '../../domain/pictures.ts'
import type { Hook, Instant, Key, Product, Team, Version } from '../../domain/records.ts'
import { keyStatus } from '../../domain/rules.ts'
import { headingFromType } from '../../domain/slug.ts'
import { formatInstant } from '../../domain/time/time.ts'
import { changeTexts, shownFacts, versionTexts } from '../../domain/versions/properties.ts'
import type { HookState } from '../../store/bookkeeping/announced.ts'
import type { ListedPicture } from '../../store/records/pictures.ts'
import type { PlacedChange, ProductSummary, TeamSummary } from '../../store/records/types.ts'

/** Records for `--json`, with the names of the API. */

export const teamJson = (team: Team) => ({
  ...pick(team, 'id', 'slug', 'name', 'visibility', 'plan', 'subscribeUrl'),
  createdAt: formatInstant(team.createdAt),
})

export const teamSummaryJson = (team: TeamSummary) => ({
  ...teamJson(team),
  ...pick(team, 'productCount', 'keyCount'),
})

export const productJson = (product: Product) => ({
  id: product.id,
  team: named(product.team),
  ...pick(product, 'slug', 'name', 'status', 'repository', 'language', 'subscribeUrl'),
  changelog: pick(product.changelog, 'id', 'name', 'status'),
  createdAt: formatInstant(product.createdAt),
})

export const productSummaryJson = (product: ProductSummary) => ({
  ...productJson(product),
  ...pick(product, 'publishedCount', 'draftCount'),
})

export const changelogJson = (product: Product) => ({
  id: product.changelog.id,
  team: named(product.team),
  product: named(product),
  ...pick(product.changelog, 'name', 'status'),
})

export const versionJson = (version: Version) => ({
  id: version.id,
  version: version.label,
  ...pick(version, 'title', 'status', 'scheduled'),
  publishedAt: formatInstant(version.publishedAt),
  ...pick(version, 'dateKnown', 'changeCount'),
  ...versionTexts(version),
  ...shownFacts(version),
})

export const changeJson = (change: PlacedChange) => ({
  ...pick(change, 'id', 'position', 'type'),
  typeLabel: change.typeLabel ?? headingFromType(change.type),
  title: change.title,
  ...changeTexts(change),
})

export const pictureJson = ({ id, kind, createdAt, ...listed }: Picture & Partial<ListedPicture>) => ({
  ...{ id, kind, ...sidesOf(id), ...pick(listed, 'size', 'shownBy'), address: pictureAddress(id) },
  createdAt: formatInstant(createdAt),
})

export const keyJson = (key: Key, now: Instant) => ({
  id: key.id,
  team: named(key.team),
  kind: key.kind,
  status: keyStatus(key, now),
  ...pick(key, 'label', 'products'),
  ...lifetime(key),
  tokens: key.tokens.map((token) => ({ start: token.start, ...lifetime(token) })),
})

/** A hook with what the worker knows of its failures, and whether it needs a secret. */
export type KnownHook = Hook & {
  state: HookState | null
  givenUp: readonly Delivery[]
  needsSecret: boolean
}

export const withoutState = (hook: Hook): KnownHook => ({
  ...hook,
  state: null,
  givenUp: [],
  needsSecret: false,
})

export const hookJson = ({ state, ...hook }: KnownHook) => ({
  id: hook.id,
  name: addressOfHook(hook),
  team: named(hook.team),
  product: hook.product && { slug: hook.product.slug },
  ...pick(hook, 'kind', 'events', 'stable', 'unsubscribeUrl', 'delay'),
  url: shownUrl(hook.url),
  status: state?.stoppedAt != null ? ('disabled' as const) : hook.status,
  createdAt: formatInstant(hook.createdAt),
  failingSince: timeOrNull(state?.failingSince),
  stoppedAt: timeOrNull(state?.stoppedAt),
  reason: state?.reason ?? null,
  givenUp: hook.givenUp.length,
  needsSecret: hook.needsSecret,
})

/** A delivery with its product as team/product; null if that was deleted. */
export type PlacedDelivery = Delivery & { product: string | null }

export const deliveryJson = ({ last, ...delivery }: PlacedDelivery) => ({
  ...pick(delivery, 'id', 'type', 'product', 'label', 'versionIds', 'state', 'tries'),
  createdAt: formatInstant(delivery.createdAt),
  nextAt: delivery.state === 'waiting' ? formatInstant(delivery.nextAt) : null,
  last: last && { ...last, at: formatInstant(last.at) },
})

export const timeOrNull = (instant: Instant | null | undefined): string | null =>
  instant == null ? null : formatInstant(instant)

const named = (record: { slug: string; name: string }) => pick(record, 'slug', 'name')

const lifetime = ({ createdAt, expiresAt }: { createdAt: Instant; expiresAt: Instant | null }) => ({
  createdAt: formatInstant(createdAt),
  expiresAt: timeOrNull(expiresAt),
})

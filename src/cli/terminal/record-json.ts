import { addressOfHook, type Delivery, shownUrl } from '../../domain/hooks.ts'
import { pick } from '../../domain/objects.ts'
import type { Hook, Instant, Key, Product, Team, Version } from '../../domain/records.ts'
import { headingFromType } from '../../domain/slug.ts'
import { formatInstant } from '../../domain/time/time.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { changeTexts, versionTexts } from '../../domain/versions/texts.ts'
import type { HookState } from '../../store/bookkeeping/announced.ts'
import type { PlacedChange, ProductSummary, TeamSummary } from '../../store/records/types.ts'

/** Records for `--json`, with the names of the API. */

export const teamJson = (team: Team) => ({
  ...pick(team, 'id', 'slug', 'name', 'visibility', 'plan'),
  createdAt: formatInstant(team.createdAt),
})

export const teamSummaryJson = (team: TeamSummary) => ({
  ...teamJson(team),
  ...pick(team, 'productCount', 'keyCount'),
})

export const productJson = (product: Product) => ({
  id: product.id,
  team: named(product.team),
  ...pick(product, 'slug', 'name', 'status', 'repository', 'language'),
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
  prerelease: isPrerelease(version),
  yanked: version.yanked,
})

export const changeJson = (change: PlacedChange) => ({
  ...pick(change, 'id', 'position', 'type'),
  typeLabel: change.typeLabel ?? headingFromType(change.type),
  title: change.title,
  ...changeTexts(change),
})

export const keyJson = (key: Key) => ({
  id: key.id,
  team: named(key.team),
  ...pick(key, 'kind', 'status', 'label', 'products'),
  ...lifetime(key),
  tokens: key.tokens.map((token) => ({ start: token.start, ...lifetime(token) })),
})

/** With what the worker knows of it if it fails, and whether it must be given a secret. */
export type KnownHook = Hook & { state: HookState | null; needsSecret: boolean }

export const withoutState = (hook: Hook): KnownHook => ({ ...hook, state: null, needsSecret: false })

export const hookJson = ({ state, ...hook }: KnownHook) => ({
  id: hook.id,
  name: addressOfHook(hook),
  team: named(hook.team),
  product: hook.product && { slug: hook.product.slug },
  ...pick(hook, 'kind', 'events', 'stable'),
  url: shownUrl(hook.url),
  status: state?.stoppedAt != null ? ('disabled' as const) : hook.status,
  createdAt: formatInstant(hook.createdAt),
  failingSince: timeOrNull(state?.failingSince),
  stoppedAt: timeOrNull(state?.stoppedAt),
  reason: state?.reason ?? null,
  needsSecret: hook.needsSecret,
})

/** With the product that it is about, as team/product; null if that was deleted. */
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

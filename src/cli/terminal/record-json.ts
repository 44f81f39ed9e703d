import type { Instant, Key, Product, Team, Version } from '../../domain/records.ts'
import { headingFromType } from '../../domain/slug.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { PlacedChange, ProductSummary } from '../../store/records/types.ts'

/** Records as `--json` prints them, with the names that the API uses. */

export const teamJson = (team: Team) => ({
  id: team.id,
  slug: team.slug,
  name: team.name,
  visibility: team.visibility,
  plan: team.plan,
  createdAt: formatInstant(team.createdAt),
})

export const productJson = (product: Product) => ({
  id: product.id,
  team: named(product.team),
  slug: product.slug,
  name: product.name,
  status: product.status,
  changelog: { id: product.changelog.id, name: product.changelog.name, status: product.changelog.status },
  createdAt: formatInstant(product.createdAt),
})

export const productSummaryJson = (product: ProductSummary) => ({
  ...productJson(product),
  publishedCount: product.publishedCount,
  draftCount: product.draftCount,
})

export const changelogJson = (product: Product) => ({
  id: product.changelog.id,
  team: named(product.team),
  product: named(product),
  name: product.changelog.name,
  status: product.changelog.status,
})

export const versionJson = (version: Version) => ({
  id: version.id,
  version: version.label,
  title: version.title,
  status: version.status,
  /** Whether it is published at `publishedAt` by itself. */
  scheduled: version.scheduled,
  publishedAt: formatInstant(version.publishedAt),
  dateKnown: version.dateKnown,
  changeCount: version.changeCount,
  description: version.description,
})

export const changeJson = (change: PlacedChange) => ({
  id: change.id,
  position: change.position,
  type: change.type,
  typeLabel: change.typeLabel ?? headingFromType(change.type),
  title: change.title,
  description: change.description,
})

export const keyJson = (key: Key) => ({
  id: key.id,
  team: named(key.team),
  kind: key.kind,
  status: key.status,
  label: key.label,
  products: key.products,
  createdAt: formatInstant(key.createdAt),
  expiresAt: end(key.expiresAt),
  tokens: key.tokens.map((token) => ({
    start: token.start,
    createdAt: formatInstant(token.createdAt),
    expiresAt: end(token.expiresAt),
  })),
})

const named = ({ slug, name }: { slug: string; name: string }) => ({ slug, name })
const end = (instant: Instant | null) => (instant === null ? null : formatInstant(instant))

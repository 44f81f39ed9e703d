import {
  address,
  type Instant,
  type Key,
  type Product,
  type Team,
  type Version,
} from '../../domain/records.ts'
import type { Holdings, PlacedChange, ProductSummary, TeamSummary } from '../../store/records/port.ts'
import type { Paint } from './colour.ts'
import { day, moment } from './moments.ts'
import { columns, table } from './table.ts'
import { counted, plain, plainLines } from './text.ts'

/** Records as people read them: a page for one, a table for many. The counterpart of `json.ts`. */

export const teamTable = (paint: Paint, teams: readonly TeamSummary[], now: Instant): string =>
  table(
    paint,
    ['team', 'name', 'visibility', 'plan', 'products', 'keys', 'made'],
    teams.map((team) => [
      team.slug,
      plain(team.name),
      team.visibility,
      team.plan,
      String(team.productCount),
      String(team.keyCount),
      day(team.createdAt, now),
    ]),
  )

export const teamPage = (team: Team, held: Holdings, now: Instant): string =>
  columns([
    ['team', team.slug],
    ['name', plain(team.name)],
    ['visibility', team.visibility],
    ['plan', team.plan],
    ['holds', `${counted(held.products, 'product')}, ${counted(held.keys, 'key')}`],
    ['made', moment(team.createdAt, now)],
  ]).join('\n')

export const productTable = (paint: Paint, products: readonly ProductSummary[], now: Instant): string =>
  table(
    paint,
    ['product', 'name', 'status', 'changelog', 'published', 'drafts', 'made'],
    products.map((product) => [
      address(product),
      plain(product.name),
      product.status,
      product.changelog.status,
      String(product.publishedCount),
      String(product.draftCount),
      day(product.createdAt, now),
    ]),
  )

export const productPage = (product: ProductSummary, now: Instant): string =>
  columns([
    ['product', address(product)],
    ['name', plain(product.name)],
    ['status', product.status],
    ['changelog', `${plain(product.changelog.name)}, ${product.changelog.status}`],
    ['published', counted(product.publishedCount, 'version')],
    ['drafts', counted(product.draftCount, 'version')],
    ['made', moment(product.createdAt, now)],
  ]).join('\n')

export const versionTable = (paint: Paint, versions: readonly Version[], now: Instant): string =>
  table(
    paint,
    ['version', 'title', 'status', 'published at', 'changes', 'id'],
    versions.map((version) => [
      plain(version.label),
      plain(version.title),
      version.status,
      day(version.publishedAt, now),
      String(version.changeCount),
      version.id,
    ]),
  )

export function versionPage(
  product: Product,
  version: Version,
  changes: readonly PlacedChange[],
  now: Instant,
): string {
  const facts = columns([
    ['version', plain(version.label)],
    ['of', address(product)],
    ['title', plain(version.title)],
    ['status', version.status],
    ['published at', moment(version.publishedAt, now)],
    ['id', version.id],
  ])
  const list = columns(changes.map((change) => [String(change.position), change.type, plain(change.title)]))
  const parts = [facts.join('\n'), plainLines(version.description ?? ''), list.join('\n')]
  return parts.filter((part) => part !== '').join('\n\n')
}

export const changeTable = (paint: Paint, changes: readonly PlacedChange[]): string =>
  table(
    paint,
    ['#', 'type', 'title', 'id'],
    changes.map((change) => [String(change.position), change.type, plain(change.title), change.id]),
  )

export const keyTable = (paint: Paint, keys: readonly Key[], now: Instant): string =>
  table(
    paint,
    ['key', 'kind', 'status', 'label', 'token', 'products', 'made', 'expires'],
    keys.map((key) => [
      key.id,
      key.kind,
      key.status,
      plain(key.label) || '-',
      key.tokens.map((token) => `${token.start}…`).join(' '),
      readable(key),
      day(key.createdAt, now),
      key.expiresAt === null ? 'never' : day(key.expiresAt, now),
    ]),
  )

export function keyPage(key: Key, now: Instant): string {
  const end = (at: Instant | null) => (at === null ? 'never' : moment(at, now))
  return columns([
    ['key', key.id],
    ['team', key.team.slug],
    ['kind', key.kind],
    ['status', key.status],
    ['label', plain(key.label) || '-'],
    ['products', readable(key)],
    ['made', moment(key.createdAt, now)],
    ['expires', end(key.expiresAt)],
    ...key.tokens.map((token) => [
      'token',
      `${token.start}…, made ${moment(token.createdAt, now)}, ends ${end(token.expiresAt)}`,
    ]),
  ]).join('\n')
}

const readable = (key: Key): string => (key.kind === 'FULL' ? 'all' : key.products.join(' ') || 'none')

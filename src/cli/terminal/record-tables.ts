import type { HiddenReason } from '../../domain/hidden.ts'
import {
  address,
  type Instant,
  type Key,
  type Product,
  type Team,
  type Version,
} from '../../domain/records.ts'
import type { Holdings, PlacedChange, ProductSummary, TeamSummary } from '../../store/records/types.ts'
import type { Context } from '../context.ts'
import { day, moment } from './moments.ts'
import { columns, table } from './table.ts'
import { counted, plain, plainLines } from './text.ts'

/** Records as people read them: a page for one, a table for many. The counterpart of `record-json.ts`. */

export const teamTable = (context: Context, teams: readonly TeamSummary[]): string =>
  table(
    context,
    ['team', 'name', 'visibility', 'plan', 'products', 'keys', 'created'],
    teams.map((team) => [
      team.slug,
      plain(team.name),
      team.visibility,
      team.plan,
      String(team.productCount),
      String(team.keyCount),
      day(team.createdAt, context.now()),
    ]),
  )

export const teamPage = (context: Context, team: Team, held: Holdings): string =>
  columns(context, [
    ['team', team.slug],
    ['name', plain(team.name)],
    ['visibility', team.visibility],
    ['plan', team.plan],
    ['products', String(held.products)],
    ['keys', String(held.keys)],
    ['created', moment(team.createdAt, context.now())],
  ]).join('\n')

export const productTable = (context: Context, products: readonly ProductSummary[]): string =>
  table(
    context,
    ['product', 'name', 'status', 'changelog', 'published', 'drafts', 'created'],
    products.map((product) => [
      address(product),
      plain(product.name),
      product.status,
      product.changelog.status,
      String(product.publishedCount),
      String(product.draftCount),
      day(product.createdAt, context.now()),
    ]),
  )

export const productPage = (context: Context, product: ProductSummary): string =>
  columns(context, [
    ['product', address(product)],
    ['name', plain(product.name)],
    ['status', product.status],
    ['changelog', `${plain(product.changelog.name)}, ${product.changelog.status}`],
    ['published', counted(product.publishedCount, 'version')],
    ['drafts', counted(product.draftCount, 'version')],
    ['created', moment(product.createdAt, context.now())],
  ]).join('\n')

export const versionTable = (context: Context, versions: readonly Version[]): string =>
  table(
    context,
    ['version', 'title', 'status', 'published at', 'changes', 'id'],
    versions.map((version) => [
      plain(version.label),
      plain(version.title),
      versionState(version),
      version.dateKnown ? day(version.publishedAt, context.now()) : '-',
      String(version.changeCount),
      version.id,
    ]),
  )

export function versionPage(
  context: Context,
  product: Product,
  version: Version & { formerLabels: readonly string[] },
  changes: readonly PlacedChange[],
): string {
  const { formerLabels } = version
  const facts = columns(context, [
    ['version', plain(version.label)],
    ...(formerLabels.length > 0 ? [['formerly', formerLabels.map(plain).join(', ')]] : []),
    ['product', address(product)],
    ['title', plain(version.title)],
    ['status', versionState(version)],
    [
      version.scheduled ? 'goes public' : 'published at',
      version.dateKnown ? moment(version.publishedAt, context.now()) : '-',
    ],
    ['id', version.id],
  ])
  const list = columns(
    context,
    changes.map((change) => [String(change.position), change.type, plain(change.title)]),
  )
  const parts = [facts.join('\n'), plainLines(version.description ?? ''), list.join('\n')]
  return parts.filter((part) => part !== '').join('\n\n')
}

export const changeTable = (context: Context, changes: readonly PlacedChange[]): string =>
  table(
    context,
    ['#', 'type', 'title', 'id'],
    changes.map((change) => [String(change.position), change.type, plain(change.title), change.id]),
  )

export const keyTable = (context: Context, keys: readonly Key[]): string =>
  table(
    context,
    ['key', 'kind', 'status', 'label', 'token', 'products', 'created', 'expires'],
    keys.map((key) => [
      key.id,
      key.kind,
      key.status,
      plain(key.label) || '-',
      key.tokens.map((token) => `${token.start}…`).join(' '),
      readable(key),
      day(key.createdAt, context.now()),
      key.expiresAt === null ? 'never' : day(key.expiresAt, context.now()),
    ]),
  )

export function keyPage(context: Context, key: Key): string {
  const end = (at: Instant | null) => (at === null ? 'never' : moment(at, context.now()))
  return columns(context, [
    ['key', key.id],
    ['team', key.team.slug],
    ['kind', key.kind],
    ['status', key.status],
    ['label', plain(key.label) || '-'],
    ['products', readable(key)],
    ['created', moment(key.createdAt, context.now())],
    ['expires', end(key.expiresAt)],
    ...key.tokens.map((token) => [
      'token',
      `${token.start}…, created ${moment(token.createdAt, context.now())}, expires ${end(token.expiresAt)}`,
    ]),
  ]).join('\n')
}

/** Why something that was published is not public yet, and how to change that. */
export const hiddenNotes = (reasons: readonly HiddenReason[]): string[] =>
  [...Map.groupBy(reasons, ({ remedy }) => remedy)].map(
    ([remedy, group]) =>
      `Still hidden: ${group.map(({ message }) => message).join('; ')}. To change that: ${remedy}`,
  )

const versionState = ({ status, scheduled }: Version): string => (scheduled ? 'scheduled' : status)

const readable = (key: Key): string => (key.kind === 'FULL' ? 'all' : key.products.join(' ') || 'none')

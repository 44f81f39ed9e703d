import { addressOfHook, shownUrl } from '../../domain/hooks.ts'
import { mapRows } from '../../domain/objects.ts'
import { pictureAddress } from '../../domain/pictures.ts'
import {
  address,
  type Instant,
  type Key,
  type Product,
  type Team,
  type Version,
} from '../../domain/records.ts'
import type { Hint } from '../../domain/refusal.ts'
import { keyStatus } from '../../domain/rules.ts'
import { plural } from '../../domain/text/plural.ts'
import { commandLine } from '../../domain/text/shell.ts'
import { size } from '../../domain/text/size.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { formatDuration } from '../../domain/time/time.ts'
import type { HiddenCode, HiddenReason } from '../../domain/versions/hidden.ts'
import { versionTexts } from '../../domain/versions/properties.ts'
import type { Writer } from '../../store/bookkeeping/writers.ts'
import type { ListedPicture } from '../../store/records/pictures.ts'
import type { PlacedChange, ProductSummary, TeamSummary } from '../../store/records/types.ts'
import type { Context } from '../context.ts'
import type { KnownHook, PlacedDelivery } from './json.ts'
import { day, event, moment } from './moments.ts'
import { type Cell, columns, spare, table } from './table.ts'
import { plain, plainLines } from './text.ts'

/** Records for people: a page for one, a table for many. */

/** The fields of a record with titles: rows of its page, or its row of a table. False means no field. */
export type Fields<T> = (record: T, view: View) => (Field | false)[]

interface View {
  readonly isPage: boolean
  readonly now: Instant
}
type Field = [title: string, value: Cell]

export const teamFields: Fields<TeamSummary> = (team, view) => [
  ['team', team.slug],
  ['name', plain(team.name)],
  ['visibility', team.visibility],
  ['plan', team.plan],
  view.isPage && team.subscribeUrl !== null && ['subscribe', team.subscribeUrl],
  ['products', String(team.productCount)],
  ['keys', String(team.keyCount)],
  ['created', timeIn(view, team.createdAt)],
]

export const productFields: Fields<ProductSummary> = (product, view) => [
  ['product', address(product)],
  ['name', plain(product.name)],
  ['status', product.status],
  ['changelog', (view.isPage ? `${plain(product.changelog.name)}, ` : '') + product.changelog.status],
  view.isPage && product.repository !== null && ['repository', plain(product.repository)],
  view.isPage && product.language !== null && ['language', product.language],
  view.isPage && product.subscribeUrl !== null && ['subscribe', product.subscribeUrl],
  ['published', versionsIn(view, product.publishedCount)],
  ['drafts', versionsIn(view, product.draftCount)],
  ['created', timeIn(view, product.createdAt)],
]

export const changelogFields: Fields<Product & { versionCount: number }> = (product) => [
  ['changelog', product.changelog.id],
  ['product', address(product)],
  ['name', plain(product.changelog.name)],
  ['status', product.changelog.status],
  ['versions', String(product.versionCount)],
]

interface VersionShown extends Version {
  product?: Product
  formerLabels?: readonly string[]
  writer?: Writer | null
}

export const versionFields: Fields<VersionShown> = (version, view) => {
  const { product, formerLabels = [], scheduled, writer } = version
  return [
    ['version', plain(version.label)],
    formerLabels.length > 0 && ['formerly', formerLabels.map(plain).join(', ')],
    product !== undefined && ['product', address(product)],
    ['title', plain(version.title)],
    ['status', storedStatus(version) + (version.yanked === null || view.isPage ? '' : ', yanked')],
    version.yanked !== null && view.isPage && ['yanked', plain(version.yanked) || 'yes'],
    [
      view.isPage && scheduled ? 'goes public' : 'published at',
      version.dateKnown ? timeIn(view, version.publishedAt) : '-',
    ],
    !view.isPage && ['changes', String(version.changeCount)],
    writer != null && ['written', `${plain(writer.name)}, ${moment(writer.at, view.now)}`],
    ['id', view.isPage ? version.id : spare(version.id)],
  ]
}

export const changeFields: Fields<PlacedChange> = (change) => [
  ['#', String(change.position)],
  ['type', change.type],
  ['title', plain(change.title)],
  ['id', spare(change.id)],
]

export const pictureFields: Fields<ListedPicture> = ({ id, size: bytes, shownBy, createdAt }, view) => [
  ['picture', pictureAddress(id)],
  ['size', size(bytes)],
  ['shown by', shownBy.map(plain).join(', ') || '-'],
  ['added', timeIn(view, createdAt)],
]

export const keyFields: Fields<Key> = (key, view) => [
  ['key', key.id],
  view.isPage && ['team', key.team.slug],
  ['kind', key.kind],
  ['status', keyStatus(key, view.now)],
  ['label', plain(key.label) || '-'],
  !view.isPage && ['token', key.tokens.map(({ start }) => `${start}…`).join(' ')],
  ['products', key.kind === 'FULL' ? 'all' : key.products.join(' ') || 'none'],
  ['created', timeIn(view, key.createdAt)],
  ['expires', key.expiresAt === null ? 'never' : timeIn(view, key.expiresAt)],
  ...(view.isPage ? key.tokens : []).map(({ start, createdAt, expiresAt }): Field => {
    const end = expiresAt === null ? 'never' : moment(expiresAt, view.now)
    return ['token', `${start}…, created ${moment(createdAt, view.now)}, expires ${end}`]
  }),
]

export const hookFields: Fields<KnownHook> = (hook, view) => [
  ['hook', addressOfHook(hook)],
  ['product', hook.product?.slug ?? 'all'],
  ['kind', hook.kind],
  ['url', plain(shownUrl(hook.url) ?? '-')],
  view.isPage && hook.unsubscribeUrl !== null && ['unsubscribe', hook.unsubscribeUrl],
  view.isPage && hook.kind === 'mail' && ['delay', hook.delay === 0 ? 'none' : formatDuration(hook.delay)],
  ['events', hook.events.join(', ') + (hook.stable ? ', stable only' : '')],
  [
    'status',
    hookStatus(hook, view.now) + (hook.givenUp.length > 0 ? `, ${hook.givenUp.length} given up` : ''),
  ],
  ['created', event(hook.createdAt, view.now)],
  ['id', view.isPage ? hook.id : spare(hook.id)],
]

const hookStatus = ({ status, state, needsSecret }: KnownHook, now: Instant): string => {
  if (needsSecret) return `${state?.stoppedAt != null ? 'disabled' : status}, no secret`
  if (state?.stoppedAt != null) return `disabled since ${moment(state.stoppedAt, now)}`
  if (status === 'active' && state?.failingSince != null)
    return `failing since ${moment(state.failingSince, now)}`
  return status
}

export const deliveryFields: Fields<PlacedDelivery> = (delivery, { now }) => [
  ['delivery', delivery.id],
  ['event', delivery.type],
  ['product', delivery.product ?? '-'],
  ['about', plain(delivery.label)],
  ['state', delivery.state],
  ['tries', String(delivery.tries)],
  ['last try', delivery.last === null ? '-' : event(delivery.last.at, now)],
  ['next try', delivery.state === 'waiting' ? event(delivery.nextAt, now) : '-'],
  ['took', delivery.last === null ? '-' : `${delivery.last.tookMs} ms`],
  ['status', String(delivery.last?.status ?? '-')],
  ['response', plain(delivery.last?.answer ?? '-')],
]

export function recordTable<T>(context: Context, records: readonly T[], fieldsOf: Fields<T>): string {
  const rows = records.map((record) => fieldsIn({ isPage: false, now: context.now() }, record, fieldsOf))
  const titles = rows[0]?.map(([title]) => title) ?? []
  const cells = rows.map((row) => row.map(([, value]) => value))
  return table(context, titles, cells)
}

export const recordPage = <T>(context: Context, record: T, fieldsOf: Fields<T>): string =>
  columns(context, fieldsIn({ isPage: true, now: context.now() }, record, fieldsOf)).join('\n')

export function versionPage(
  context: Context,
  product: Product,
  version: VersionShown,
  changes: readonly PlacedChange[],
): string {
  const rows = changes.map((change) => [String(change.position), change.type, plain(change.title)])
  const list = columns(context, rows)
  const facts = recordPage(context, { ...version, product }, versionFields)
  const { closing, ...before } = mapRows(versionTexts(version), (text) => plainLines(text ?? ''))
  const parts = [facts, ...Object.values(before), list.join('\n'), closing]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Names a team that a command has created beside its product: the name may be a typo. */
export const newTeamNotes = (team: Team | null, verb = 'Created'): string[] =>
  team ? [`${verb} team ${team.slug} (${team.visibility}).`] : []

/** Why published content is not public yet, and how to change that. */
export const hiddenNotes = (reasons: readonly HiddenReason[]): Hint[] =>
  [...Map.groupBy(reasons, ({ remedy }) => commandLine(remedy)).values()].map((group) => ({
    text: `Still hidden: ${group.map(({ message }) => message).join('; ')}. ${howToShow(group[0]?.code)}`,
    command: group[0]?.remedy ?? '',
  }))

function howToShow(code: HiddenCode | undefined): string {
  if (code === 'private_team') return 'To make the team public'
  return code === 'no_published_version' ? 'To publish one' : 'To publish it'
}

const fieldsIn = <T>(view: View, record: T, fieldsOf: Fields<T>): Field[] =>
  fieldsOf(record, view).filter((field) => field !== false)

const timeIn = ({ isPage, now }: View, instant: Instant): Cell =>
  isPage ? moment(instant, now) : day(instant, now)

const versionsIn = ({ isPage }: View, count: number): string =>
  isPage ? plural(count, 'version') : String(count)

import { addressOfHook, type Delivery, shownUrl } from '../../domain/hooks.ts'
import { mapRows, pick } from '../../domain/objects.ts'
import { type Picture, pictureAddress, sidesOf } from '../../domain/pictures.ts'
import {
  address,
  type Hook,
  type Instant,
  type Key,
  type Product,
  type Team,
  type Version,
} from '../../domain/records.ts'
import type { Hint } from '../../domain/refusal.ts'
import { keyStatus } from '../../domain/rules.ts'
import { headingFromType } from '../../domain/slug.ts'
import { commandLine } from '../../domain/text/shell.ts'
import { size } from '../../domain/text/size.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { HiddenCode, HiddenReason } from '../../domain/versions/hidden.ts'
import { changeTexts, shownFacts, versionTexts } from '../../domain/versions/properties.ts'
import type { HookState } from '../../store/bookkeeping/announced.ts'
import type { Writer } from '../../store/bookkeeping/writers.ts'
import type { ListedPicture } from '../../store/records/pictures.ts'
import type { PlacedChange, ProductSummary, TeamSummary } from '../../store/records/types.ts'
import type { Context } from '../context.ts'
import { day, event, moment } from './moments.ts'
import { type Cell, columns, spare, table } from './table.ts'
import { plain, plainLines, plural } from './text.ts'

/** Records for people: a page for one, a table for many. */

/** The fields of a record with titles: rows of its page, or its row of a table. False means no field. */
export type Fields<T> = (record: T, form: Form) => (Field | false)[]

interface Form {
  readonly isPage: boolean
  readonly now: Instant
}
type Field = [title: string, value: Cell]

export const teamFields: Fields<TeamSummary> = (team, form) => [
  ['team', team.slug],
  ['name', plain(team.name)],
  ['visibility', team.visibility],
  ['plan', team.plan],
  form.isPage && team.subscribeUrl !== null && ['subscribe', team.subscribeUrl],
  ['products', String(team.productCount)],
  ['keys', String(team.keyCount)],
  ['created', timeIn(form, team.createdAt)],
]

export const productFields: Fields<ProductSummary> = (product, form) => [
  ['product', address(product)],
  ['name', plain(product.name)],
  ['status', product.status],
  ['changelog', (form.isPage ? `${plain(product.changelog.name)}, ` : '') + product.changelog.status],
  form.isPage && product.repository !== null && ['repository', plain(product.repository)],
  form.isPage && product.language !== null && ['language', product.language],
  form.isPage && product.subscribeUrl !== null && ['subscribe', product.subscribeUrl],
  ['published', versionsIn(form, product.publishedCount)],
  ['drafts', versionsIn(form, product.draftCount)],
  ['created', timeIn(form, product.createdAt)],
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

export const versionFields: Fields<VersionShown> = (version, form) => {
  const { product, formerLabels = [], scheduled, writer } = version
  return [
    ['version', plain(version.label)],
    formerLabels.length > 0 && ['formerly', formerLabels.map(plain).join(', ')],
    product !== undefined && ['product', address(product)],
    ['title', plain(version.title)],
    ['status', storedStatus(version) + (version.yanked === null || form.isPage ? '' : ', yanked')],
    version.yanked !== null && form.isPage && ['yanked', plain(version.yanked) || 'yes'],
    [
      form.isPage && scheduled ? 'goes public' : 'published at',
      version.dateKnown ? timeIn(form, version.publishedAt) : '-',
    ],
    !form.isPage && ['changes', String(version.changeCount)],
    writer != null && ['written', `${plain(writer.name)}, ${moment(writer.at, form.now)}`],
    ['id', form.isPage ? version.id : spare(version.id)],
  ]
}

export const changeFields: Fields<PlacedChange> = (change) => [
  ['#', String(change.position)],
  ['type', change.type],
  ['title', plain(change.title)],
  ['id', spare(change.id)],
]

export const pictureFields: Fields<ListedPicture> = ({ id, size: bytes, shownBy, createdAt }, form) => [
  ['picture', pictureAddress(id)],
  ['size', size(bytes)],
  ['shown by', shownBy.map(plain).join(', ') || '-'],
  ['added', timeIn(form, createdAt)],
]

export const keyFields: Fields<Key> = (key, form) => [
  ['key', key.id],
  form.isPage && ['team', key.team.slug],
  ['kind', key.kind],
  ['status', keyStatus(key, form.now)],
  ['label', plain(key.label) || '-'],
  !form.isPage && ['token', key.tokens.map(({ start }) => `${start}…`).join(' ')],
  ['products', key.kind === 'FULL' ? 'all' : key.products.join(' ') || 'none'],
  ['created', timeIn(form, key.createdAt)],
  ['expires', key.expiresAt === null ? 'never' : timeIn(form, key.expiresAt)],
  ...(form.isPage ? key.tokens : []).map(({ start, createdAt, expiresAt }): Field => {
    const end = expiresAt === null ? 'never' : moment(expiresAt, form.now)
    return ['token', `${start}…, created ${moment(createdAt, form.now)}, expires ${end}`]
  }),
]

export const hookFields: Fields<KnownHook> = (hook, form) => [
  ['hook', addressOfHook(hook)],
  ['product', hook.product?.slug ?? 'all'],
  ['kind', hook.kind],
  ['url', plain(shownUrl(hook.url) ?? '-')],
  form.isPage && hook.unsubscribeUrl !== null && ['unsubscribe', hook.unsubscribeUrl],
  ['events', hook.events.join(', ') + (hook.stable ? ', stable only' : '')],
  ['status', hookStatus(hook, form.now)],
  ['created', event(hook.createdAt, form.now)],
  ['id', form.isPage ? hook.id : spare(hook.id)],
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

const fieldsIn = <T>(form: Form, record: T, fieldsOf: Fields<T>): Field[] =>
  fieldsOf(record, form).filter((field) => field !== false)

const timeIn = ({ isPage, now }: Form, instant: Instant): Cell =>
  isPage ? moment(instant, now) : day(instant, now)

const versionsIn = ({ isPage }: Form, count: number): string =>
  isPage ? plural(count, 'version') : String(count)

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
export type KnownHook = Hook & { state: HookState | null; needsSecret: boolean }

export const withoutState = (hook: Hook): KnownHook => ({ ...hook, state: null, needsSecret: false })

export const hookJson = ({ state, ...hook }: KnownHook) => ({
  id: hook.id,
  name: addressOfHook(hook),
  team: named(hook.team),
  product: hook.product && { slug: hook.product.slug },
  ...pick(hook, 'kind', 'events', 'stable', 'unsubscribeUrl'),
  url: shownUrl(hook.url),
  status: state?.stoppedAt != null ? ('disabled' as const) : hook.status,
  createdAt: formatInstant(hook.createdAt),
  failingSince: timeOrNull(state?.failingSince),
  stoppedAt: timeOrNull(state?.stoppedAt),
  reason: state?.reason ?? null,
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

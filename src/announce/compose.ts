import type { ChatKind } from '../domain/hook-kinds.ts'
import { type Delivery, isForPeople } from '../domain/hooks.ts'
import { mapRows } from '../domain/objects.ts'
import type { Change, Hook, Instant, Product } from '../domain/records.ts'
import { cut } from '../domain/text/cut.ts'
import { formatInstant } from '../domain/time/time.ts'
import { changeEntry, summaryEntry } from '../domain/versions/entries.ts'
import { CHANGE_TEXTS, shownFacts } from '../domain/versions/properties.ts'
import { mapTexts } from '../domain/versions/texts.ts'
import { picturesOf } from '../notes/pictures.ts'
import type { Told } from '../store/bookkeeping/deliveries.ts'
import type { Records } from '../store/records/records.ts'
import type { PublicVersion } from '../store/records/types.ts'
import { discordBody } from './chat/discord.ts'
import { mattermostBody } from './chat/mattermost.ts'
import { ntfyBody } from './chat/ntfy.ts'
import { type Outline, outlineOf } from './chat/outline.ts'
import { slackBody } from './chat/slack.ts'
import { teamsBody } from './chat/teams.ts'
import { telegramBody } from './chat/telegram.ts'
import type { MailBody } from './mail/mail.ts'
import type { Links, Message } from './message.ts'

/** The body of a message for a hook; a hub is asked to fetch the feed of the site. */
export async function bodyFor(hook: Hook, message: Message, links: Links): Promise<string> {
  const { kind } = hook
  if (kind === 'mail') return mailWriter().mailBody(message, links, hook)
  return kind === 'websub' ? publishBody(`${links.base}/`) : bodyOf(kind, message, links)
}

export function bodyOf(kind: 'webhook' | ChatKind, message: Message, links: Links): string {
  return kind === 'webhook' ? webhookBody(message, links) : CHATS[kind](outlineOf(message, links))
}

const CHATS: Record<ChatKind, (outline: Outline) => string> = {
  slack: slackBody,
  discord: discordBody,
  teams: teamsBody,
  mattermost: mattermostBody,
  telegram: telegramBody,
  ntfy: ntfyBody,
}

/** Loaded when first needed: most processes write no mail. */
const mailWriter = () => require('./mail/mail.ts') as typeof import('./mail/mail.ts')

/** Asks a hub to fetch a feed. */
const publishBody = (feedUrl: string): string =>
  new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': feedUrl }).toString()

/**
 * The body of a delivery, of what is public now; null if there is nothing to send. A webhook gets the same at each try.
 * What people read is written anew, without releases that their list was `told`; `news` are the others.
 */
export async function compose(
  { announcing, transfer }: Pick<Records, 'announcing' | 'transfer'>,
  hook: Hook,
  delivery: Delivery,
  told: readonly Told[],
  links: Links,
): Promise<{ body: string; news: readonly Told[] } | null> {
  const { type, versionIds, label, productId, productName, createdAt: at } = delivery
  if (hook.kind === 'websub' || type === 'feed.changed') {
    const product = await announcing.product(productId)
    const feed = product && links.feed(label, product)
    return feed === null ? null : { body: publishBody(feed), news: [] }
  }
  const kept = hook.kind === 'webhook' ? delivery.body : null
  if (type === 'version.withdrawn') {
    const message = { type, at, id: versionIds[0] ?? '', label, product: productName }
    return { body: kept ?? (await bodyFor(hook, message, links)), news: [] }
  }
  const stored = await announcing.find(versionIds)
  const found = hook.kind === 'mail' ? stored : stored.map((each) => withOwnPictures(each, links))
  const isNews = isForPeople(hook.kind) && type !== 'version.updated'
  const versions = isNews ? await untold(found, told, transfer) : found
  const [first] = versions
  if (!first) return null
  const message: Message =
    type === 'versions.published'
      ? { type, at, product: first.product, versions }
      : { type, at, found: first }
  const body = versions.length === versionIds.length ? kept : null
  const news = versions.map(({ version: { id, label } }) => ({
    hookId: hook.id,
    versionId: id,
    productId,
    label,
  }))
  return { body: body ?? (await bodyFor(hook, message, links)), news: isNews ? news : [] }
}

/** What a mail hook would send of a version that is not public yet. */
export const mailOf = async (
  hook: Hook,
  found: PublicVersion,
  at: Instant,
  links: Links,
): Promise<MailBody> =>
  JSON.parse(
    await bodyFor(hook, { type: 'version.published', at, found: withOwnPictures(found, links) }, links),
  )

/** A version that was deleted and has come back with another id is told all the same. */
async function untold(
  found: readonly PublicVersion[],
  told: readonly Told[],
  { exists }: Pick<Records['transfer'], 'exists'>,
): Promise<PublicVersion[]> {
  const ids = new Set(told.map(({ versionId }) => versionId))
  const labels = Map.groupBy(told, ({ label }) => label)
  const untold: PublicVersion[] = []
  for (const each of found) {
    const { id, label } = each.version
    const namesakes = await Promise.all((labels.get(label) ?? []).map(({ versionId }) => exists(versionId)))
    if (!ids.has(id) && namesakes.every((isThere) => isThere)) untold.push(each)
  }
  return untold
}

/** Mail writes the addresses itself. */
const withOwnPictures = ({ product, version, changes }: PublicVersion, { base }: Links): PublicVersion => {
  const pictures = picturesOf(product.team.slug, product.slug, () => base)
  const texts = mapTexts({ ...version, changes }, pictures)
  return { product, version: { ...version, ...texts }, changes: texts.changes }
}

/** Receivers may refuse more than 20 KB. */
const MOST_BODY_BYTES = 20_000
const TITLE_LENGTH = 300

/** The body of a webhook: `data` has the names of the API's version detail, without its long texts. */
function webhookBody(message: Message, links: Links): string {
  const { type } = message
  const timestamp = formatInstant(message.at)
  const written = (data: object) => JSON.stringify({ type, timestamp, data })
  switch (message.type) {
    case 'version.published':
    case 'version.updated': {
      const data = { ...versionData(message.found), ...links.version(message.found) }
      return fitting(message.found.changes.map(changeData), (changes) => written({ ...data, changes }))
    }
    case 'version.withdrawn':
      return written({ object: 'changelog.version', id: message.id, version: message.label })
    case 'versions.published': {
      const { product, versions } = message
      const data = { object: 'changelog', ...changelogOf(product), versionCount: versions.length }
      const list = versions.map((found) => ({ ...summary(found), ...links.version(found) }))
      return fitting(list, (versions) => written({ ...data, ...links.changelog(product), versions }))
    }
    case 'hook.test':
      return written({ object: 'hook', id: message.id, name: message.name })
  }
}

/** A message with as many elements as fit: the counts in `data` and the API have the rest. */
function fitting<T>(elements: readonly T[], write: (some: readonly T[]) => string): string {
  let room = MOST_BODY_BYTES - Buffer.byteLength(write([]))
  const fits = elements.findIndex((element) => {
    room -= Buffer.byteLength(JSON.stringify(element)) + 1
    return room <= 0
  })
  return write(fits === -1 ? elements : elements.slice(0, fits))
}

const changelogOf = ({ team, slug, name, changelog }: Product) => ({
  team: { slug: team.slug, name: team.name },
  product: { slug, name },
  changelog: { id: changelog.id, name: changelog.name, status: changelog.status },
})

const summary = ({ version }: PublicVersion) => ({
  ...summaryEntry(version),
  title: cut(version.title, TITLE_LENGTH),
})

const versionData = (found: PublicVersion) => ({
  ...summary(found),
  ...changelogOf(found.product),
  dateKnown: found.version.dateKnown,
  ...shownFacts(found.version),
})

const NO_TEXTS = mapRows(CHANGE_TEXTS, () => undefined)

const changeData = (change: Change) => {
  const title = cut(change.title, TITLE_LENGTH)
  return { ...changeEntry(change), ...NO_TEXTS, title }
}

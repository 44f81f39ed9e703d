import type { Delivery } from '../domain/hooks.ts'
import type { Hook } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'
import { discordBody } from './chat/discord.ts'
import { outlineOf } from './chat/outline.ts'
import { slackBody } from './chat/slack.ts'
import { teamsBody } from './chat/teams.ts'
import type { Links, Message } from './message.ts'
import { webhookBody } from './payload.ts'

/** The body of a message for a kind of hook. */
export function bodyOf(kind: Exclude<Hook['kind'], 'websub'>, message: Message, links: Links): string {
  switch (kind) {
    case 'webhook':
      return webhookBody(message, links)
    case 'slack':
      return slackBody(outlineOf(message, links))
    case 'discord':
      return discordBody(outlineOf(message, links))
    case 'teams':
      return teamsBody(outlineOf(message, links))
  }
}

/** What tells a hub that it should fetch a feed. */
export const publishBody = (feedUrl: string): string =>
  new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': feedUrl }).toString()

/**
 * What to send of a delivery, as it is public now; null if it is hidden, so that nothing is sent. What was sent before is
 * sent again as it was.
 */
export async function compose(
  { announcing }: Pick<Records, 'announcing'>,
  hook: Hook,
  delivery: Delivery,
  links: Links,
): Promise<string | null> {
  const { type, versionIds, label, productName: product, createdAt: at, body } = delivery
  const { kind } = hook
  if (kind === 'websub' || type === 'feed.changed') {
    const product = await announcing.product(delivery.productId)
    const feed = product && links.feed(label, product)
    return feed && publishBody(feed)
  }
  if (type === 'version.withdrawn')
    return body ?? bodyOf(kind, { type, at, id: versionIds[0] ?? '', label, product }, links)
  const versions = await announcing.find(versionIds)
  const [first] = versions
  if (!first) return null
  if (type !== 'versions.published') return body ?? bodyOf(kind, { type, at, found: first }, links)
  if (body !== null && versions.length === versionIds.length) return body
  return bodyOf(kind, { type, at, product: first.product, versions }, links)
}

import type { Received } from './receiver.ts'

/**
 * Mattermost, Telegram and ntfy as their documentation describes them. Each refuses what the service refuses, in its words, and keeps
 * what people would see.
 */

export interface Seen {
  title: string
  text: string
  /** Whom it would notify by name. */
  mentions: string[]
  links: string[]
  /** Everything else that the service was told. */
  settings: Record<string, unknown>
}

type Chat = (message: Received, seen: Seen[]) => Response

export const MATTERMOST = '/hooks/xprz3n4ub3ny5rkbbd1mjcn7xe'
const MATTERMOST_FIELDS = ['text', 'username', 'icon_url', 'icon_emoji', 'channel', 'props', 'attachments']

const mattermostError = (status: number, message: string): Response =>
  Response.json({ id: 'web.incoming_webhook.app_error', message, status_code: status }, { status })

const mattermost: Chat = ({ path, headers, body }, seen) => {
  if (path !== MATTERMOST) return mattermostError(400, 'Invalid webhook.')
  if (headers.get('content-type') !== 'application/json')
    return mattermostError(400, 'Unable to parse incoming data.')
  const { text, ...settings } = JSON.parse(body) as { text?: string }
  const isKnown = Object.keys(settings).every((name) => MATTERMOST_FIELDS.includes(name))
  if (!isKnown || typeof text !== 'string' || text === '') return mattermostError(400, 'No text specified.')
  // Longer ones become several posts.
  if ([...text].length > 16_383) return mattermostError(400, 'The text is longer than a post.')
  // What comes from programs for Slack is translated, also within code.
  const translated = text
    .replace(/<([^\n<|>]+)\|([^|\n>]+)>/g, '[$2]($1)')
    .replace(/<!(channel|here|all)>/g, '@$1')
    .replace(/<(@?[a-z0-9]{26})>/g, '@somebody')
  const uncoded = translated.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  seen.push({
    title: '',
    text: translated,
    mentions: uncoded.match(/(?<![a-z0-9])@\w[\w.-]*/gi) ?? [],
    links: [...uncoded.matchAll(/(?<!\\)\]\((\S+?)\)/g)].map(([, url = '']) => url),
    settings,
  })
  return new Response('ok')
}

export const TELEGRAM = '/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage'
export const CHAT = '-1001987654321'
const ENTITIES = ['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'strike', 'del', 'a', 'code', 'pre']

const telegramError = (status: number, description: string, parameters?: object): Response =>
  Response.json({ ok: false, error_code: status, description, ...(parameters && { parameters }) }, { status })

const telegram: Chat = ({ path, search, body }, seen) => {
  if (path !== TELEGRAM) return telegramError(401, 'Unauthorized')
  // Parameters come in one of four ways, not in two.
  if (search !== '') return telegramError(400, 'Bad Request: parameters in the address and in the body')
  const { chat_id, text, parse_mode, ...settings } = JSON.parse(body) as Record<string, string>
  if (chat_id !== CHAT) return telegramError(400, 'Bad Request: chat not found')
  if (parse_mode !== 'HTML') return telegramError(400, 'Bad Request: unsupported parse_mode')
  const read = entitiesOf(text ?? '')
  if (typeof read === 'string') return telegramError(400, `Bad Request: can't parse entities: ${read}`)
  if (read.text.trim() === '') return telegramError(400, 'Bad Request: message text is empty')
  if (read.text.length > 4_096) return telegramError(400, 'Bad Request: message is too long')
  seen.push({ title: '', ...read, settings })
  const chat = { id: Number(chat_id), title: 'A private group', type: 'supergroup' }
  return Response.json({ ok: true, result: { message_id: 1, chat, text: read.text } })
}

/** The text with its entities, or what is wrong with it. */
function entitiesOf(html: string): string | Pick<Seen, 'text' | 'mentions' | 'links'> {
  const open: string[] = []
  const links: string[] = []
  let [text, uncoded] = ['', '']
  for (const [all, slash, tag, rest = '', reference, other] of html.matchAll(
    /<(\/?)([a-z]*)([^<>]*)>|&(\w+|#\d+);|([\s\S])/gu,
  )) {
    if (tag !== undefined) {
      if (!ENTITIES.includes(tag)) return `Unsupported start tag "${tag}"`
      if (slash && open.pop() !== tag) return `Unmatched end tag "${tag}"`
      if (slash) continue
      if (open.includes('code') || (tag === 'code' && open.length > 0))
        return `"${tag}" within "${open.join()}"`
      const href = /^ href="([^"]+)"$/.exec(rest)?.[1]
      if (tag === 'a' ? href === undefined : rest !== '') return `Attributes of "${tag}"`
      if (href !== undefined) links.push(href.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
      open.push(tag)
    } else {
      const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }
      const written = reference === undefined ? other : characters[reference]
      if (written === undefined) return `Unknown reference ${all}`
      if (other === '<' || other === '&') return `Unescaped ${other}`
      text += written
      if (!open.includes('code')) uncoded += written
    }
  }
  return open.length > 0
    ? `Can't find end tag corresponding to start tag ${open}`
    : { text, links, mentions: uncoded.match(/(?<!\w)@[a-z]\w{3,}/gi) ?? [] }
}

export const NTFY = '/releases-of-acme'
export const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
const NTFY_PARAMETERS = ['title', 'priority', 'tags', 'click', 'icon', 'delay', 'markdown', 'email']

const ntfyError = (code: number, error: string): Response => {
  const status = Math.floor(code / 100)
  return Response.json(
    { code, http: status, error, link: 'https://ntfy.sh/docs/publish/#limitations' },
    { status },
  )
}

const ntfy: Chat = ({ path, search, headers, body }, seen) => {
  if (path !== NTFY) return ntfyError(40_009, 'invalid request: topic invalid')
  if (headers.get('authorization') !== `Bearer ${NTFY_TOKEN}`) return ntfyError(40_301, 'forbidden')
  const given = Object.fromEntries(new URLSearchParams(search))
  const other = Object.keys(given).find((name) => !NTFY_PARAMETERS.includes(name))
  if (other !== undefined) return ntfyError(40_000, `invalid request: ${other}`)
  const { title = '', priority = '3', tags = '', click } = given
  if (!/^[1-5]$/.test(priority)) return ntfyError(40_007, 'invalid priority parameter')
  if (Buffer.byteLength(title) > 1_024 || Buffer.byteLength(tags) > 512)
    return ntfyError(40_000, 'invalid request: title or tags too long')
  // Longer ones become a file, which people must open.
  if (Buffer.byteLength(body) > 4_096) return ntfyError(41_301, 'attachment too large')
  if (body === '') return ntfyError(40_000, 'shown as "triggered"')
  seen.push({ title, text: body, mentions: [], links: click === undefined ? [] : [click], settings: given })
  return Response.json({ id: 'hwQ2YpKdmg', event: 'message', topic: path.slice(1), title, message: body })
}

export const CHATS = {
  mattermost: { path: MATTERMOST, answer: mattermost },
  telegram: { path: `${TELEGRAM}?chat_id=${CHAT}`, answer: telegram },
  ntfy: { path: `${NTFY}?token=${NTFY_TOKEN}`, answer: ntfy },
}

export const tooManyForTelegram = (seconds: number): Response =>
  telegramError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })

/** A group that became another, whose id is a secret like the old one. */
export const movedInTelegram = (): Response =>
  telegramError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -1_002_233_445_566,
  })

import { LIST_URL_RULE, listUrlOf, MAIL_RULE, MAILTO, mailUrlOf } from './addresses/mail-address.ts'
import { addressText, chatOf, type HookKind, isChat, isMisshapen, kindName } from './hook-kinds.ts'
import { HOOK_EVENTS, type Hook, type HookEvent, type Instant, LIMITS } from './records.ts'
import { type Hint, Refusal, taken } from './refusal.ts'
import { hasSecret } from './sources.ts'
import { type Command, commandLine } from './text/shell.ts'
import { DAY_MS, parseDuration } from './time/time.ts'

/** More new versions of a product at once become one message. */
export const MOST_ALONE = 5

/** Delivery types: an event of a version, many published at once, or a ping of a hub for a feed. */
export type DeliveryType = `version.${HookEvent}` | 'versions.published' | 'feed.changed'

/**
 * `dropped` means that it was not sent, because its version is hidden by now or its list has it; `failed` that it was given up, which is
 * reported until somebody replays it, or has `dismissed` it.
 */
export type DeliveryState = 'waiting' | 'done' | 'dropped' | 'failed' | 'dismissed'

export interface Delivery {
  /** The `webhook-id`: the same at each try. */
  id: string
  hookId: string
  type: DeliveryType
  productId: string
  /** The product of a version when last public: it may be hidden or deleted by now. */
  productName: string | null
  /** None for a feed. */
  versionIds: readonly string[]
  /** The label of the one version, or the name of the feed. */
  label: string
  state: DeliveryState
  createdAt: Instant
  tries: number
  /** When it is tried next, while it waits. */
  nextAt: Instant
  /** For a webhook: the same at each try; null before the first. */
  body: string | null
  /** The last try; null before the first. */
  last: DeliveryTry | null
}

export interface DeliveryTry {
  at: Instant
  tookMs: number
  /** Null without an answer. */
  status: number | null
  /** The beginning of the answer, or why there was none. */
  answer: string
}

export const CHAT_URL_RULE = 'an https:// address with no user name, password, fragment or line break'
export const HOOK_URL_RULE = 'an https:// address with no user name, password, token, fragment or line break'

/** The address of a webhook or hub is shown and exported, so it may have no secret. */
export function hookUrlOf(text: string): string | null {
  const url = chatUrlOf(text)
  return url !== null && hasSecret(new URL(url)) ? null : url
}

/** Plain http is refused when it is sent, unless HOOKS_PRIVATE allows it. */
export function chatUrlOf(text: string): string | null {
  // Parsing would drop line breaks without a word.
  const url = /[\p{Cc}#]/u.test(text) ? null : URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return url.username || url.password || url.href.length > 2_000 ? null : url.href
}

/** True for a path with a long random part, and for hosts where whoever knows an address can send to it. */
export function seemsSecret(url: string | null): boolean {
  // Nothing can hide it.
  if (url?.startsWith(MAILTO)) return false
  const { hostname = '', pathname = '', search = '' } = URL.parse(url ?? '') ?? {}
  return (
    /(^|\.)(zapier\.com|ntfy\.sh|pipedream\.net)$/.test(hostname) ||
    (pathname + search).split(/[^\w-]+/).some((part) => part.length >= 16 && /\d\D+\d/.test(part))
  )
}

export const urlNotes = (hook: Pick<Hook, 'name' | 'team' | 'url'>): Hint[] =>
  seemsSecret(hook.url) ? [{ text: SHOWN, command: hookCommand('rotate', hook, { 'url-file': 'FILE' }) }] : []

const SHOWN = 'Lists and exports show this address, which seems secret. To hide it, save it to a file and run'

/** True if it cannot be sent to without a secret: one that signs, or its address. */
export const needsSecret = ({ kind, url }: Pick<Hook, 'kind' | 'url'>): boolean =>
  (kind !== 'websub' && kind !== 'mail') || url === null

/** True for the one secret of a hook that is its address. The others sign. */
export const isUrl = (secret: string): boolean => /^https?:/.test(secret)

/** Refuses the address of another chat, and one that lacks what its kind needs. */
export function checkKind(kind: HookKind, url: string, isPlain: boolean): void {
  const other = chatOf(url, isPlain)
  if (other && other !== kind)
    throw new Refusal(`This is a ${kindName(other)} address, not a ${kindName(kind)} address.`, {
      hint: `Use hook add with --${other}-url-file instead.${insist(url)}`,
    })
  if (isMisshapen(kind, url)) throw new Refusal(`A ${kindName(kind)} hook needs ${addressText(kind)}.`)
}

/** Advice for an address that may be one of a chat. */
const insist = (url: string | null): string =>
  chatOf(url) ? '' : ' If it is not a chat, use --plain, or kind: webhook with apply.'

/** The address of a webhook or a hub, as it is stored. Refuses one with a secret, such as that of a chat. */
export function webhookUrl(text: string, isPlain: boolean, what = 'The address'): string {
  const url = chatUrlOf(text)
  const chat = chatOf(url, isPlain)
  if (chat)
    throw new Refusal(
      `${what} is a ${kindName(chat)} address, and a secret. Addresses of webhooks are not kept secret.`,
      {
        hint: `Save it to a file, and run: ${commandLine({ name: 'hook add', args: ['TEAM'], options: { [`${chat}-url-file`]: 'FILE' } })}. With apply, use kind: ${chat} and urlFile.${insist(url)}`,
      },
    )
  if (url === null || hookUrlOf(url) === null)
    throw new Refusal(`The address of a hook must be ${HOOK_URL_RULE}.`, {
      hint:
        url === null
          ? mailUrlOf(text) === null
            ? undefined
            : 'To send mail, use --mail, or kind: mail with apply.'
          : 'Messages are signed, so a webhook needs no token. If yours does, save the address to a file, and give --url-file FILE, --websub-url-file FILE for a hub, or urlFile with apply.',
    })
  return url
}

/** The address in lists: of a chat, only the host; of mail, without `mailto:`. */
export const shownUrl = (url: string | null): string | null =>
  url !== null && chatOf(url) ? `${new URL(url).origin}/…` : (url?.replace(MAILTO, '') ?? null)

/** The address of a mail hook, as it is stored. */
export function mailUrl(text: string): string {
  const url = mailUrlOf(text)
  if (url === null) throw new Refusal(`The address of a mail hook must be ${MAIL_RULE}.`)
  return url
}

/** True for chats and mail, where nobody wants to read the same twice. */
export const isForPeople = (kind: HookKind): boolean => kind === 'mail' || isChat(kind)

/** The default events: people in a chat need not know of every edit, and mail cannot be taken back. */
export const usualEvents = (kind: HookKind): readonly HookEvent[] => {
  if (kind === 'mail') return ['published']
  return isChat(kind) ? ['published', 'withdrawn'] : HOOK_EVENTS
}

/** How long mail waits by default: a message cannot be taken back. */
export const usualDelay = (kind: HookKind): number => (kind === 'mail' ? 2 * 60_000 : 0)

export const MOST_DELAY_MS = DAY_MS
export const DELAY_RULE = 'from 0s to 1d'

/** A duration that a mail hook may wait, or null. */
export function hookDelayOf(text: string): number | null {
  const delay = text === '0' ? 0 : parseDuration(text)
  return delay !== null && delay <= MOST_DELAY_MS ? delay : null
}

/** Parses a list with commas into the usual order; null if one is unknown. */
export function hookEventsOf(text: string): HookEvent[] | null {
  const given = new Set(text.split(',').map((event) => event.trim()))
  const events = HOOK_EVENTS.filter((event) => given.has(event))
  return events.length === given.size ? events : null
}

export const HOOK_NAME_RULE = `at most ${LIMITS.name} letters, digits, dots, colons, hyphens and underscores`

export const isHookName = (name: string): boolean =>
  name.length <= LIMITS.name && /^[\p{L}\p{M}\p{N}._:-]+$/u.test(name)

/** The default name: the host of its address, what is before the @, or the chat. */
export function usualName({ kind, url }: Pick<Hook, 'kind' | 'url'>): string {
  if (url === null) return kind
  const { protocol, host, pathname } = new URL(url)
  if (protocol === MAILTO) return pathname.slice(0, pathname.indexOf('@')).replace(/[^\w.-]/g, '-')
  return host.replace(/[[\]]/g, '').slice(0, LIMITS.name)
}

/** The name, with a number if another hook has it. */
export function freeName(name: string, others: readonly Hook[]): string {
  let free = name
  for (let number = 2; others.some((other) => other.name === free); number++)
    free = `${name.slice(0, LIMITS.name - 10)}-${number}`
  return free
}

/** Refuses an invalid hook. `others` are those of its team. */
export function checkHook(hook: Hook, others: readonly Hook[]): void {
  // Not repeated: it may have a secret.
  if (hook.kind === 'mail') checkMailHook(hook)
  else if (hook.url !== null && hookUrlOf(hook.url) !== hook.url)
    throw new Refusal(`The address of a hook must be ${HOOK_URL_RULE}.`)
  else if (hook.unsubscribeUrl !== null) throw new Refusal(`Only a mail hook has an address to unsubscribe.`)
  else if (hook.delay > 0) throw new Refusal('Only a mail hook can wait before it sends.')
  if (!isHookName(hook.name)) throw new Refusal(`The name of a hook must be ${HOOK_NAME_RULE}.`)
  const name = addressOfHook(hook)
  if (others.some((other) => other.name === hook.name && other.id !== hook.id))
    throw taken(`hook ${name}`, ['hook show', name])
}

function checkMailHook({ url, unsubscribeUrl, events, delay }: Hook): void {
  mailUrl(url ?? '')
  if (delay > MOST_DELAY_MS) throw new Refusal(`The delay of a mail hook must be ${DELAY_RULE}.`)
  if (unsubscribeUrl !== null && listUrlOf(unsubscribeUrl) !== unsubscribeUrl)
    throw new Refusal(`The address to unsubscribe must be ${LIST_URL_RULE}.`)
  if (events.includes('withdrawn'))
    throw new Refusal('A mail hook sends published and updated, because mail cannot be taken back.', {
      hint: 'Leave out withdrawn.',
    })
}

/** How people and commands name it. */
export const addressOfHook = (hook: Pick<Hook, 'name' | 'team'>): string => `${hook.team.slug}/${hook.name}`

export const hookCommand = (
  verb: string,
  hook: Pick<Hook, 'name' | 'team'>,
  options: Command['options'] = {},
): Command => ({ name: `hook ${verb}`, args: [addressOfHook(hook)], options })

/** The command that gives it a new secret. */
export const rotateCommand = (hook: Pick<Hook, 'name' | 'team' | 'url'>): Command =>
  hookCommand('rotate', hook, { 'url-file': hook.url === null && 'FILE' })

/** True if a hook hears of a product: all of its team, or this one. */
export const isAbout = (hook: Pick<Hook, 'product'>, productId: string): boolean =>
  hook.product === null || hook.product.id === productId

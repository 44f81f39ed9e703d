import { hasSecret } from './addresses/source.ts'
import type { Hook, HookKind, Instant } from './records.ts'
import { Refusal } from './refusal.ts'

/** What hooks are told. `versions.published` lists many at once. */
export const EVENT_TYPES = [
  'version.published',
  'version.updated',
  'version.withdrawn',
  'versions.published',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Of a product at once: more than this many new versions become one message. */
export const MOST_ALONE = 5

/** What a delivery is: an event, a ping of a hub for a feed, or a test by hand. */
export type DeliveryType = EventType | 'feed.changed'

/** `dropped` means that it was not sent, because its version is hidden by now; `failed` that it is not tried again. */
export type DeliveryState = 'waiting' | 'done' | 'dropped' | 'failed'

export interface Delivery {
  /** The `webhook-id`: the same at each try. */
  id: string
  hookId: string
  type: DeliveryType
  productId: string
  /** None for a feed. */
  versionIds: readonly string[]
  /** The label of the one version, or the name of the feed. */
  label: string
  state: DeliveryState
  createdAt: Instant
  tries: number
  /** When it is tried next, while it waits. */
  nextAt: Instant
  /** What is sent, the same at each try; null before the first. */
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

export const CHAT_URL_RULE = 'an address that begins with https://, without a user name or password'
export const HOOK_URL_RULE = 'an address that begins with https://, without a user name, password or token'

/** Of a webhook or a hub: it is shown and exported, so no secret may be in it. */
export function hookUrlOf(text: string): string | null {
  const url = chatUrlOf(text)
  return url !== null && hasSecret(new URL(url)) ? null : url
}

/** Plain http is refused when it is sent, unless HOOKS_PRIVATE allows it. */
export function chatUrlOf(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return url.username || url.password || url.href.length > MOST ? null : url.href.replace(/#.*$/, '')
}

const MOST = 2_000

export function checkHookUrl(url: string): void {
  // Not repeated: it may have a secret.
  if (hookUrlOf(url) !== url) throw new Refusal(`The address of a hook must be ${HOOK_URL_RULE}.`)
}

/** Whether its address is a secret. */
export const isChat = (kind: HookKind): boolean => kind !== 'webhook' && kind !== 'websub'

/** What people call it: the host of its address, or the chat. */
export const nameOfHook = ({ kind, url }: Pick<Hook, 'kind' | 'url'>): string =>
  url === null ? kind : (URL.parse(url)?.host ?? kind)

/** How commands name it, if that is unique. */
export const addressOfHook = (hook: Pick<Hook, 'kind' | 'url' | 'team'>): string =>
  `${hook.team.slug}/${nameOfHook(hook)}`

/** The command that gives it a new secret. */
export const rotateCommand = ({ id, kind }: Pick<Hook, 'id' | 'kind'>): string =>
  `changelogd hook rotate ${id}${isChat(kind) ? ' --url-file FILE' : ''}`

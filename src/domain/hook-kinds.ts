import { namesOf } from './objects.ts'

interface KindOfHook {
  /** How messages name it. */
  readonly name: string
  /** For a chat: host and path of incoming webhooks. They are secrets, because knowing one is enough to write there. */
  readonly address?: RegExp
  /** For a chat: addresses that other receivers have too. */
  readonly sharedAddress?: RegExp
  /** For a chat without incoming webhooks: path and parameters that an address must have, and an example. */
  readonly form?: RegExp
  readonly example?: string
}

/** Kinds of subscribers. Commands, checks and exports follow from a row; `announce/compose.ts` writes its messages. */
const KINDS = {
  webhook: { name: 'webhook' },
  slack: { name: 'Slack', address: /^hooks\.slack(-gov)?\.com\// },
  discord: { name: 'Discord', address: /^([a-z]+\.)?discord(app)?\.com\/+api\/+(v\d+\/+)?webhooks\// },
  teams: {
    name: 'Teams',
    address: /^([^/]+\.webhook|outlook(?=[^/]+\/webhook))\.office(365)?\.(com|us)\//,
    // Power Automate posts to Teams, and elsewhere.
    sharedAddress:
      /^[^/]+\.(logic\.azure\.(com|us|cn)|powerplatform\.(com|microsoft\.us)|flow\.microsoft\.com)\//,
  },
  mattermost: { name: 'Mattermost', sharedAddress: /\/hooks\/[a-z0-9]{26}$/ },
  telegram: {
    name: 'Telegram',
    address: /^api\.telegram\.org\/bot/,
    form: /\/bot\d+:[\w-]+\/sendMessage\?(.*&)?chat_id=[^&]/i,
    example: 'https://api.telegram.org/bot…/sendMessage?chat_id=ID',
  },
  ntfy: {
    name: 'ntfy',
    // Programs subscribe to topics, too.
    sharedAddress: /^ntfy\.[^/]+\/[\w-]+$/,
    form: /^\/[\w-]{1,64}(\?|$)/,
    example: 'https://ntfy.sh/TOPIC',
  },
  websub: { name: 'WebSub hub' },
  mail: { name: 'mail' },
} as const satisfies Readonly<Record<string, KindOfHook>>

type Kinds = typeof KINDS
export type HookKind = keyof Kinds
export type ChatKind = {
  [Kind in HookKind]: Kinds[Kind] extends { address: RegExp } | { sharedAddress: RegExp } ? Kind : never
}[HookKind]

export const HOOK_KINDS = namesOf(KINDS) as [HookKind, ...HookKind[]]

/** A newer program may have stored another kind. */
const rowOf = (kind: HookKind): KindOfHook => KINDS[kind] ?? { name: kind }

export const isChat = (kind: HookKind): kind is ChatKind =>
  (rowOf(kind).address ?? rowOf(kind).sharedAddress) !== undefined
export const CHAT_KINDS: readonly ChatKind[] = HOOK_KINDS.filter(isChat)

export const kindName = (kind: HookKind): string => rowOf(kind).name

/** What a file with a secret address has, as help names it. */
export const addressText = (kind: HookKind): string => {
  const { name, example } = rowOf(kind)
  const what = isChat(kind) ? `${name} incoming webhook` : name
  return example === undefined ? `the address of a ${what}` : `an address like ${example}`
}

/** True for an address that cannot be one of this kind. */
export const isMisshapen = (kind: HookKind, url: string): boolean =>
  rowOf(kind).form?.test(url.slice(new URL(url).origin.length)) === false

/** The chat whose incoming webhook has this address. `isPlain` leaves out addresses that other receivers have too. */
export function chatOf(url: string | null, isPlain = true): ChatKind | null {
  const { hostname = '', pathname = '' } = URL.parse(url ?? '') ?? {}
  const place = `${hostname.replace(/\.$/, '')}${pathname}`.toLowerCase()
  const isAt = (pattern: 'address' | 'sharedAddress') => (kind: ChatKind) =>
    rowOf(kind)[pattern]?.test(place) === true
  return (
    CHAT_KINDS.find(isAt('address')) ?? (isPlain ? null : (CHAT_KINDS.find(isAt('sharedAddress')) ?? null))
  )
}

import { unescape as decoded } from 'node:querystring'
import { MAILTO } from '../domain/addresses/mail-address.ts'
import { isUrl } from '../domain/hooks.ts'
import type { Hook, Instant } from '../domain/records.ts'
import { plain } from '../domain/text/controls.ts'
import { cut } from '../domain/text/cut.ts'
import { retryAfter } from '../domain/time/waiting.ts'
import type { Network } from '../outgoing/destination.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import { type MailServer, sendMail } from '../outgoing/mail.ts'
import { send } from '../outgoing/request.ts'
import { ADDRESSED, readAnswer } from './chat/addressed.ts'
import type { MailBody } from './mail/mail.ts'

const TIMEOUT_MS = 20_000
/** A longer answer is not read. */
const MOST_ANSWER_BYTES = 64 * 1_024
/** Characters of the answer that `deliveries` shows. */
const SHOWN = 200

/** How hooks are reached. */
export interface Reach {
  allowPrivate: boolean
  /** Null without SMTP_URL. */
  mailServer: MailServer | null
  /** The program's, for the User-Agent. */
  version: string
  network?: Network
}

export interface Sent {
  /** Null without an answer. */
  status: number | null
  /** The beginning of the answer in one line, without secrets; or why there is none. */
  answer: string
  /** The receiver does not want to be asked sooner. */
  notBefore: Instant | null
  /** Another try would get the same answer, and other messages need not. */
  isFinal?: boolean
}

/**
 * Sends a message once, without following redirects. `secrets` sign it, or are its address. Throws only the reason of
 * `signal`.
 */
export async function sendTo(
  hook: Pick<Hook, 'kind' | 'url'>,
  secrets: readonly string[],
  { id, body }: { id: string; body: string },
  now: Instant,
  reach: Reach,
  signal?: AbortSignal,
): Promise<Sent> {
  if (hook.kind === 'mail') return sendByMail(hook, { id, body }, reach, signal)
  const { allowPrivate, version, network } = reach
  const address = hook.url ?? secrets.find(isUrl) ?? ''
  const addressed = ADDRESSED[hook.kind]?.(new URL(address), body)
  const signing = secrets.filter((secret) => !isUrl(secret))
  const headers = {
    'user-agent': `changelogd/${version}`,
    'content-type': hook.kind === 'websub' ? 'application/x-www-form-urlencoded' : 'application/json',
    ...(hook.kind === 'webhook' && signatureHeaders(signing, id, now, body)),
    ...addressed?.headers,
  }
  const request = { url: address, body, ...addressed, headers, method: 'POST' as const, allowPrivate, signal }
  try {
    const answer = await send(
      { ...request, maxBytes: MOST_ANSWER_BYTES, byStatus: true, timeoutMs: TIMEOUT_MS, redirects: 0 },
      network,
    )
    const text = Buffer.from(answer.body).toString('utf8')
    const { said, seconds } = addressed ? readAnswer(text) : { said: text, seconds: 0 }
    return {
      status: answer.status,
      answer: shown(masked(said, secretWords(secrets))),
      notBefore: seconds > 0 ? now + seconds * 1_000 : retryAfter(answer.headers, now),
    }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const forbidden = error.fault === 'private' || error.fault === 'plain'
    const answer = forbidden ? [error.message, remedyOf(error)].join(' ') : error.message
    return { status: null, answer: masked(answer, secretWords(secrets)), notBefore: null }
  }
}

export const NO_MAIL_SERVER = 'SMTP_URL is not set, so mail hooks send nothing'
export const MAIL_SERVER_REMEDY = 'Set SMTP_URL and MAIL_FROM, for the worker and for commands.'

/** The words of the server are masked too: some repeat what they were told. */
async function sendByMail(
  { url }: Pick<Hook, 'url'>,
  { id, body }: { id: string; body: string },
  { mailServer, network }: Reach,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  if (!mailServer)
    return { status: null, answer: `${NO_MAIL_SERVER}. ${MAIL_SERVER_REMEDY}`, notBefore: null }
  const { password, url: server } = mailServer
  const user = decodeURIComponent(new URL(server).username)
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
  const words = password === '' ? [] : [password, ...encoded]
  try {
    const { at, host, ...written } = JSON.parse(body) as MailBody
    const to = url?.slice(MAILTO.length) ?? ''
    const mail = { ...written, to, date: new Date(at), messageId: `<${id}@${host}>` }
    const { status, words: said, isFinal } = await sendMail(mailServer, mail, signal, network)
    return { status, answer: shown(masked(said, words)), notBefore: null, isFinal }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const answer = [error.message, error.hint].join(' ').trim()
    return { status: null, answer: shown(masked(answer, words)), notBefore: null }
  }
}

/** The remedy for a failing address. */
export const remedyOf = ({ fault, hint }: OutgoingError): string | undefined =>
  fault === 'private' ? 'To allow private addresses, set HOOKS_PRIVATE=true.' : hint

/** Words that a receiver may repeat and nobody may read: those of a secret address, and secrets that sign. */
const secretWords = (secrets: readonly string[]): string[] =>
  secrets.flatMap((secret) => {
    if (!isUrl(secret)) return [secret, withoutPrefix(secret)]
    const { hostname, pathname, search } = new URL(secret)
    // A host can name an endpoint, as at Pipedream.
    const host = /^[\w-]{8,}(?=\.[^.]+\.)/.exec(hostname) ?? []
    return [...host, ...(`${pathname}${search} ${decoded(pathname + search)}`.match(/[\w-]{4,}/g) ?? [])]
  })

function masked(text: string, secrets: readonly string[]): string {
  // The longest first: one may be the beginning of another.
  const words = secrets.toSorted((one, other) => other.length - one.length)
  return words.length === 0 ? text : text.replace(new RegExp(words.map(RegExp.escape).join('|'), 'gi'), '…')
}

const shown = (text: string): string => cut(plain(text).replace(/\s+/g, ' ').trim(), SHOWN)

/** Standard Webhooks 1.0.0: a secret is `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_'
const BYTES = 32

export const newSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES))).toString('base64')

/** The key in base64. */
const withoutPrefix = (secret: string): string => secret.slice(PREFIX.length)

/** The headers of a message. While a secret is replaced, receivers may verify with either. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: Instant,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(withoutPrefix(secret), 'base64')
    return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

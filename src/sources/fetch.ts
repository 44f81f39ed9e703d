import { Refusal } from '../domain/refusal.ts'
import { type Answer, send } from '../outgoing/request.ts'
import type { Check, Memory } from './check-context.ts'
import { quotaOf } from './quotas.ts'
import { tokenFor } from './tokens.ts'

/** The most that is read of an answer, a file or a pack. */
export const MOST_SOURCE_BYTES = 20 * 1024 * 1024
export const MOST_MS = 60_000
const MOST_REDIRECTS = 3

interface FetchOptions {
  /** Headers of the host, given the token. */
  headers?: (token: string | null) => Record<string, string>
  since?: Memory['validators']
  isAnonymous?: boolean
  maxBytes?: number
  /** How the address after each redirect must begin. */
  within?: string
  timeoutMs?: number
}

/** Asks for an address, as often as its host allows. Throws an OutgoingError, or `Postponed`. */
export async function fetchFor(url: string, check: Check, options: FetchOptions): Promise<Answer> {
  const answer = await fetchOnce(url, check, options)
  const { status, headers, body } = answer
  if (status !== 200 || headers.has('content-length') || headers.has('transfer-encoding')) return answer
  // The response ended with the connection, which may have been lost.
  const again = await fetchOnce(url, check, options)
  if (Buffer.compare(body, again.body) === 0) return again
  throw new Refusal(
    `${new URL(url).host} sent two different responses without a length. They may be incomplete.`,
  )
}

async function fetchOnce(
  url: string,
  { source, env, quotas, now, network, allowPrivate, signal, onMoved }: Check,
  { headers = () => ({}), since, isAnonymous, ...options }: FetchOptions,
): Promise<Answer> {
  const { origin, host } = new URL(url)
  const token = isAnonymous ? null : tokenFor(source, origin, env)
  const asksForChanges = since?.url === url ? conditions(since) : {}
  const quota = quotaOf(origin, token, source)
  quotas.refuse(quota, now)
  const answer = await send(
    {
      url,
      headers: { ...headers(token), ...asksForChanges },
      maxBytes: MOST_SOURCE_BYTES,
      timeoutMs: MOST_MS,
      redirects: MOST_REDIRECTS,
      ...options,
      allowPrivate,
      signal,
    },
    network,
  )
  quotas.learn(quota, answer, now)
  if (answer.isMoved && !isAnonymous) onMoved?.(answer.url)
  if (answer.status === 304 && Object.keys(asksForChanges).length === 0)
    throw new Refusal(`${host} returned status 304 to an unconditional request.`)
  if (answer.status === 401 && token !== null)
    throw new Refusal(`${host.replace(GITHUB, 'GitHub')} rejected the token. It is wrong or has expired.`, {
      kind: 'unauthorized',
      hint: 'Replace the token where it is set: GITHUB_TOKEN, GITLAB_TOKEN, FORGEJO_TOKEN, or --token-file.',
    })
  return answer
}

function conditions({ etag, lastModified }: NonNullable<Memory['validators']>): Record<string, string> {
  if (etag !== null) return { 'if-none-match': etag }
  return lastModified === null ? {} : { 'if-modified-since': lastModified }
}

export const validatorsOf = (url: string, { headers }: Answer): NonNullable<Memory['validators']> => ({
  url,
  etag: headers.get('etag'),
  lastModified: headers.get('last-modified'),
})

/** Refuses every answer but one with content. `what` names the content, such as `the releases of acme/app`. */
export function refuseFailure(url: string, { status }: Answer, what: string, missing: string): void {
  const { host } = new URL(url)
  if (status === 200) return
  if (status === 401)
    throw new Refusal(`${host} requires a token for ${what}.`, { kind: 'unauthorized', hint: TOKEN })
  if (status === 403) throw new Refusal(`${host} denied access to ${what}.`, { hint: TOKEN })
  if (status === 404 || status === 410)
    throw new Refusal(missing, { kind: 'not_found', hint: `Check the address. ${TOKEN}` })
  throw new Refusal(
    `${host} returned status ${status} for ${what}.`,
    status >= 500 ? {} : { hint: 'Check the address.' },
  )
}

const GITHUB = /^(?:api\.)?github\.com$/
const TOKEN = 'For a private repository, give a token with --token-file.'

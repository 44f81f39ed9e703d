import { gunzipSync } from 'node:zlib'
import { codeOf } from '../domain/errors.ts'
import { bounded } from '../domain/text/bounded.ts'
import { type Destination, destinationOf, type Network, SYSTEM } from './destination.ts'
import { OutgoingError } from './errors.ts'

export interface Outgoing {
  url: string
  method?: 'GET' | 'POST'
  /** All but `SHARED` go only to the origin of `url`. */
  headers?: Record<string, string>
  body?: string
  /** Limits the answer, also once decompressed. */
  maxBytes: number
  /** Only the status counts: a body that is longer, cut off or encoded otherwise is left out then. */
  byStatus?: true
  /** For everything, from the first name to the last byte. */
  timeoutMs: number
  /** How many redirects are followed; with 0 an answer that redirects is returned like any other. */
  redirects: number
  /** How the address after each redirect must begin. */
  within?: string | undefined
  /** Allows private addresses, also with plain http. */
  allowPrivate: boolean
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Headers
  body: Uint8Array
  /** The address after redirects. */
  url: string
  /** True after redirects, if all were permanent. */
  isMoved: boolean
}

/** Headers that another origin gets too, after a redirect: they hold no secret. */
const SHARED = new Set(['accept', 'user-agent', 'if-none-match', 'if-modified-since'])

/**
 * Sends a request to an address that was resolved and checked before, again for each redirect, and reads the whole
 * answer. Throws an OutgoingError; or the reason of `signal`, once that is aborted.
 */
export async function send(request: Outgoing, network: Network = SYSTEM): Promise<Answer> {
  const { url: first, timeoutMs, redirects, method = 'GET' } = request
  const url = parsed(first)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  let at = url
  let isMoved = true
  try {
    for (let followed = 0; ; followed++) {
      const headers = headersFor(request, at.origin === url.origin)
      const answer = await exchange(request, at, headers, signal, network)
      const location = REDIRECTS.has(answer.status) ? answer.headers.get('location') : null
      if (location === null || redirects === 0 || method !== 'GET')
        return { ...answer, isMoved: isMoved && followed > 0 }
      if (followed === redirects)
        throw new OutgoingError('redirect', `${url.host} redirects more than ${redirects} times.`)
      at = redirected(at, location, request.within)
      isMoved &&= answer.status === 301 || answer.status === 308
    }
  } catch (error) {
    request.signal?.throwIfAborted()
    throw timeout.aborted ? tooSlow(at, timeoutMs, error) : error
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

function parsed(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new OutgoingError('address', 'This is not an https address.')
}

function redirected(from: URL, location: string, within = ''): URL {
  const to = URL.parse(location, from.href)
  if (to && !to.href.startsWith(within))
    throw new OutgoingError('redirect', `${from.host} redirects out of the folder.`)
  if (to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')) return to
  throw new OutgoingError('redirect', `${from.host} redirects to an address that is not https.`)
}

function headersFor({ headers = {} }: Outgoing, isFirstOrigin: boolean): Headers {
  const sent = Object.entries(headers).filter(([name]) => isFirstOrigin || SHARED.has(name.toLowerCase()))
  return new Headers({ 'user-agent': 'changelogd', ...Object.fromEntries(sent), 'accept-encoding': 'gzip' })
}

/** Sends a request to the addresses in turn, until one of them can be connected to. */
async function exchange(
  { method = 'GET', body, maxBytes, allowPrivate, byStatus }: Outgoing,
  url: URL,
  headers: Headers,
  signal: AbortSignal,
  network: Network,
): Promise<Omit<Answer, 'isMoved'>> {
  const destination = await stoppable(destinationOf(url, allowPrivate, network), signal)
  headers.set('host', url.host)
  const done = new AbortController()
  try {
    const response = await connected(destination, network, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      decompress: false,
      keepalive: false,
      signal: AbortSignal.any([signal, done.signal]),
    })
    const whole = readAll(url, response, maxBytes).then((read) =>
      decoded(url, response.headers, read, maxBytes),
    )
    return {
      status: response.status,
      headers: response.headers,
      url: url.href,
      body: await (byStatus ? whole.catch(() => new Uint8Array()) : whole),
    }
  } catch (error) {
    throw error instanceof OutgoingError ? error : failed(url, error)
  } finally {
    // Ends the connection of an answer that was not read to its end.
    done.abort()
  }
}

/** The URL has the address, so nothing resolves the name again; name and certificate are those of the host. */
async function connected(
  { url, name, addresses }: Destination,
  { ca }: Network,
  options: BunFetchRequestInit,
): Promise<Response> {
  const tls = { ...(name !== null && { serverName: name }), ...(ca !== undefined && { ca }) }
  let last: unknown
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const target = new URL(url)
    target.hostname = address.includes(':') ? `[${address}]` : address
    target.hash = ''
    try {
      return await fetch(target, { ...options, tls })
    } catch (error) {
      if (!UNREACHABLE.has(codeOf(error))) throw error
      last = error
    }
  }
  throw last
}

export const MOST_ADDRESSES = 4

/** Codes of connections that were not made, so that nothing was sent. */
export const UNREACHABLE = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL EAFNOSUPPORT FailedToOpenSocket'.split(' '),
)

async function readAll(url: URL, response: Response, maxBytes: number): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge(url, maxBytes)
  if (!response.body) return new Uint8Array()
  return Buffer.concat(await Array.fromAsync(bounded(response.body, maxBytes, () => tooLarge(url, maxBytes))))
}

function decoded(url: URL, headers: Headers, body: Uint8Array, maxBytes: number): Uint8Array {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || body.length === 0) return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new OutgoingError('broken', `${url.host} sent an unsupported encoding.`)
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw codeOf(cause) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(url, maxBytes) : broken(url, cause)
  }
}

/** Settles when `signal` aborts, although the work cannot be stopped. */
export function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The error of a connection that was not made, or whose certificate is not trusted; null for another code. */
export function connectionFault(url: URL, code: string, cause: unknown): OutgoingError | null {
  if (UNREACHABLE.has(code))
    return new OutgoingError('connection', `Cannot connect to ${url.host}.`, {
      hint: 'Check that it is running and that no firewall blocks it.',
      cause,
    })
  if (CERTIFICATE.test(code))
    return new OutgoingError('certificate', `The certificate of ${url.host} is not trusted (${code}).`, {
      hint: 'If your own CA signed it, set NODE_EXTRA_CA_CERTS to the file of the CA.',
      cause,
    })
  return null
}

function failed(url: URL, cause: unknown): OutgoingError {
  const code = codeOf(cause)
  const known = connectionFault(url, code, cause)
  if (known) return known
  if (code === 'EPROTO')
    return new OutgoingError('connection', `${url.host} does not use TLS on this port.`, { cause })
  if (code === 'Malformed_HTTP_Response' || code === 'ResponseHeadersTooLarge')
    return new OutgoingError('broken', `${url.host} did not send an HTTP response.`, {
      cause,
    })
  return broken(url, cause)
}

const CERTIFICATE = /CERT|SIGNATURE|_CRL|_CA\b|ISSUER|HOSTNAME/

const broken = (url: URL, cause: unknown): OutgoingError =>
  new OutgoingError('broken', `${url.host} closed the connection before the response was complete.`, {
    cause,
  })

const tooLarge = (url: URL, maxBytes: number): OutgoingError =>
  new OutgoingError(
    'size',
    `The response of ${url.host} is larger than ${maxBytes.toLocaleString('en')} bytes.`,
  )

const tooSlow = (url: URL, timeoutMs: number, cause: unknown): OutgoingError =>
  new OutgoingError('timeout', `${url.host} did not respond within ${timeoutMs / 1000} seconds.`, { cause })

import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { Abandoned, createCoalesce } from '../cache/coalesce.ts'
import { type Client, createSlots } from '../cache/slots.ts'
import type { Turn } from '../cache/turn.ts'
import { errorResponse, notFoundResponse, type Refuse } from '../errors.ts'
import type { HeaderFields } from '../json-response.ts'
import { targetOf } from '../paths.ts'
import { readerOf } from '../reading/names.ts'
import type { PlainBody } from '../reading/serialize.ts'
import { whenReady } from '../when-ready.ts'
import { CachedResponse, createCachedResponse, send, sendStale } from './cached-response.ts'
import { type Encoding, negotiateEncoding } from './encoding.ts'

/** Bodies with the same headers share one object of them. */
export interface Body {
  text: PlainBody
  headers: HeaderFields
  /** JSON by default. */
  type?: string
}

export interface Redirect {
  location: string
  headers: HeaderFields
}

/** `revision` is null if the data changed during the work. */
export interface Made {
  /** Null if nothing has these names, whatever the query. */
  value: CachedResponse | Redirect | null
  revision: Revision | null
  /** Whether only the label in the query is missing. */
  isLabelMissing?: boolean
}

/** What a request asks for. To the routes, the pipeline names its client and connection in headers of their own. */
export interface Asking {
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
  readonly signal: AbortSignal
  readonly client?: string
  readonly connection?: string
}

interface RespondOptions {
  /** Makes the 404. */
  refuse?: Refuse | undefined
  /** That of the query, if any. */
  label?: string | undefined
  /** Whether it may take several turns to make. */
  isPage?: boolean
  /** Makes it at once, without `make`; null if that is not possible. */
  makeNow?: ((build: Build) => Made | Promise<Made> | null) | undefined
}

export interface Work {
  /** Throws `Abandoned` once no client waits. */
  checkWanted(): void
  /** Runs what takes little memory: at once, unless so many requests came at once that others would have to wait. */
  paced<T>(work: () => Promise<T>): Promise<T>
  /** For work that takes much memory: runs it when the client's turn comes. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  build: Build
}

/** Builds a response with a body of this revision, and caches it unless that is null. */
export type Build = (body: Body, revision: Revision | null) => CachedResponse | Promise<CachedResponse>

/** The pipeline names the client of a public request in this header, for turns. */
export const CLIENT_HEADER = 'client'
/** The header in which it names the connection, of which requests may be pipelined. */
export const CONNECTION_HEADER = 'connection-name'

/** What an entry takes besides its body and key, mostly headers: measured as growth of the process. */
const ENTRY_BYTES = 2_816

/** Logged if the client did not wait, as other servers do. */
const CLIENT_GONE = 499

/** Concurrent responses that take much memory. */
const SLOTS = 2

/** Connections whose short reads may begin in one turn of the event loop, however long it gets. */
const BURST = 4

/** The bounds on cached 404s by name and by target, and the overhead of one. */
const MAX_NOT_FOUND_BYTES = 2 ** 20
const NOT_FOUND_BYTES = 256
const NOT_FOUND = {}

/**
 * Caches responses until the data changes: each for one audience, one reduced target (path and known parameters) and
 * one encoding. A 404 is cached by names alone, without the query (except for a missing label): a second request for
 * something hidden takes exactly the steps of one for something missing, and no other query gives another chance to
 * measure the first. A public 404 is also cached by target, so that it is not routed again.
 */
export function createRespond(cache: Cache, cacheBytes: number, turn: Turn) {
  const pacing = createSlots(Number.POSITIVE_INFINITY, turn, BURST)
  const slots = createSlots(SLOTS, turn)
  const coalesce = createCoalesce(cache.revision)
  const responses = cache.map<CachedResponse>(
    cacheBytes,
    (response, key) => response.body.size + 2 * key.length + ENTRY_BYTES,
  )
  const notFoundMap = () =>
    cache.map<typeof NOT_FOUND>(MAX_NOT_FOUND_BYTES, (_, key) => 2 * key.length + NOT_FOUND_BYTES)
  const [notFounds, notFoundTargets] = [notFoundMap(), notFoundMap()]

  /**
   * Sends what `make` makes of these names, once for all concurrent requests; or a 404. During an outage the public gets
   * what was cached last. API-key holders do not: the key may have been disabled since. Rejects with what `make` throws.
   */
  const respond = (
    audience: Audience,
    request: Asking,
    names: object,
    make: (work: Work) => Promise<Made>,
    { refuse = errorResponse, label, isPage = false, makeNow }: RespondOptions = {},
  ): Response | Promise<Response> => {
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    const target = targetOf(request.url)
    const key = cacheKey(audience, target, encoding)
    const client = clientOf(audience, request, turn)
    const name = readerOf(audience) + JSON.stringify(names)
    const nameWithLabel =
      label === undefined ? name : readerOf(audience) + JSON.stringify({ ...names, after: label })
    /** What is known if nothing has these names, or these and the label. */
    const missing = (): Made | null => {
      const isNameMissing = notFounds.get(name) !== undefined
      if (!isNameMissing && (label === undefined || !notFounds.get(nameWithLabel))) return null
      return { value: null, revision: cache.revision(), isLabelMissing: !isNameMissing }
    }
    const build: Build = ({ text, headers, type }, revision) =>
      whenReady(createCachedResponse(text, encoding, headers, type), (response) => {
        if (typeof text !== 'string') free(text)
        responses.set(key, response, response.isFinal ? revision : null)
        return response
      })

    const finish = ({ value, revision, isLabelMissing }: Made): Response => {
      if (!value) notFounds.set(isLabelMissing ? nameWithLabel : name, NOT_FOUND, revision)
      if (!value && audience === 'public') notFoundTargets.set(target, NOT_FOUND, revision)
      const response = responseWith(value, request, refuse)
      // Otherwise the next page in the same write might have to wait, and the connection would end without a word.
      if (isPage && client.isPipelined && turn.isLong()) response.headers.set('connection', 'close')
      return response
    }

    const recover = async (error: unknown): Promise<Response> => {
      if (error instanceof Abandoned) return new Response(null, { status: CLIENT_GONE })
      const isOutage = error instanceof Unavailable && audience === 'public'
      if (isOutage && (notFounds.getDuringOutage(name) || notFounds.getDuringOutage(nameWithLabel)))
        return responseWith(null, request, refuse)
      const cached = isOutage ? responses.getDuringOutage(key) : undefined
      if (!cached) throw error
      return sendStale(cached, request.headers)
    }

    const work = (checkWanted: () => void): Work => ({
      checkWanted,
      paced: (task) => pacing.run(client, key, task),
      inTurn: (task) => slots.run(client, key, task),
      build,
    })
    const making = async (checkWanted: () => void) => missing() ?? make(work(checkWanted))

    try {
      const made = makeNow && pacing.runNow(client, () => missing() ?? makeNow(build))
      if (made && !(made instanceof Promise)) return finish(made)
      if (!made) for (const each of [pacing, slots]) each.join(client.name, key)
      return (made ?? coalesce(key, making, request.signal)).then(finish).catch(recover)
    } catch (error) {
      return recover(error)
    }
  }

  return {
    respond,

    cachedResponse: (
      audience: Audience,
      target: string,
      request: Pick<Headers, 'get'>,
    ): CachedResponse | undefined =>
      responses.get(cacheKey(audience, target, negotiateEncoding(request.get('accept-encoding')))),

    /** Whether the public 404 of a target is cached. It says nothing about API keys. */
    isNotFound: (target: string): boolean => notFoundTargets.get(target) !== undefined,
  }
}

function responseWith(value: Made['value'], { headers }: Asking, refuse: Refuse): Response {
  if (value instanceof CachedResponse) return send(value, headers)
  if (!value) return notFoundResponse(refuse)
  return new Response(null, { status: 302, headers: { ...value.headers, location: value.location } })
}

/** Who takes turns: an API key, or an address. */
function clientOf(audience: Audience, asked: Asking, turn: Turn): Client {
  const { headers } = asked
  const name = audience === 'public' ? (asked.client ?? headers.get(CLIENT_HEADER) ?? '') : audience.keyId
  const connection = asked.connection ?? headers.get(CONNECTION_HEADER) ?? ''
  return { name, connection, isPipelined: turn.arrive(connection) }
}

/** Frees the memory of copied bytes now, not at the next garbage collection. */
function free({ buffer, length }: Buffer<ArrayBuffer>): void {
  // Short ones share their memory.
  if (buffer.byteLength === length) buffer.transfer(0)
}

/**
 * Names everything a response depends on, so that no reader gets another's. It names the API key, not the rights of its
 * grant: a key's team and kind never change, and the cached read checks the attached products of a SELECT key. A key id
 * has no slash and a target no space, so keys are unambiguous.
 */
const cacheKey = (audience: Audience, target: string, encoding: Encoding): string => {
  const reader = readerOf(audience)
  return encoding === 'identity' ? reader + target : `${reader}${target} ${encoding}`
}

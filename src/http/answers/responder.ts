import type { Address } from '../../domain/addresses/ip-address.ts'
import { isPictureName } from '../../domain/pictures.ts'
import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Store } from '../../store/store.ts'
import type { Cache, Stamp } from '../cache.ts'
import { clientName } from '../limits/limiter.ts'
import type { Context } from '../request/context.ts'
import { createNotFound, errorResponse, notFoundResponse } from '../request/errors.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { type Body, type CachedResponse, Encoded, send } from './cached-response.ts'
import { Abandoned, createCoalesce, type SharedWork } from './coalesce.ts'
import { ENCODINGS, type Encoding, negotiateEncoding } from './encoding.ts'
import type { ResponseHeaders } from './headers.ts'
import { ANYBODY, createQueue } from './queue.ts'
import { createReads, type Reads } from './reads.ts'
import { leadToRenamed, type Names, namesFor } from './renamed.ts'

export interface Redirect {
  readonly kind: 'redirect'
  location: string
  /** Default: 302. */
  status?: number
  headers: HeaderFields
}

/** A page with status 404 that offers alternatives. It is not cached: there are as many as names. */
export interface MissingPage extends Omit<Body, 'kind'> {
  readonly kind: 'missing page'
}

/** Only the label in this parameter of the query is missing; null for the path. */
export interface Missing {
  readonly kind: 'missing'
  parameter: string | null
}

/** The content of a response; null if nothing has these names, whatever the query. */
export type Content = Body | MissingPage | Redirect | Missing | null

/** Long content is made when its turn comes, all of it from one state of the data. */
export interface Long {
  readonly kind: 'long'
  make(reads: Reads): Promise<Content>
}

export const long = (make: Long['make']): Long => ({ kind: 'long', make })

/** Makes content, or tells that it is long. */
export type Make = (reads: Reads) => Promise<Content | Long>

/** What was made, and the revision of all that was read: null if the data changed in between. */
interface Made {
  result: Encoded | Exclude<Content, Body>
  revision: Revision | null
}

export type Responder = ReturnType<typeof createResponder>

/** The size of an entry without body, key and stamp, mostly headers: measured as growth of the process. */
const ENTRY_BYTES = 2_816

/** Pictures must not push all pages out of the cache. */
const PICTURES_SHARE = 1 / 4

/** Logged if the client did not wait, as other servers do. */
const CLIENT_GONE = 499

/** The bounds on cached 404s by name and by target, and the overhead of one. */
const MAX_NOT_FOUND_BYTES = 2 ** 20
const NOT_FOUND_BYTES = 256
const NOT_FOUND: Missing = { kind: 'missing', parameter: null }

/**
 * Caches responses until the data changes, and those of one product until it does: each for one audience, one reduced target
 * (path and known parameters), one form and one encoding. A 404 is cached by names alone, without the query (except for a missing label): a second request for
 * something hidden takes exactly the steps of one for something missing, and no other query gives another chance to
 * measure the first. A public 404 of a name is also cached by target, so that it is not routed again.
 */
export function createResponder(
  store: Store,
  cache: Cache,
  headers: ResponseHeaders,
  cacheBytes: number,
  failed = () => {},
) {
  const coalesce = createCoalesce({ ...store, revision: cache.revision }, createQueue())
  const responsesIn = (bytes: number) =>
    cache.map<CachedResponse>(Math.floor(bytes), ({ body }, key) => body.size + 2 * key.length + ENTRY_BYTES)
  const pictures = responsesIn(cacheBytes * PICTURES_SHARE)
  const others = responsesIn(cacheBytes * (1 - PICTURES_SHARE))
  const responsesFor = (context: Context) => (isPicture(context) ? pictures : others)
  const notFoundMap = () =>
    cache.map<Missing>(MAX_NOT_FOUND_BYTES, (_, key) => 2 * key.length + NOT_FOUND_BYTES)
  const [notFounds, notFoundTargets] = [notFoundMap(), notFoundMap()]
  const fixed = new Map<string, Encoded>()
  const apiNotFound = createNotFound(headers.everyPublic)

  /**
   * Sends what `make` makes of these names, once for all concurrent requests; or a 404. `label` is the label of the
   * query, if any. A response that is cached in another encoding is only encoded anew. During an outage, the public gets
   * the last cached response. API-key holders do not: the key may be disabled by now. Rejects with the error of `make`.
   */
  const respond = async (
    audience: Audience,
    context: Context,
    given: Names,
    make: Make,
    label?: string,
  ): Promise<Response> => {
    const { target, request, refuse } = context
    const names = namesFor(context, given)
    const reader = readerOf(audience)
    const encoding = encodingOf(context)
    const key = keyOf(reader, context)
    const name = reader + JSON.stringify(names)
    const nameWithLabel = label === undefined ? name : reader + JSON.stringify({ ...names, after: label })
    const responses = responsesFor(context)

    /** Of what the names lead to, if that is one product. Without a cache nobody needs it. */
    const { teamSlug = '', productSlug = '' } = names
    const isStamped = cacheBytes > 0 && productSlug !== ''
    const stampOf = async ({ ask }: Reads): Promise<Stamp> =>
      isStamped ? ask('readStamp', audience, teamSlug, productSlug) : null
    /** Encoded for this request at once, and for others that wait for the same work when they have it. */
    const encoded = async (
      body: () => Body | Promise<Body>,
      revision: Revision | null,
      stamp: Stamp,
      known?: Map<Encoding, CachedResponse>,
    ): Promise<Made> => {
      const keep = (response: CachedResponse, encoding: Encoding) =>
        responses.set(encodedKey(key, encoding), response, revision, stamp)
      const result = new Encoded(body, keep, known)
      await result.as(encoding)
      return { result, revision }
    }
    const built = (content: Content, revision: Revision | null, stamp: Stamp): Made | Promise<Made> =>
      content?.kind === 'body' ? encoded(() => content, revision, stamp) : { result: content, revision }
    const orRenamed = async (reads: Reads, content: Content): Promise<Content> =>
      content ?? leadToRenamed(reads, context, names, headers.forPublic)
    const work = async ({ checkWanted, inTurn }: SharedWork): Promise<Made> => {
      // Asked first: the data may change while the response is decoded.
      const asked = cache.revision()
      const reads = createReads(store, failed)
      // Before the content, or a stamp of after a commit would be that of a text of before.
      const stamp = await stampOf(reads)
      const revision = reads.revision(asked) ?? asked
      // No product of these names may be seen. Pages may lead to where it is now.
      if (stamp === null && isStamped && !names.isPage) return { result: null, revision }
      const known = new Map<Encoding, CachedResponse>()
      for (const encoding of ENCODINGS) {
        const response = responses.renewed(encodedKey(key, encoding), stamp, revision)
        if (response) known.set(encoding, response)
      }
      const [first] = known.values()
      if (first) return encoded(() => first.content(), revision, stamp, known)
      const made = await make(reads)
      if (made?.kind !== 'long') {
        const content = await orRenamed(reads, made)
        return built(content, reads.revision(cache.revision()), stamp)
      }
      return inTurn(async () => {
        const { value, revision } = await store.snapshot(async (of) => {
          const reads = createReads(of, failed, checkWanted)
          return { stamp: await stampOf(reads), content: await orRenamed(reads, await made.make(reads)) }
        })
        return built(value.content, revision, value.stamp)
      })
    }
    const responseWith = async (result: Made['result']): Promise<Response> => {
      if (result?.kind === 'encoded') return send(await result.as(encoding), request.headers)
      if (result?.kind === 'redirect') {
        const { location, status = 302, headers } = result
        return new Response(null, { status, headers: { ...headers, location } })
      }
      if (result?.kind === 'missing page') {
        const own = { ...result.headers, 'content-type': result.type ?? '', 'cache-control': 'no-store' }
        return new Response(result.text, { status: 404, headers: own })
      }
      const parameter = result?.parameter ?? null
      const isApi = audience === 'public' && refuse === errorResponse && parameter === null
      return isApi ? apiNotFound() : notFoundResponse(refuse, {}, parameter)
    }

    const known = notFounds.get(name) ?? notFounds.get(nameWithLabel)
    if (known) {
      // So that the next request takes the same steps, whichever address first asked for the name.
      if (known === NOT_FOUND && audience === 'public')
        notFoundTargets.set(target, NOT_FOUND, cache.revision())
      return responseWith(known)
    }
    try {
      const waiter = { client: () => reader || addressName(context.address()), signal: request.signal }
      const { result, revision } = await coalesce(key, waiter, work)
      if (result === null) notFounds.set(name, NOT_FOUND, revision)
      if (result === null && audience === 'public') notFoundTargets.set(target, NOT_FOUND, revision)
      if (result?.kind === 'missing') notFounds.set(nameWithLabel, result, revision)
      return await responseWith(result)
    } catch (error) {
      if (error instanceof Abandoned) return new Response(null, { status: CLIENT_GONE })
      const isOutage = error instanceof Unavailable && audience === 'public'
      const notFound =
        isOutage && (notFounds.getDuringOutage(name) ?? notFounds.getDuringOutage(nameWithLabel))
      if (notFound) return responseWith(notFound)
      const cached = isOutage ? responses.getDuringOutage(encodedKey(key, encoding)) : undefined
      if (!cached) throw error
      if (context.trace) context.trace.cache = 'stale'
      return send(cached, request.headers)
    }
  }

  return {
    respond,

    /** Responds with public content that a few reads make. Throws `bad_request` or `Unavailable`. */
    short: (context: Context, names: Names, make: (reads: Reads) => Promise<Content>) =>
      respond('public', context, names, make),

    /** Responds with content that takes time or memory, as clients take turns. Throws `bad_request` or `Unavailable`. */
    long: (context: Context, names: Names, make: Long['make'], audience: Audience = 'public') =>
      respond(audience, context, names, async () => long(make)),

    /** Responds with a public text that never changes: built on first use, and encoded once each way. */
    fixed: async (context: Context, own: HeaderFields, build: () => string) => {
      const { target, request } = context
      let encoded = fixed.get(target)
      if (!encoded) {
        const text = build()
        encoded = new Encoded(() => ({ kind: 'body', text, headers: { ...headers.forPublic, ...own } }))
        fixed.set(target, encoded)
      }
      return send(await encoded.as(encodingOf(context)), request.headers)
    },

    cachedResponse: (audience: Audience, context: Context): CachedResponse | undefined =>
      responsesFor(context).get(encodedKey(keyOf(readerOf(audience), context), encodingOf(context))),

    /** True if the public 404 of a target is cached. It says nothing about API keys. */
    isNotFound: (target: string): boolean => notFoundTargets.get(target) !== undefined,

    headers,

    /** The public 404 of the API. */
    apiNotFound,
  }
}

const isPicture = ({ target }: Context): boolean => isPictureName(target)

/** Pictures are compressed already. */
const encodingOf = (context: Context): Encoding =>
  isPicture(context) ? 'identity' : negotiateEncoding(context.request.headers.get('accept-encoding'))

/** Names a client in the queue. */
const addressName = (address: Address): string => (address.some(Boolean) ? clientName(address) : ANYBODY)

/** Names an audience in the keys of caches. */
export const readerOf = (audience: Audience): string => (audience === 'public' ? '' : audience.keyId)

/**
 * Names everything a response depends on, so that no reader gets another's. It names the API key, not the rights of its
 * grant: a key's team and kind never change, and the cached read checks the attached products of a SELECT key. A key id
 * has no slash and a target no space, so keys are unambiguous.
 */
const keyOf = (reader: string, { target, asMarkdown }: Context): string =>
  asMarkdown ? `${reader}${target} markdown` : reader + target

const encodedKey = (key: string, encoding: Encoding): string =>
  encoding === 'identity' ? key : `${key} ${encoding}`

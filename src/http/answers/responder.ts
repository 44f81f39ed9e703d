import type { Address } from '../../domain/addresses/ip-address.ts'
import { PICTURE_ENDING } from '../../domain/pictures.ts'
import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Store } from '../../store/store.ts'
import type { Cache, Stamp } from '../cache.ts'
import { clientName } from '../limits/limiter.ts'
import type { Context } from '../request/context.ts'
import { notFoundResponse } from '../request/errors.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { type Body, type CachedResponse, type Encoded, inEncodings, send } from './cached-response.ts'
import { Abandoned, createCoalesce, type SharedWork } from './coalesce.ts'
import { ENCODINGS, type Encoding, negotiateEncoding } from './encoding.ts'
import type { ResponseHeaders } from './headers.ts'
import { ANYBODY, createQueue } from './queue.ts'
import { createReads, type Reads } from './reads.ts'
import { leadToRenamed, type Names, namesFor } from './renamed.ts'

export interface Redirect {
  location: string
  /** Default: 302. */
  status?: number
  headers: HeaderFields
}

/** The content of a response; null if nothing has these names, whatever the query. */
export type Content = Body | Redirect | LabelMissing | null

/** Only the label in this parameter of the query is missing; null for the path. */
export interface LabelMissing {
  parameter: string | null
}

/** The content is long: it is made when its turn comes, all of it from one state of the data. */
export const LONG = Symbol('long')

/** Makes content at once, or returns `LONG` and is called again with `isLong`. */
export type Make = (reads: Reads, isLong: boolean) => Promise<Content | typeof LONG>

/** What was made, and the revision of all that was read: null if the data changed in between. */
interface Made {
  value: Encoded | Content
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
const NOT_FOUND: LabelMissing = { parameter: null }

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
  const responses = cache.map<CachedResponse>(
    cacheBytes,
    (response, key) => response.body.size + 2 * key.length + ENTRY_BYTES,
    { is: ({ isPicture }) => isPicture, bytes: cacheBytes * PICTURES_SHARE },
  )
  const notFoundMap = () =>
    cache.map<LabelMissing>(MAX_NOT_FOUND_BYTES, (_, key) => 2 * key.length + NOT_FOUND_BYTES)
  const [notFounds, notFoundTargets] = [notFoundMap(), notFoundMap()]
  const fixed = new Map<string, Encoded>()

  /**
   * Sends what `make` makes of these names, once for all concurrent requests; or a 404. `label` is the label of the
   * query, if any. A response that is cached in another encoding is only encoded anew. During an outage, the public gets
   * the last cached response. API-key holders do not: the key may be disabled by now. Rejects with the error of `make`.
   */
  const respond = async (
    audience: Audience,
    context: Context,
    given: Names,
    makeContent: Make,
    label?: string,
  ): Promise<Response> => {
    const { target, request, refuse } = context
    const names = namesFor(context, given)
    const make: Make = async (reads, isLong) =>
      (await makeContent(reads, isLong)) ?? leadToRenamed(reads, context, names, headers.forPublic)
    const reader = readerOf(audience)
    const encoding = encodingOf(context)
    const key = keyOf(reader, context)
    const name = reader + JSON.stringify(names)
    const nameWithLabel = label === undefined ? name : reader + JSON.stringify({ ...names, after: label })

    /** Of what the names lead to, if that is one product. Without a cache nobody needs it. */
    const stampOf = async ({ ask }: Reads): Promise<Stamp> => {
      const { teamSlug, productSlug } = names
      const isOfProduct = cacheBytes > 0 && teamSlug !== undefined && productSlug !== undefined
      return isOfProduct ? ask('readStamp', audience, teamSlug, productSlug) : null
    }
    /** Encoded for this request at once, and for others that wait for the same work when they have it. */
    const encoded = async (
      body: Body | (() => Promise<Body>),
      revision: Revision | null,
      stamp: Stamp,
      known: [Encoding, CachedResponse][] = [],
    ): Promise<Made> => {
      const keep = (response: CachedResponse, encoding: Encoding) =>
        responses.set(encodedKey(key, encoding), response, revision, stamp)
      const value = inEncodings(body, keep, known)
      await value(encoding)
      return { value, revision }
    }
    const built = (content: Content, revision: Revision | null, stamp: Stamp): Made | Promise<Made> =>
      !content || !('text' in content) || content.status
        ? { value: content, revision }
        : encoded(content, revision, stamp)
    const work = async ({ checkWanted, inTurn }: SharedWork): Promise<Made> => {
      // Asked first: the data may change while the response is decoded.
      const asked = cache.revision()
      const reads = createReads(store, failed)
      // Before the content, or a stamp of after a commit would be that of a text of before.
      const stamp = await stampOf(reads)
      const revision = reads.revision(asked) ?? asked
      const known = ENCODINGS.flatMap((encoding): [Encoding, CachedResponse][] => {
        const response = responses.renewed(encodedKey(key, encoding), stamp, revision)
        return response ? [[encoding, response]] : []
      })
      const [[, first] = []] = known
      if (first) return encoded(() => first.content(), revision, stamp, known)
      const content = await make(reads, false)
      if (content !== LONG) return built(content, reads.revision(cache.revision()), stamp)
      return inTurn(async () => {
        const { value, revision } = await store.snapshot(async (of) => {
          const reads = createReads(of, failed, checkWanted)
          return { stamp: await stampOf(reads), content: (await make(reads, true)) as Content }
        })
        return built(value.content, revision, value.stamp)
      })
    }
    const responseWith = async (value: Made['value'] | typeof NOT_FOUND): Promise<Response> => {
      if (typeof value === 'function') return send(await value(encoding), request.headers)
      if (!value || isMissing(value)) return notFoundResponse(refuse, {}, value?.parameter)
      if ('location' in value) {
        const { location, status = 302 } = value
        return new Response(null, { status, headers: { ...value.headers, location } })
      }
      const own = { ...value.headers, 'content-type': value.type ?? '', 'cache-control': 'no-store' }
      return new Response(value.text, { status: 404, headers: own })
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
      const { value, revision } = await coalesce(key, waiter, work)
      if (value === null) notFounds.set(name, NOT_FOUND, revision)
      if (value === null && audience === 'public') notFoundTargets.set(target, NOT_FOUND, revision)
      if (isMissing(value)) notFounds.set(nameWithLabel, value, revision)
      return await responseWith(value)
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
    long: (
      context: Context,
      names: Names,
      make: (reads: Reads) => Promise<Content>,
      audience: Audience = 'public',
    ) => respond(audience, context, names, async (reads, isLong) => (isLong ? make(reads) : LONG)),

    /** Responds with a public text that never changes: built on first use, and encoded once each way. */
    fixed: async (context: Context, own: HeaderFields, build: () => string) => {
      const { target, request } = context
      const encoded =
        fixed.get(target) ?? inEncodings({ text: build(), headers: { ...headers.forPublic, ...own } })
      fixed.set(target, encoded)
      return send(await encoded(encodingOf(context)), request.headers)
    },

    cachedResponse: (audience: Audience, context: Context): CachedResponse | undefined =>
      responses.get(encodedKey(keyOf(readerOf(audience), context), encodingOf(context))),

    /** True if the public 404 of a target is cached. It says nothing about API keys. */
    isNotFound: (target: string): boolean => notFoundTargets.get(target) !== undefined,

    headers,
  }
}

const isMissing = (value: object | null): value is LabelMissing => value !== null && 'parameter' in value

/** Pictures are compressed already. */
const encodingOf = ({ target, request }: Context): Encoding =>
  target.endsWith(PICTURE_ENDING) ? 'identity' : negotiateEncoding(request.headers.get('accept-encoding'))

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

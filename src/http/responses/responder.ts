import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Stamped, Store } from '../../store/port.ts'
import { ChangelogQuery, type ProductParams, type VersionParams } from '../openapi/request-schemas.ts'
import { targetOf } from '../paths.ts'
import type { Cache } from '../pipeline/cache.ts'
import type { Collector } from '../pipeline/collector.ts'
import { createDocumentResponder } from './api-document.ts'
import { type CachedResponse, createCachedResponse, send } from './cached-response.ts'
import { createChangelogReader, readerOf } from './changelog-reader.ts'
import { type Encoding, negotiateEncoding } from './encoding.ts'
import { notFound } from './errors.ts'
import { createJoin } from './joining.ts'
import type { HeaderFields } from './json.ts'
import { nextLink, pageOf } from './paging.ts'
import { createQueue } from './queue.ts'
import { versionEnvelope } from './serialize.ts'

export type Responder = ReturnType<typeof createResponder>

export interface ResponderSettings {
  publicMaxAge: number
  cacheMaxBytes: number
  /** Whether the site asks for a password: then not even a public response may be kept by a shared cache. */
  gated: boolean
  /** The headers of every public response. */
  publicHeaders: HeaderFields
}

/** What an entry takes beside its body and its key, mostly headers: measured as the growth of the process. */
const ENTRY_BYTES = 2_816

/** The part of the cache that long changelogs share. */
const SLICES_SHARE = 1 / 8

/** The bound on cached addresses that were not found, and what one takes beside its key. */
const MAX_NOT_FOUND_BYTES = 2 ** 20
const NOT_FOUND_BYTES = 256
const NOT_FOUND = {}

/**
 * Responds to the reads: asks the store, serializes what it returns, and caches the bytes until the data changes.
 * A response is cached for one audience, one target (path and query) and one encoding. What was not found is cached
 * by its names alone, without the query: the second request for something hidden takes exactly the steps of one for
 * something missing, and no other query gives a second chance to measure the first.
 */
export function createResponder(
  store: Store,
  cache: Cache,
  collector: Collector,
  settings: ResponderSettings,
) {
  const { publicMaxAge, cacheMaxBytes, gated } = settings
  const sliceBytes = Math.floor(cacheMaxBytes * SLICES_SHARE)
  const readChangelog = createChangelogReader(store, cache, sliceBytes)
  /** One long text is put together and encoded at a time: many at once would take all the memory. */
  const longResponses = createQueue()
  const responses = cache.map<CachedResponse>(
    cacheMaxBytes - sliceBytes,
    (response, key) => response.body.size + 2 * key.length + ENTRY_BYTES,
  )
  const notFounds = cache.map<typeof NOT_FOUND>(
    MAX_NOT_FOUND_BYTES,
    (_, key) => 2 * key.length + NOT_FOUND_BYTES,
  )
  const join = createJoin(cache.revision)
  const keyedHeaders: HeaderFields = {
    'cache-control': 'private, no-cache',
    vary: gated ? 'Accept-Encoding, Authorization, X-Site-Authorization' : 'Accept-Encoding, Authorization',
  }
  const sharedHeaders: HeaderFields = gated
    ? keyedHeaders
    : { 'cache-control': `public, max-age=${publicMaxAge}`, vary: 'Accept-Encoding' }
  const publicHeaders: HeaderFields = { ...settings.publicHeaders, ...sharedHeaders }

  /** The cached response of an audience to a target, if there is one. */
  const cachedResponse = (audience: Audience, target: string, request: Headers): CachedResponse | undefined =>
    responses.get(cacheKey(audience, target, negotiateEncoding(request.get('accept-encoding'))))

  /**
   * Sends what `create` makes, which is made once for all requests that come meanwhile. While the store does not answer,
   * the public gets what it got last at this address. A reader with a key does not: the key may have been disabled since.
   */
  const respond = async (
    audience: Audience,
    request: Request,
    create: (key: string, encoding: Encoding) => Promise<CachedResponse>,
  ): Promise<Response> => {
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    const key = cacheKey(audience, targetOf(request.url), encoding)
    try {
      return send(await join(key, () => create(key, encoding)), request.headers)
    } catch (error) {
      const isOutage = error instanceof Unavailable && audience === 'public'
      const cached = isOutage ? responses.getDuringOutage(key) : undefined
      if (!cached) throw error
      return send(cached, request.headers)
    }
  }

  /** What `read` finds under these names. Throws `not_found` or `Unavailable`. */
  const find = async <Read>(
    audience: Audience,
    names: object,
    read: () => Promise<Stamped<Read | null>>,
  ): Promise<Stamped<Read>> => {
    const key = readerOf(audience) + JSON.stringify(names)
    if (notFounds.get(key)) throw notFound()
    const { value, revision } = await read().catch((error: unknown) => {
      if (error instanceof Unavailable && audience === 'public' && notFounds.getDuringOutage(key))
        throw notFound()
      throw error
    })
    if (value) return { value, revision }
    notFounds.set(key, NOT_FOUND, revision)
    throw notFound()
  }

  /** Responds with a product's changelog. Throws `not_found`, `bad_request` or `Unavailable`. */
  const changelog = (
    audience: Audience,
    request: Request,
    params: typeof ProductParams.static,
    query: ChangelogQuery,
  ): Promise<Response> =>
    respond(audience, request, async (key, encoding) => {
      const page = pageOf(query, request.url)
      const { value, revision } = await find(audience, params, () =>
        readChangelog(audience, params.teamSlug, params.productSlug, page),
      )
      const { isLong, json, next } = value
      const link = next && nextLink(new URL(request.url).pathname, query, next)
      // An unknown parameter changes nothing, so it must not lead to a second copy of the same response.
      const isCacheable = Object.keys(query).every((name) => Object.hasOwn(ChangelogQuery.properties, name))
      const built = () => build(audience, key, encoding, json(), link, isCacheable ? revision : null)
      return isLong ? longResponses(built) : built()
    })

  /** Responds with one version. Throws `not_found` or `Unavailable`. */
  const version = (
    audience: Audience,
    request: Request,
    params: typeof VersionParams.static,
  ): Promise<Response> =>
    respond(audience, request, async (key, encoding) => {
      const { value, revision } = await find(audience, params, () =>
        store.readVersion(audience, params.teamSlug, params.productSlug, params.versionId),
      )
      const isCacheable = !request.url.includes('?')
      const json = JSON.stringify(versionEnvelope(value))
      return build(audience, key, encoding, json, null, isCacheable ? revision : null)
    })

  /** Builds the response with a body that was read at this revision, and caches it; null: it is not cached. */
  const build = async (
    audience: Audience,
    key: string,
    encoding: Encoding,
    json: string,
    link: string | null,
    revision: Revision | null,
  ): Promise<CachedResponse> => {
    const common = audience === 'public' ? publicHeaders : keyedHeaders
    // All responses with the same headers share one object.
    const headers = link === null ? common : { ...common, link }
    const response = await createCachedResponse(json, encoding, headers)
    // An encoded body is much smaller than the text it was made from.
    if (response.body.size < json.length) collector.release(json.length)
    responses.set(key, response, revision)
    return response
  }

  return { cachedResponse, changelog, version, document: createDocumentResponder(publicHeaders) }
}

/**
 * Names everything a response depends on, so that no reader gets the response of another. It names the API key, not
 * the rights of its grant: a key's team and kind never change, and the store checks the attached products of a SELECT
 * key again in the read that is cached. A key id has no slash and a target no space, so no two keys look alike.
 */
const cacheKey = (audience: Audience, target: string, encoding: Encoding): string => {
  const reader = readerOf(audience)
  return encoding === 'identity' ? reader + target : `${reader}${target} ${encoding}`
}

import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { Abandoned, createCoalesce } from '../cache/coalesce.ts'
import { createQueue } from '../cache/queue.ts'
import { createSlots } from '../cache/slots.ts'
import { errorResponse, notFoundResponse, type Refuse } from '../errors.ts'
import { type HeaderFields, NO_SNIFFING } from '../json-response.ts'
import type { ChangelogQuery, ProductParams, VersionParams } from '../openapi/request-schemas.ts'
import { targetOf } from '../paths.ts'
import { createChangelogReader, readerOf } from '../reading/changelog-reader.ts'
import { nextLink, pageOf } from '../reading/paging.ts'
import { createPublicReads, type PublicReads } from '../reading/reads.ts'
import type { PlainBody } from '../reading/serialize.ts'
import { createVersionReader } from '../reading/version-reader.ts'
import { CachedResponse, createCachedResponse, send, sendStale } from './cached-response.ts'
import { type Encoding, negotiateEncoding } from './encoding.ts'
import { createFixedResponse } from './fixed-response.ts'

export type Responder = ReturnType<typeof createResponder>
export type RespondWithPage = ReturnType<Responder['pagesWith']>

export interface ResponderSettings {
  publicMaxAge: number
  cacheMaxBytes: number
  /** Whether the site asks for a password: then not even a public response may be kept by a shared cache. */
  gated: boolean
  /** The headers of every public response of the API, and of every page. */
  publicHeaders: HeaderFields
  pageHeaders: HeaderFields
}

/** What is sent. Bodies with the same headers share one object of them. */
export interface Body {
  text: PlainBody
  headers: HeaderFields
  /** Its `Content-Type`, unless it is JSON. */
  type?: string
}

/** What was found, and the revision it was read at; null if the data changed meanwhile. */
interface Found<T> {
  value: T
  revision: Revision | null
}

export interface Redirect {
  location: string
  /** Those of a page; otherwise it has those of the API. */
  headers?: HeaderFields
}

/** Makes what takes much memory while it is made: it waits for a turn of its client. */
export type Rendering = () => Promise<Body | Redirect | null>

/** The header in which the pipeline names the client of a public request, so that clients take turns. */
export const CLIENT_HEADER = 'client'

/** Nothing was found, at this revision. */
interface Missing {
  missingAt: Revision | null
}

/** What an entry takes beside its body and its key, mostly headers: measured as the growth of the process. */
const ENTRY_BYTES = 2_816

/** The part of the cache for the lists of long changelogs, from which their pages are cut. */
const LISTS_SHARE = 1 / 4

/** What the access log shows of a request whose client did not wait, as other servers do. */
const CLIENT_GONE = 499

/** How many renderings, and pages of the API with changes, are made at a time. */
const SLOTS = 2

/** The bounds on cached names and on cached targets that were not found, and what one takes beside its key. */
const MAX_NOT_FOUND_BYTES = 2 ** 20
const NOT_FOUND_BYTES = 256
const NOT_FOUND = {}

/**
 * Responds to the reads: asks the store, serializes what it returns, and caches the bytes until the data changes.
 * A response is cached for one audience, one reduced target (path and known parameters) and one encoding. What was not found is cached
 * by its names alone, without the query (but for the label in it that was not found): the second request for something
 * hidden takes exactly the steps of one for something missing, and no other query gives a second chance to measure the
 * first. That the public finds nothing at a target is cached too, so that the same request need not be routed again.
 */
export function createResponder(store: Store, cache: Cache, settings: ResponderSettings) {
  const { publicMaxAge, cacheMaxBytes, gated } = settings
  const listBytes = Math.floor(cacheMaxBytes * LISTS_SHARE)
  const readChangelog = createChangelogReader(store, cache, listBytes)
  const readVersion = createVersionReader(store, cache)
  /** Builds and encodes one long body at a time, which bounds the memory. */
  const longResponses = createQueue()
  /** The same for what is made of many texts, which are in memory until it is ready. */
  const slots = createSlots(SLOTS)
  const responses = cache.map<CachedResponse>(
    cacheMaxBytes - listBytes,
    (response, key) => response.body.size + 2 * key.length + ENTRY_BYTES,
  )
  const notFoundMap = () =>
    cache.map<typeof NOT_FOUND>(MAX_NOT_FOUND_BYTES, (_, key) => 2 * key.length + NOT_FOUND_BYTES)
  const [notFounds, notFoundTargets] = [notFoundMap(), notFoundMap()]
  const coalesce = createCoalesce(cache.revision)
  const keyedHeaders: HeaderFields = {
    ...NO_SNIFFING,
    'cache-control': 'private, no-cache',
    vary: gated ? 'Accept-Encoding, Authorization, X-Site-Authorization' : 'Accept-Encoding, Authorization',
  }
  const sharedHeaders: HeaderFields = gated
    ? keyedHeaders
    : { ...NO_SNIFFING, 'cache-control': `public, max-age=${publicMaxAge}`, vary: 'Accept-Encoding' }
  const publicHeaders: HeaderFields = { ...settings.publicHeaders, ...sharedHeaders }

  /** The cached response of an audience to a target, if there is one. */
  const cachedResponse = (audience: Audience, target: string, request: Headers): CachedResponse | undefined =>
    responses.get(cacheKey(audience, target, negotiateEncoding(request.get('accept-encoding'))))

  /** Whether the 404 of the public for this target is cached. It says nothing about API keys. */
  const isNotFound = (target: string): boolean => notFoundTargets.get(target) !== undefined

  /**
   * Sends the response that `create` builds, once for all concurrent requests. During an outage the public gets the last
   * cached response. API-key holders do not: the key may have been disabled since.
   */
  const respond = async (
    audience: Audience,
    request: Request,
    create: (
      key: string,
      encoding: Encoding,
      checkWanted: () => void,
    ) => Promise<CachedResponse | Redirect | Missing>,
    refuse: Refuse = errorResponse,
  ): Promise<Response> => {
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    const target = targetOf(request.url)
    const key = cacheKey(audience, target, encoding)
    slots.join(clientOf(audience, request), key)
    try {
      const created = await coalesce(key, (check) => create(key, encoding, check), request.signal)
      if (created instanceof CachedResponse) return send(created, request.headers)
      if ('missingAt' in created) {
        if (audience === 'public') notFoundTargets.set(target, NOT_FOUND, created.missingAt)
        return notFoundResponse(refuse)
      }
      return new Response(null, {
        status: 302,
        headers: { ...(created.headers ?? headersFor(audience)), location: created.location },
      })
    } catch (error) {
      if (error instanceof Abandoned) return new Response(null, { status: CLIENT_GONE })
      const isOutage = error instanceof Unavailable && audience === 'public'
      const cached = isOutage ? responses.getDuringOutage(key) : undefined
      if (!cached) throw error
      return sendStale(cached, request.headers)
    }
  }

  /**
   * What `read` finds under these names. `after` is the label that a page should be newer than: if only that is
   * missing, the names are found for another query. Throws `Unavailable`.
   */
  const find = async <Read extends object>(
    audience: Audience,
    names: object,
    read: () => Promise<Found<Read | null>>,
    after?: string,
  ): Promise<Found<Read> | Missing> => {
    const key = readerOf(audience) + JSON.stringify(names)
    const labelKey = readerOf(audience) + JSON.stringify({ ...names, after })
    if (notFounds.get(key) || notFounds.get(labelKey)) return { missingAt: cache.revision() }
    try {
      const { value, revision } = await read()
      const isLabelMissing = value !== null && 'isLabelMissing' in value && value.isLabelMissing
      if (value && !isLabelMissing) return { value, revision }
      notFounds.set(value ? labelKey : key, NOT_FOUND, revision)
      return { missingAt: revision }
    } catch (error) {
      const isKnown = notFounds.getDuringOutage(key) || notFounds.getDuringOutage(labelKey)
      if (error instanceof Unavailable && audience === 'public' && isKnown) return { missingAt: null }
      throw error
    }
  }

  /** Responds with a product's changelog. Throws `bad_request` or `Unavailable`. */
  const changelog = (
    audience: Audience,
    request: Request,
    params: typeof ProductParams.static,
    query: ChangelogQuery,
  ): Promise<Response> =>
    respond(audience, request, async (key, encoding, checkWanted) => {
      const page = pageOf(query, request.url)
      const read = async () => {
        checkWanted()
        return readChangelog(audience, params.teamSlug, params.productSlug, page)
      }
      const readInTurn = () => slots.run(clientOf(audience, request), key, read)
      const found = await find(audience, params, page.withChanges ? readInTurn : read, query.after)
      if ('missingAt' in found) return found
      const { revision } = found
      const { isLong, body, next } = found.value
      const link = next && nextLink(new URL(request.url).pathname, query, next)
      const common = headersFor(audience)
      const headers = link === null ? common : { ...common, link }
      const built = () => build(key, encoding, { text: body(), headers }, revision)
      return isLong ? longResponses(built) : built()
    })

  /** Responds with one version. Throws `Unavailable`. */
  const version = (
    audience: Audience,
    request: Request,
    params: typeof VersionParams.static,
  ): Promise<Response> =>
    respond(audience, request, async (key, encoding) => {
      const found = await find(audience, params, () =>
        readVersion(audience, params.teamSlug, params.productSlug, params.versionId),
      )
      if ('missingAt' in found) return found
      const { value, revision } = found
      if ('movedTo' in value) return { location: pathOf(audience, params, value.movedTo) }
      const { isLong, body } = value
      const headers = headersFor(audience)
      const built = () => build(key, encoding, { text: body(), headers }, revision)
      return isLong ? longResponses(built) : built()
    })

  /**
   * Responds with what `create` makes of public content that has these names: a body, a rendering of one, or the path of
   * another page. Null if nothing has the names, whatever the query is: `refuse` makes the response. What it returns throws `bad_request` or `Unavailable`.
   */
  const pagesWith =
    (refuse: Refuse) =>
    (
      request: Request,
      names: object,
      create: (reads: PublicReads) => Rendering | Promise<Body | Redirect | Rendering | null>,
    ): Promise<Response> => {
      const respondTo = async (key: string, encoding: Encoding, checkWanted: () => void) => {
        const found = await find('public', names, async () => {
          const reads = createPublicReads(store, checkWanted)
          const finish = async (made: Body | Redirect | null) =>
            made && 'text' in made ? build(key, encoding, made, reads.revision()) : made
          const made = await create(reads)
          const value =
            typeof made === 'function'
              ? await slots.run(clientOf('public', request), key, async () => finish(await made()))
              : await finish(made)
          return { value, revision: reads.revision() }
        })
        return 'missingAt' in found ? found : found.value
      }
      return respond('public', request, respondTo, refuse)
    }

  const headersFor = (audience: Audience): HeaderFields =>
    audience === 'public' ? publicHeaders : keyedHeaders

  /** Builds the response with a body that was read at this revision, and caches it unless that is null. */
  const build = async (
    key: string,
    encoding: Encoding,
    { text, headers, type }: Body,
    revision: Revision | null,
  ): Promise<CachedResponse> => {
    const response = await createCachedResponse(text, encoding, headers, type)
    if (typeof text !== 'string') free(text)
    responses.set(key, response, response.isFinal ? revision : null)
    return response
  }

  /** A public response that never changes, with these headers of its own. */
  const fixed = (headers: HeaderFields, build: () => string) =>
    createFixedResponse({ ...publicHeaders, ...headers }, build)

  return {
    cachedResponse,
    isNotFound,
    changelog,
    version,
    pagesWith,
    fixed,
    /** The headers of public responses that scripts of other sites may read, together with others. */
    publicHeadersWith: (more: HeaderFields): HeaderFields => ({ ...publicHeaders, ...more }),
    /** The headers of public responses for people alone, together with others. */
    pageHeadersWith: (more: HeaderFields): HeaderFields => ({
      ...settings.pageHeaders,
      ...sharedHeaders,
      ...more,
    }),
  }
}

/** Who takes turns with others: an API key, or an address. */
const clientOf = (audience: Audience, request: Request): string =>
  audience === 'public' ? (request.headers.get(CLIENT_HEADER) ?? '') : audience.keyId

/** The path of a version for that audience. */
const pathOf = (
  audience: Audience,
  { teamSlug, productSlug }: typeof VersionParams.static,
  version: { id: string; label: string },
): string => {
  const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
  return `${changelogPath(teamSlug, productSlug)}/versions/${versionName(version)}`
}

/** Frees the memory of copied bytes now, instead of at the next garbage collection. */
function free({ buffer, length }: Buffer<ArrayBuffer>): void {
  // Short ones share their memory with others.
  if (buffer.byteLength === length) buffer.transfer(0)
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

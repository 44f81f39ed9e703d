import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import type { Audience, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { HeaderFields } from '../json-response.ts'
import type { ChangelogQuery, ProductParams, VersionParams } from '../openapi/request-schemas.ts'
import { pathOf } from '../paths.ts'
import { createChangelogReader } from '../reading/changelog-reader.ts'
import { withOverviews } from '../reading/overviews.ts'
import { nextLink, pageOf } from '../reading/paging.ts'
import { createPageReads, type PageReads } from '../reading/reads.ts'
import type { ListJson } from '../reading/serialize.ts'
import { createVersionReader, type Moved } from '../reading/version-reader.ts'
import { createFixedResponse } from './fixed-response.ts'
import type { ResponseHeaders } from './headers.ts'
import { type Body, createRespond, type Large, type Made, type Redirect } from './respond.ts'

export type Responder = ReturnType<typeof createResponder>
export type RespondWithPage = Responder['page']

/** For bodies that take much memory or time: clients take turns. */
export type Rendering = () => Promise<Body | Redirect | null>

export function createResponder(store: Store, cache: Cache, headers: ResponseHeaders, cacheMaxBytes: number) {
  const readChangelog = createChangelogReader(store, cache)
  const readVersion = createVersionReader(store, cache)
  const forPages = withOverviews(store, cache)
  const { respond, cachedResponse, isNotFound } = createRespond(cache, cacheMaxBytes)

  /** Throws `bad_request` or `Unavailable`. */
  const changelog = async (
    audience: Audience,
    context: Context,
    { teamSlug, productSlug }: typeof ProductParams.static,
    query: ChangelogQuery,
  ): Promise<Response> => {
    const page = pageOf(query, context.target)
    const made = ({ value, revision }: Stamped<ListJson | null>): Made => {
      if (!value || value.missingLabel !== undefined)
        return { value: null, revision, isLabelMissing: value !== null }
      if (value.isReversed) throw new ApiError('bad_request', 'from must be below to.')
      const own = {
        ...(value.next && { link: nextLink(pathOf(context.target), query, value.next) }),
        ...(value.language && { 'content-language': value.language }),
      }
      const common = headers.forAudience(audience)
      const all = Object.keys(own).length === 0 ? common : { ...common, ...own }
      return { value: { text: value.json, headers: all }, revision }
    }
    const make = async () => madeOf(await readChangelog(audience, teamSlug, productSlug, page), made)
    return respond(audience, context, { teamSlug, productSlug }, make, labelsIn(query))
  }

  /** Throws `Unavailable`. */
  const version = (
    audience: Audience,
    context: Context,
    params: typeof VersionParams.static,
  ): Promise<Response> => {
    const { teamSlug, productSlug, versionId } = params
    const common = headers.forAudience(audience)
    const made = ({ value, revision }: Stamped<string | Moved | null>): Made => {
      if (value === null) return { value, revision }
      if (typeof value === 'string') return { value: { text: value, headers: common }, revision }
      const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
      const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(value.movedTo)}`
      return { value: { location, headers: common }, revision }
    }
    const make = async () => madeOf(await readVersion(audience, teamSlug, productSlug, versionId), made)
    return respond(audience, context, { teamSlug, productSlug, versionId }, make)
  }

  /**
   * Responds with what `create` makes of content that an audience may see: a body, a rendering, or the path of another page.
   * Null if nothing has the names. Throws `bad_request` or `Unavailable`.
   */
  const page = (
    context: Context,
    names: object,
    create: (reads: PageReads) => Rendering | Promise<Body | Redirect | Rendering | null>,
    audience: Audience = 'public',
  ): Promise<Response> =>
    respond(audience, context, names, async (checkWanted) => {
      const reads = createPageReads(forPages, checkWanted)
      const made = (value: Body | Redirect | null): Made => ({ value, revision: reads.revision() })
      return madeOf(await create(reads), made)
    })

  const fixed = (own: HeaderFields, build: () => string) =>
    createFixedResponse({ ...headers.forPublic, ...own }, build)

  return { cachedResponse, isNotFound, changelog, version, page, fixed, headers }
}

/** Large content is made when its turn comes. */
const madeOf = <T extends object | null>(
  read: T | (() => Promise<T>),
  made: (read: T) => Made,
): Made | Large => (typeof read === 'function' ? async () => made(await read()) : made(read))

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ChangelogQuery): string | undefined =>
  from === undefined && to === undefined ? after : JSON.stringify([after, from, to])

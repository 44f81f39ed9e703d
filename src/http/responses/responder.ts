import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import type { Audience, Revision, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import type { Turn } from '../cache/turn.ts'
import type { Refuse } from '../errors.ts'
import { ApiError } from '../errors.ts'
import type { HeaderFields } from '../json-response.ts'
import type { ChangelogQuery, ProductParams, VersionParams } from '../openapi/request-schemas.ts'
import { createChangelogReader } from '../reading/changelog-reader.ts'
import { withOverviews } from '../reading/overviews.ts'
import { nextLink, pageOf, WHOLE } from '../reading/paging.ts'
import { createPageReads, type PageReads } from '../reading/reads.ts'
import type { ChangelogBody, JsonBody } from '../reading/serialize.ts'
import { createVersionReader, type Moved } from '../reading/version-reader.ts'
import { whenReady } from '../when-ready.ts'
import { createFixedResponse } from './fixed-response.ts'
import type { ResponseHeaders } from './headers.ts'
import {
  type Asking,
  type Body,
  type Build,
  createRespond,
  type Made,
  type Redirect,
  type Work,
} from './respond.ts'

export type Responder = ReturnType<typeof createResponder>
export type RespondWithPage = ReturnType<Responder['pagesWith']>

/** For bodies that take much memory while they are made: clients take turns. */
export type Rendering = () => Promise<Body | Redirect | null>

/** The share of the cache for lists of long changelogs, from which pages are cut. */
const LISTS_SHARE = 1 / 4

export function createResponder(
  store: Store,
  cache: Cache,
  headers: ResponseHeaders,
  cacheMaxBytes: number,
  turn: Turn,
) {
  const listBytes = Math.floor(cacheMaxBytes * LISTS_SHARE)
  const changelogs = createChangelogReader(store, cache, listBytes)
  const versions = createVersionReader(store, cache)
  const forPages = withOverviews(store, cache)
  /** Builds and encodes one long body at a time, which bounds memory. */
  const longResponses = createQueue()
  const { respond, cachedResponse, isNotFound } = createRespond(cache, cacheMaxBytes - listBytes, turn)

  const madeOfJson = (
    build: Build,
    { isLong, body }: JsonBody,
    headers: HeaderFields,
    revision: Revision,
  ): Made | Promise<Made> => {
    const built = () => build({ text: body(), headers }, revision)
    return whenReady(isLong ? longResponses(built) : built(), (value) => ({ value, revision }))
  }

  /** `refuse` makes the 404. Throws `bad_request` or `Unavailable`. */
  const changelog = (
    audience: Audience,
    request: Asking,
    { teamSlug, productSlug }: typeof ProductParams.static,
    query: ChangelogQuery,
    refuse?: Refuse,
  ): Response | Promise<Response> => {
    const page = pageOf(query, request.url)
    const made = (build: Build, { value, revision }: Stamped<ChangelogBody | null>) => {
      if (!value || value.isLabelMissing) return { value: null, revision, isLabelMissing: value !== null }
      if (value.isReversed) throw new ApiError('bad_request', 'from must be below to.')
      const link = value.next && nextLink(new URL(request.url).pathname, query, value.next)
      const common = headers.forAudience(audience)
      const own = {
        ...(link !== null && { link }),
        ...(value.language && { 'content-language': value.language }),
      }
      const all = Object.keys(own).length === 0 ? common : { ...common, ...own }
      return madeOfJson(build, value, all, revision)
    }
    const make = ({ checkWanted, inTurn, paced, build }: Work): Promise<Made> =>
      (page.withChanges ? inTurn : paced)(async () => {
        checkWanted()
        return made(build, await changelogs.read(audience, teamSlug, productSlug, page))
      })
    const makeNow = (build: Build) => {
      const read = changelogs.readNow(audience, teamSlug, productSlug)
      return read && made(build, read)
    }
    return respond(audience, request, { teamSlug, productSlug }, make, {
      refuse,
      label: labelsIn(query),
      makeNow: page === WHOLE ? makeNow : undefined,
    })
  }

  /** `refuse` makes the 404. Throws `Unavailable`. */
  const version = (
    audience: Audience,
    request: Asking,
    params: typeof VersionParams.static,
    refuse?: Refuse,
  ): Response | Promise<Response> => {
    const { teamSlug, productSlug, versionId } = params
    const made = (build: Build, { value, revision }: Stamped<JsonBody | Moved | null>) => {
      const common = headers.forAudience(audience)
      if (!value) return { value, revision }
      if (!('movedTo' in value)) return madeOfJson(build, value, common, revision)
      const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
      const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(value.movedTo)}`
      return { value: { location, headers: common }, revision }
    }
    const make = async ({ paced, build }: Work): Promise<Made> =>
      made(build, await paced(() => versions.read(audience, teamSlug, productSlug, versionId)))
    const makeNow = (build: Build) => {
      const read = versions.readNow(audience, teamSlug, productSlug, versionId)
      return read && made(build, read)
    }
    return respond(audience, request, { teamSlug, productSlug, versionId }, make, { refuse, makeNow })
  }

  /**
   * Responds with what `create` makes of content that an audience may see: a body, a rendering, or the path of another page.
   * Null if nothing has the names: then `refuse` makes the response. Throws `bad_request` or `Unavailable`.
   */
  const pagesWith =
    (refuse: Refuse, audience: Audience = 'public') =>
    async (
      request: Request,
      names: object,
      create: (reads: PageReads) => Rendering | Promise<Body | Redirect | Rendering | null>,
    ): Promise<Response> => {
      const make = async ({ checkWanted, inTurn, build }: Work): Promise<Made> => {
        const reads = createPageReads(forPages, checkWanted, turn)
        const finish = async (made: Body | Redirect | null) => {
          if (!made || !('text' in made)) return made
          await turn.pause()
          return build(made, reads.revision())
        }
        const made = await create(reads)
        const isRendering = typeof made === 'function'
        const value = await (isRendering ? inTurn(async () => finish(await made())) : finish(made))
        return { value, revision: reads.revision() }
      }
      return respond(audience, request, names, make, { refuse, isPage: true })
    }

  const fixed = (own: HeaderFields, build: () => string) =>
    createFixedResponse({ ...headers.forPublic, ...own }, build)

  return { cachedResponse, isNotFound, changelog, version, pagesWith, fixed, headers, queue: turn.step, turn }
}

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ChangelogQuery): string | undefined =>
  from === undefined && to === undefined ? after : JSON.stringify([after, from, to])

import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import type { Audience, Revision, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import type { Turn } from '../cache/turn.ts'
import type { Refuse } from '../errors.ts'
import { ApiError } from '../errors.ts'
import type { HeaderFields } from '../json-response.ts'
import type { ChangelogQuery, ProductParams, VersionParams } from '../openapi/request-schemas.ts'
import { createChangelogReader } from '../reading/changelog-reader.ts'
import { withOverviews } from '../reading/overviews.ts'
import { nextLink, pageOf } from '../reading/paging.ts'
import { createPageReads, type PageReads } from '../reading/reads.ts'
import type { JsonBody } from '../reading/serialize.ts'
import { createVersionReader } from '../reading/version-reader.ts'
import { createFixedResponse } from './fixed-response.ts'
import type { ResponseHeaders } from './headers.ts'
import { type Asking, type Body, createRespond, type Made, type Redirect, type Work } from './respond.ts'

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
  const readChangelog = createChangelogReader(store, cache, listBytes)
  const readVersion = createVersionReader(store, cache)
  const forPages = withOverviews(store, cache)
  /** Builds and encodes one long body at a time, which bounds memory. */
  const longResponses = createQueue()
  const { respond, cachedResponse, isNotFound } = createRespond(cache, cacheMaxBytes - listBytes, turn)

  const madeOfJson = async (
    { build }: Work,
    { isLong, body }: JsonBody,
    headers: HeaderFields,
    revision: Revision,
  ): Promise<Made> => {
    const built = () => build({ text: body(), headers }, revision)
    return { value: await (isLong ? longResponses(built) : built()), revision }
  }

  /** `refuse` makes the 404. Throws `bad_request` or `Unavailable`. */
  const changelog = (
    audience: Audience,
    request: Asking,
    { teamSlug, productSlug }: typeof ProductParams.static,
    query: ChangelogQuery,
    refuse?: Refuse,
  ): Promise<Response> => {
    const page = pageOf(query, request.url)
    const make = async (work: Work): Promise<Made> => {
      work.checkWanted()
      const { value, revision } = await readChangelog(audience, teamSlug, productSlug, page)
      if (!value || value.isLabelMissing) return { value: null, revision, isLabelMissing: value !== null }
      if (value.isReversed) throw new ApiError('bad_request', 'from must be below to.')
      const link = value.next && nextLink(new URL(request.url).pathname, query, value.next)
      const common = headers.forAudience(audience)
      const own = {
        ...(link !== null && { link }),
        ...(value.language && { 'content-language': value.language }),
      }
      const all = Object.keys(own).length === 0 ? common : { ...common, ...own }
      return madeOfJson(work, value, all, revision)
    }
    const whenReady = (work: Work) => (page.withChanges ? work.inTurn : work.paced)(() => make(work))
    return respond(audience, request, { teamSlug, productSlug }, whenReady, {
      refuse,
      label: labelsIn(query),
    })
  }

  /** `refuse` makes the 404. Throws `Unavailable`. */
  const version = (
    audience: Audience,
    request: Asking,
    params: typeof VersionParams.static,
    refuse?: Refuse,
  ): Promise<Response> => {
    const { teamSlug, productSlug, versionId } = params
    const make = async (work: Work): Promise<Made> => {
      const { value, revision } = await work.paced(() =>
        readVersion(audience, teamSlug, productSlug, versionId),
      )
      const common = headers.forAudience(audience)
      if (!value) return { value, revision }
      if (!('movedTo' in value)) return madeOfJson(work, value, common, revision)
      const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
      const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(value.movedTo)}`
      return { value: { location, headers: common }, revision }
    }
    return respond(audience, request, { teamSlug, productSlug, versionId }, make, { refuse })
  }

  /**
   * Responds with what `create` makes of content that an audience may see: a body, a rendering, or the path of another page.
   * Null if nothing has the names: then `refuse` makes the response. Throws `bad_request` or `Unavailable`.
   */
  const pagesWith =
    (refuse: Refuse, audience: Audience = 'public') =>
    (
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

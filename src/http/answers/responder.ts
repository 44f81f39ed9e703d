import { keyedChangelogPath, publicChangelogPath, versionName } from '../../domain/addresses/paths.ts'
import type { Audience, Store } from '../../store/store.ts'
import type { ChangelogQuery, ProductParams, VersionParams } from '../api/openapi/request-schemas.ts'
import type { ListJson } from '../api/serialize.ts'
import { readChangelog } from '../reading/changelog-reader.ts'
import { withOverviews } from '../reading/overviews.ts'
import { nextLink, pageOf } from '../reading/paging.ts'
import type { Reads } from '../reading/reads.ts'
import { type Moved, readVersion } from '../reading/version-reader.ts'
import type { Context } from '../request/context.ts'
import { ApiError } from '../request/errors.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { pathOf } from '../target.ts'
import type { Cache } from './cache.ts'
import { createFixedResponse } from './fixed-response.ts'
import type { ResponseHeaders } from './headers.ts'
import { type Content, createRespond, LABEL_MISSING, type Make, type MakeLong } from './respond.ts'

export type Responder = ReturnType<typeof createResponder>
export type RespondLong = Responder['long']

export function createResponder(store: Store, cache: Cache, headers: ResponseHeaders, cacheMaxBytes: number) {
  const { respond, cachedResponse, isNotFound } = createRespond(
    withOverviews(store, cache),
    cache,
    cacheMaxBytes,
  )

  /** Throws `bad_request` or `Unavailable`. */
  const changelog = async (
    audience: Audience,
    context: Context,
    { teamSlug, productSlug }: typeof ProductParams.static,
    query: ChangelogQuery,
  ): Promise<Response> => {
    const page = pageOf(query, context.target)
    const written = (list: ListJson | null): Content => {
      if (!list) return null
      if (list.missingLabel !== undefined) return LABEL_MISSING
      if (list.isReversed) throw new ApiError('bad_request', 'from must be below to.')
      const own = {
        ...(list.next && { link: nextLink(pathOf(context.target), query, list.next) }),
        ...(list.language && { 'content-language': list.language }),
      }
      const common = headers.forAudience(audience)
      return { text: list.json, headers: Object.keys(own).length === 0 ? common : { ...common, ...own } }
    }
    const make: Make = async (reads) => {
      const source = { reads, audience, team: teamSlug, product: productSlug }
      return contentOf(await readChangelog(source, page), written)
    }
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
    const written = (read: string | Moved | null): Content => {
      if (read === null) return null
      if (typeof read === 'string') return { text: read, headers: common }
      const changelogPath = audience === 'public' ? publicChangelogPath : keyedChangelogPath
      const location = `${changelogPath(teamSlug, productSlug)}/versions/${versionName(read.movedTo)}`
      return { location, headers: common }
    }
    const make: Make = async (reads) => {
      const source = { reads, audience, team: teamSlug, product: productSlug }
      return contentOf(await readVersion(source, versionId), written)
    }
    return respond(audience, context, { teamSlug, productSlug, versionId }, make)
  }

  /** Responds with public content that a few reads make. Throws `bad_request` or `Unavailable`. */
  const short = (context: Context, names: object, make: (reads: Reads) => Promise<Content>) =>
    respond('public', context, names, make)

  /** Responds with content that takes time or memory, as clients take turns. Throws `bad_request` or `Unavailable`. */
  const long = (context: Context, names: object, make: MakeLong, audience: Audience = 'public') =>
    respond(audience, context, names, async () => make)

  const fixed = (own: HeaderFields, build: () => string) =>
    createFixedResponse({ ...headers.forPublic, ...own }, build)

  return { cachedResponse, isNotFound, changelog, version, short, long, fixed, headers }
}

/** Writes what was read, or will be. */
const contentOf = <Read extends ListJson | Moved | string | null>(
  read: Read | ((reads: Reads) => Promise<Read>),
  written: (read: Read) => Content,
): Content | MakeLong =>
  typeof read === 'function' ? async (reads) => written(await read(reads)) : written(read)

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ChangelogQuery): string | undefined =>
  from === undefined && to === undefined ? after : JSON.stringify([after, from, to])

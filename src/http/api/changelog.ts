import { pick } from '../../domain/objects.ts'
import type { ChangelogRead } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, LABEL_MISSING, type Responder } from '../answers/responder.ts'
import type { Asked, LIST_PARAMETERS } from '../reading/parameters.ts'
import { readSummaries, type Source } from '../reading/slices.ts'
import { ApiError } from '../request/errors.ts'
import { readContents } from './contents.ts'
import { type ListQuery, nextLink, pageOf, type RequestedPage } from './page.ts'
import { changelogEnvelope, changelogOpening, LIST_END, type ListJson, versionEntry } from './serialize.ts'

/** A page of a changelog. Throws `bad_request` or `Unavailable`. */
export const createChangelogRead =
  ({ respond, headers }: Responder) =>
  async ({ audience, context, params, query }: Asked<'teamSlug' | 'productSlug', typeof LIST_PARAMETERS>) => {
    const page = pageOf(query)
    const written = (list: ListJson | null): Content => {
      if (!list) return null
      if (list.missingLabel !== undefined) return LABEL_MISSING
      if (list.isReversed) throw new ApiError('bad_request', 'from must be below to.')
      const own = {
        ...(list.next && { link: nextLink(context.target, list.next) }),
        ...(list.language && { 'content-language': list.language }),
      }
      const common = headers.forAudience(audience)
      return { text: list.json, headers: Object.keys(own).length === 0 ? common : { ...common, ...own } }
    }
    const make = async (reads: Reads) => {
      const source = { reads, audience, team: params.teamSlug, product: params.productSlug }
      const read = await readChangelog(source, page)
      return typeof read === 'function' ? async (reads: Reads) => written(await read(reads)) : written(read)
    }
    return respond(audience, context, params, make, labelsIn(query))
  }

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ListQuery): string | undefined =>
  from === null && to === null ? (after ?? undefined) : JSON.stringify([after, from, to])

/** The most versions of a list that is read at once. */
const SHORT = 100

/** Versions without changes that are read and serialized in one turn of the event loop. */
const SLICE = 500

/** A page of a changelog as JSON, or a function that reads a long one in slices. Null if the audience may see none. */
export async function readChangelog(
  { reads, ...names }: Source,
  page: RequestedPage,
): Promise<ListJson | null | ((reads: Reads) => Promise<ListJson | null>)> {
  if (!page.withChanges) {
    const part = { ...page, limit: page.limit ?? SHORT }
    const read = await reads.ask('readChangelog', names.audience, names.team, names.product, part)
    if (page.limit !== null || !read?.next)
      return read && listJson(read, JSON.stringify(changelogEnvelope(read)))
  }
  const readLong = page.withChanges ? readContents : readVersions
  return (reads) => readLong({ reads, ...names }, page)
}

async function readVersions(source: Source, page: RequestedPage): Promise<ListJson | null> {
  const parts: string[] = []
  let first: ChangelogRead | undefined
  for await (const slice of readSummaries(source, page, SLICE)) {
    first ??= slice
    if (slice.versions.length > 0) parts.push(JSON.stringify(slice.versions.map(versionEntry)).slice(1, -1))
  }
  if (!first) return null
  return listJson({ ...first, next: null }, changelogOpening(first) + parts.join(',') + LIST_END)
}

const listJson = (read: ChangelogRead, json: string): ListJson => ({
  ...pick(read, 'next', 'missingLabel', 'isReversed'),
  json,
})

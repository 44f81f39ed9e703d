import { pick } from '../../domain/objects.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, LABEL_MISSING, LONG, type Responder } from '../answers/responder.ts'
import type { Asked, LIST_PARAMETERS } from '../reading/parameters.ts'
import type { Source } from '../reading/slices.ts'
import { ApiError } from '../request/errors.ts'
import { readList } from './list.ts'
import { type ListQuery, nextLink, pageOf, type RequestedPage } from './page.ts'
import { changelogEnvelope, LIST_FACTS, type ListJson } from './serialize.ts'

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
    const make = async (reads: Reads, isLong: boolean) => {
      const source = { reads, audience, team: params.teamSlug, product: params.productSlug }
      const read = await readChangelog(source, page, isLong)
      return read === LONG ? LONG : written(read)
    }
    return respond(audience, context, params, make, labelsIn(query))
  }

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ListQuery): string | undefined =>
  from === null && to === null ? (after ?? undefined) : JSON.stringify([after, from, to])

/** The most versions of a list that is read at once. */
const SHORT = 100

/** A page of a changelog as JSON. Null if the audience may see none. */
export async function readChangelog(
  source: Source,
  page: RequestedPage,
  isLong: boolean,
): Promise<ListJson | null | typeof LONG> {
  if (isLong) return readList(source, page)
  if (page.withChanges) return LONG
  const { reads, audience, team, product } = source
  const part = { ...page, limit: page.limit ?? SHORT }
  const read = await reads.ask('readChangelog', audience, team, product, part)
  if (!read) return null
  if (page.limit === null && read.next) return LONG
  return { ...pick(read, ...LIST_FACTS), json: JSON.stringify(changelogEnvelope(read)) }
}

import type { Reads } from '../answers/reads.ts'
import { type Content, LABEL_MISSING, LONG } from '../answers/responder.ts'
import type { Asked, LIST_PARAMETERS } from '../reading/parameters.ts'
import { ApiError } from '../request/errors.ts'
import { readChangelog } from './list.ts'
import { type ListQuery, nextLink, pageOf } from './page.ts'

/** A page of a changelog. Throws `bad_request` or `Unavailable`. */
export async function changelog(
  asked: Asked<'teamSlug' | 'productSlug', typeof LIST_PARAMETERS>,
): Promise<Response> {
  const { responder, audience, context, params, query } = asked
  const page = pageOf(query)
  const make = async (reads: Reads, isLong: boolean): Promise<Content | typeof LONG> => {
    const source = { reads, audience, team: params.teamSlug, product: params.productSlug }
    const list = await readChangelog(source, page, isLong)
    if (list === null || list === LONG) return list
    if (list.missingLabel !== undefined) return LABEL_MISSING
    if (list.isReversed) throw new ApiError('bad_request', 'from must be below to.')
    const own = {
      ...(list.next && { link: nextLink(context.target, list.next) }),
      ...(list.language && { 'content-language': list.language }),
    }
    const common = responder.headers.forAudience(audience)
    return { text: list.json, headers: Object.keys(own).length === 0 ? common : { ...common, ...own } }
  }
  return responder.respond(audience, context, params, make, labelsIn(query))
}

/** The labels of a query, under which a 404 for one of them is cached. */
const labelsIn = ({ after, from, to }: ListQuery): string | undefined =>
  from === null && to === null ? (after ?? undefined) : JSON.stringify([after, from, to])

import { breakingIn } from '../../domain/versions/marks/said.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import { picturesOf } from '../../notes/pictures.ts'
import type { Cursor } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, LONG } from '../answers/responder.ts'
import { writeCursor } from '../reading/addresses.ts'
import type { Asked, LIST_PARAMETERS, Values } from '../reading/parameters.ts'
import { reversed } from '../request/errors.ts'
import { parametersOf, pathOf, TOKEN } from '../target.ts'
import { type RequestedPage, readChangelog } from './json.ts'

/** The default size of a page with changes: it must be bounded. */
const PAGE_WITH_CHANGES = 20

type ListQuery = Values<typeof LIST_PARAMETERS>

/** A page of a changelog. Throws `bad_request` or `Unavailable`. */
export async function changelog(
  asked: Asked<'teamSlug' | 'productSlug', typeof LIST_PARAMETERS>,
): Promise<Response> {
  const { responder, audience, context, params, query, baseUrl } = asked
  const page = pageOf(query)
  const make = async (reads: Reads, isLong: boolean): Promise<Content | typeof LONG> => {
    const { teamSlug: team, productSlug: product } = params
    const source = { reads, audience, team, product, pictures: picturesOf(team, product, baseUrl) }
    const list = await readChangelog(source, page, isLong)
    if (list === null || list === LONG) return list
    if (list.missingLabel !== undefined) return { parameter: parameterWith(query, list.missingLabel) }
    if (list.isReversed) throw reversed()
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

const parameterWith = ({ after, from }: ListQuery, label: string) =>
  label === after ? 'after' : label === from ? 'from' : 'to'

export function pageOf(query: ListQuery): RequestedPage {
  const { limit, cursor, since, include, after, from, to, type, kind } = query
  const withChanges = (include ?? type ?? kind) !== null
  const between = { ...(from !== null && { from }), ...(to !== null && { to }) }
  return {
    limit: limit ?? (withChanges ? PAGE_WITH_CHANGES : null),
    after: cursor,
    since,
    withChanges,
    ...(after !== null && { newerThan: after }),
    ...((from ?? to) !== null && { between }),
    ...versionFilter(query),
    ...selectionIn(query),
  }
}

function selectionIn({ type: types, kind: kinds }: ListQuery): Pick<RequestedPage, 'select' | 'keeps'> {
  if (!types && !kinds) return {}
  return {
    select: (change) => (!types || types.includes(change.type)) && (!kinds || isOfKind(change, kinds)),
    keeps: (version) => !types && kinds?.includes('breaking') === true && breakingIn(version) !== null,
  }
}

/** The `Link` header for the next page: the same path and query with its cursor. */
export function nextLink(target: string, next: Cursor): string {
  const parameters = parametersOf(target)
  parameters.delete('cursor')
  parameters.delete(TOKEN)
  parameters.set('cursor', writeCursor(next))
  return `<${pathOf(target)}?${parameters}>; rel="next"`
}

import { breakingIn } from '../../domain/versions/marks/said.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import { picturesOf } from '../../notes/pictures.ts'
import type { Cursor } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { type Content, type Long, long } from '../answers/responder.ts'
import { writeCursor } from '../reading/addresses.ts'
import type { Asked, LIST_PARAMETERS, Values } from '../reading/parameters.ts'
import { reversed } from '../request/errors.ts'
import { parametersOf, pathOf, TOKEN } from '../target.ts'
import { type ListJson, type RequestedPage, readInSlices, readShort, type Source } from './json.ts'

/** The default size of a page with changes: it must be bounded. */
const PAGE_WITH_CHANGES = 20

type ListQuery = Values<typeof LIST_PARAMETERS>

/** A page of a changelog. Throws `bad_request` or `Unavailable`. */
export async function changelog(
  asked: Asked<'teamSlug' | 'productSlug', typeof LIST_PARAMETERS>,
): Promise<Response> {
  const { responder, audience, context, params, query, baseUrl } = asked
  const page = pageOf(query)
  const { teamSlug: team, productSlug: product } = params
  const pictures = picturesOf(team, product, baseUrl)
  const sourceOf = (reads: Reads): Source => ({ reads, audience, team, product, pictures })
  const contentOf = (list: ListJson | null): Content => {
    if (list === null) return null
    if (list.missingLabel !== undefined)
      return { kind: 'missing', parameter: parameterWith(query, list.missingLabel) }
    if (list.isReversed) throw reversed()
    const own = {
      ...(list.next && { link: nextLink(context.target, list.next) }),
      ...(list.language && { 'content-language': list.language }),
    }
    const common = responder.headers.forAudience(audience)
    const text = list.json
    return { kind: 'body', text, headers: Object.keys(own).length === 0 ? common : { ...common, ...own } }
  }
  const inSlices = long(async (reads) => contentOf(await readInSlices(sourceOf(reads), page)))
  const make = async (reads: Reads): Promise<Content | Long> => {
    if (page.withChanges) return inSlices
    const list = await readShort(sourceOf(reads), page)
    return list === 'long' ? inSlices : contentOf(list)
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

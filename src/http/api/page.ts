import type { Change, Version } from '../../domain/records.ts'
import { breakingIn } from '../../domain/versions/breaking.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import type { Cursor, Page } from '../../store/store.ts'
import { writeCursor } from '../reading/addresses.ts'
import type { LIST_PARAMETERS, Values } from '../reading/parameters.ts'
import { ApiError } from '../request/errors.ts'
import { parametersOf, pathOf, TOKEN } from '../target.ts'

/** The default size of a page with changes: it must be bounded. */
const PAGE_WITH_CHANGES = 20

export type ListQuery = Values<typeof LIST_PARAMETERS>

export interface RequestedPage extends Page {
  /** With changes: only those that it selects, and versions that have any. */
  select?: (change: Change) => boolean
  /** With `select`: versions that are kept for their introduction, even if none of their changes is. */
  keeps?: (version: Pick<Version, 'description'>) => boolean
}

/** Throws `bad_request` for a selection without changes. */
export function pageOf(query: ListQuery): RequestedPage {
  const { limit, cursor, since, include, after, from, to } = query
  const withChanges = include !== null
  const between = { ...(from !== null && { from }), ...(to !== null && { to }) }
  return {
    limit: limit ?? (withChanges ? PAGE_WITH_CHANGES : null),
    after: cursor,
    since,
    withChanges,
    ...(after !== null && { newerThan: after }),
    ...((from ?? to) !== null && { between }),
    ...versionFilter(query),
    ...selectionIn(query, withChanges),
  }
}

function selectionIn(
  { type: types, kind: kinds }: ListQuery,
  withChanges: boolean,
): Pick<RequestedPage, 'select' | 'keeps'> {
  if (!types && !kinds) return {}
  if (!withChanges) throw new ApiError('bad_request', `${types ? 'type' : 'kind'} needs include=changes.`)
  return {
    select: (change) => (!types || types.includes(change.type)) && (!kinds || isOfKind(change, kinds)),
    keeps: ({ description }) =>
      !types && kinds?.includes('breaking') === true && breakingIn(description) !== null,
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

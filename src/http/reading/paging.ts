import type { Change, Version } from '../../domain/records.ts'
import { isChangeType } from '../../domain/slug.ts'
import { ISO_RULE, parseInstant } from '../../domain/time/time.ts'
import { breakingIn } from '../../domain/versions/breaking.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import type { Cursor, Page } from '../../store/store.ts'
import { type ChangelogQuery, MAX_TYPES } from '../api/openapi/request-schemas.ts'
import { API_PARAMETERS } from '../api-parameters.ts'
import { ApiError } from '../request/errors.ts'
import { parametersOf } from '../target.ts'

/** The default size of a page with changes: it must be bounded. */
const PAGE_WITH_CHANGES = 20

export interface RequestedPage extends Page {
  /** With changes: only those that it selects, and versions that have any. */
  select?: (change: Change) => boolean
  /** With `select`: versions that are kept for their introduction, even if none of their changes is. */
  keeps?: (version: Pick<Version, 'description'>) => boolean
}

/** The page of a target without a query. */
const WHOLE: RequestedPage = { limit: null, after: null, since: null, withChanges: false }

/** Throws `bad_request` for a malformed cursor, time or type, and for repeated parameters of the target. */
export function pageOf(query: ChangelogQuery, target: string): RequestedPage {
  if (!target.includes('?')) return WHOLE
  checkGivenOnce(parametersOf(target), API_PARAMETERS)
  const withChanges = query.include === 'changes'
  return {
    limit: query.limit === undefined ? (withChanges ? PAGE_WITH_CHANGES : null) : Number(query.limit),
    after: query.cursor === undefined ? null : readCursor(query.cursor),
    since: query.since === undefined ? null : readSince(query.since),
    withChanges,
    ...(query.after !== undefined && { newerThan: query.after }),
    ...rangeIn(query),
    prereleases: query.prereleases ?? null,
    ...selectionIn(query, withChanges),
  }
}

/** Throws `bad_request` for a repeated parameter: it would not be clear which one counts. */
export function checkGivenOnce(given: URLSearchParams, names: readonly string[]): void {
  for (const name of names)
    if (given.getAll(name).length > 1) throw new ApiError('bad_request', `${name} is given more than once.`)
}

/** The `Link` header for the next page: the same path and query with its cursor. */
export function nextLink(path: string, query: ChangelogQuery, next: Cursor): string {
  const parameters = new URLSearchParams()
  for (const name of API_PARAMETERS)
    if (name !== 'cursor' && query[name] !== undefined) parameters.set(name, query[name])
  parameters.set('cursor', writeCursor(next))
  return `<${path}?${parameters}>; rel="next"`
}

export const writeCursor = ({ publishedAt, id }: Cursor): string =>
  Buffer.from(`${publishedAt} ${id}`).toString('base64url')

/** Throws `bad_request` if `writeCursor` did not write it. */
export function readCursor(cursor: string): Cursor {
  const parts = /^(-?\d{1,16}) (ver_[0-9a-z]{1,64})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  )
  const position = parts && { publishedAt: Number(parts[1]), id: parts[2] as string }
  if (!position || writeCursor(position) !== cursor)
    throw new ApiError('bad_request', 'cursor must come from the Link header of another page.')
  return position
}

/** The position below this one: whatever is newer than it is at this one or above. */
export const positionBelow = ({ publishedAt, id }: Cursor): Cursor => ({
  publishedAt,
  id: `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`,
})

function readSince(text: string): number {
  // An unescaped "+" in a query arrives as a space.
  const since = parseInstant(text.replace(' ', '+'))
  if (since === null) throw new ApiError('bad_request', `since must be ${ISO_RULE}.`)
  return since
}

function rangeIn({ from, to }: ChangelogQuery): Pick<Page, 'between'> {
  if (from === undefined && to === undefined) return {}
  return { between: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) } }
}

function selectionIn(
  { type, kind }: ChangelogQuery,
  withChanges: boolean,
): Pick<RequestedPage, 'select' | 'keeps'> {
  if (type === undefined && kind === undefined) return {}
  if (!withChanges)
    throw new ApiError('bad_request', `${type === undefined ? 'kind' : 'type'} needs include=changes.`)
  const types = type === undefined ? null : readTypes(type)
  const kinds = kind === undefined ? null : readKinds(kind)
  return {
    select: (change) =>
      (types === null || types.includes(change.type)) && (kinds === null || isOfKind(change, kinds)),
    keeps: ({ description }) =>
      types === null && kinds?.includes('breaking') === true && breakingIn(description) !== null,
  }
}

function readKinds(text: string): Kind[] {
  const kinds = text.split(',')
  const isKnown = (kind: string): kind is Kind => KINDS.some((each) => each === kind)
  if (!kinds.every(isKnown))
    throw new ApiError(
      'bad_request',
      `kind must be one of ${KINDS.join(', ')}, or several separated by commas.`,
    )
  return kinds
}

function readTypes(text: string): string[] {
  const types = text.split(',')
  if (types.length > MAX_TYPES || !types.every(isChangeType))
    throw new ApiError(
      'bad_request',
      `type must be at most ${MAX_TYPES} types separated by commas, such as security,fixed.`,
    )
  return types
}

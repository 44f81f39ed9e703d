import { printable } from '../../domain/text/controls.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import type { Cursor, LabelRange } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { parametersOf } from '../paths.ts'
import { type Names, parseNames } from '../reading/names.ts'
import { checkGivenOnce, readCursor } from '../reading/paging.ts'
import { FEED_PARAMETERS, ROUTES } from '../routes.ts'
import type { SitemapPosition } from './feeds/sitemap.ts'
import type { Filter } from './search.ts'

/** The longest search text and type: the page repeats both. */
export const MAX_Q = 100
const MAX_TYPE = 200

export interface ChangelogQuery {
  filter: Filter
  after: Cursor | null
  /** The versions that an upgrade is between, if it is about one. */
  between: LabelRange | null
}

/** Throws `bad_request` for invalid and repeated parameters. */
export function changelogQuery(context: Context): ChangelogQuery {
  const given = parameters(context, ROUTES.changelogPage.parameters)
  const q = printable(given('q') ?? '').trim()
  if (q.length > MAX_Q) throw new ApiError('bad_request', `q must have at most ${MAX_Q} characters.`)
  const type = printable(given('type') ?? '')
  if (type.length > MAX_TYPE)
    throw new ApiError('bad_request', `type must have at most ${MAX_TYPE} characters.`)
  const filter = { q: q || null, kind: kindGiven(given('kind') || null), type: type || null }
  const [from, to] = [given('from'), given('to')]
  const between = from || to ? { ...(from && { from }), ...(to && { to }) } : null
  return { filter, after: position(given('cursor')), between }
}

function kindGiven(given: string | null): Kind | null {
  const kind = KINDS.find((each) => each === given) ?? null
  if (given !== null && kind === null)
    throw new ApiError('bad_request', `kind must be one of ${KINDS.join(', ')}.`)
  return kind
}

/** The number of a release's page: very many changes take several. */
export function releaseQuery(context: Context): number {
  const page = parameters(context, ROUTES.versionPage.parameters)('page') ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(page)) throw new ApiError('bad_request', 'page must be a number from 1 on.')
  return Number(page)
}

/** The position after which a part of a file begins. */
export const markdownQuery = (context: Context): Cursor | null =>
  position(parameters(context, ROUTES.markdownFile.parameters)('cursor'))

/** The position after which a file of the sitemap begins; undefined for the first. */
export function sitemapQuery(context: Context): SitemapPosition | undefined {
  const given = parameters(context, ROUTES.sitemapFile.parameters)
  const names = product(given('after'))
  const after = position(given('cursor'))
  return names ? { ...names, after } : undefined
}

export interface TimelineQuery {
  /** The position after which its releases begin. */
  cursor: Cursor | null
  /** The product after which its list of products begins. */
  after: Names | null
}

export function timelineQuery(context: Context): TimelineQuery {
  const given = parameters(context, ROUTES.teamPage.parameters)
  return { cursor: position(given('cursor')), after: product(given('after')) }
}

/** The kind of change that a feed is about; null for all. */
export const feedQuery = (context: Context): Kind | null =>
  kindGiven(parameters(context, FEED_PARAMETERS)('kind'))

const position = (cursor: string | null): Cursor | null => (cursor === null ? null : readCursor(cursor))

function product(after: string | null): Names | null {
  const names = after === null ? null : parseNames(after)
  if (after !== null && !names)
    throw new ApiError('bad_request', 'after must be a team and a product, such as acme/app.')
  return names
}

/** The value of each parameter, or null. */
function parameters<Name extends string>(context: Context, names: readonly Name[]) {
  const given = parametersOf(context.target)
  checkGivenOnce(given, names)
  return (name: Name): string | null => given.get(name)
}

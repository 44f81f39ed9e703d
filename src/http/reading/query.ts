import { printable } from '../../domain/text/controls.ts'
import { KINDS, type Kind } from '../../domain/versions/kinds.ts'
import type { Cursor } from '../../store/store.ts'
import type { Context } from '../request/context.ts'
import { ApiError } from '../request/errors.ts'
import { FEED_PARAMETERS, ROUTES } from '../routes.ts'
import { parametersOf } from '../target.ts'
import { type Names, parseNames } from './names.ts'
import { checkGivenOnce, readCursor } from './paging.ts'
import { type Filter, MAX_Q } from './search.ts'
import type { UpgradeRange } from './upgrade.ts'

/** The longest type: the page repeats it. */
const MAX_TYPE = 200

export interface ChangelogQuery {
  filter: Filter
  after: Cursor | null
  /** The versions that an upgrade is between, if it is about one. */
  between: UpgradeRange | null
}

/** Throws `bad_request` for invalid and repeated parameters. */
export function changelogQuery(context: Context): ChangelogQuery {
  const given = parameters(context, ROUTES.changelogPage.parameters)
  const q = printable(given('q') ?? '').trim()
  if (q.length > MAX_Q) throw new ApiError('bad_request', `q must have at most ${MAX_Q} characters.`)
  const type = printable(given('type') ?? '')
  if (type.length > MAX_TYPE)
    throw new ApiError('bad_request', `type must have at most ${MAX_TYPE} characters.`)
  const prereleases = prereleasesGiven(given('prereleases'))
  const filter = { q: q || null, kind: kindGiven(given('kind') || null), type: type || null, prereleases }
  const [from, to] = [given('from'), given('to')]
  const between = from || to ? { ...(from && { from }), ...(to && { to }), prereleases } : null
  return { filter, after: position(given('cursor')), between }
}

function oneOf<Value extends string>(name: string, given: string | null, values: readonly Value[]) {
  const value = values.find((each) => each === given) ?? null
  if (given !== null && value === null)
    throw new ApiError('bad_request', `${name} must be one of ${values.join(', ')}.`)
  return value
}

const kindGiven = (given: string | null): Kind | null => oneOf('kind', given, KINDS)
const prereleasesGiven = (given: string | null): 'no' | null => oneOf('prereleases', given, ['no'])

/** The number of a release's page: very many changes take several. */
export function releaseQuery(context: Context): number {
  const page = parameters(context, ROUTES.versionPage.parameters)('page') ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(page)) throw new ApiError('bad_request', 'page must be a whole number from 1.')
  return Number(page)
}

/** The position after which a part of a file begins. */
export const markdownQuery = (context: Context): Cursor | null =>
  position(parameters(context, ROUTES.markdownFile.parameters)('cursor'))

/** A file of the sitemap is about the product after this one, or about its own versions after one of them. */
export interface SitemapPosition extends Names {
  after: Cursor | null
}

/** The position after which a file of the sitemap begins; undefined for the first. */
export function sitemapQuery(context: Context): SitemapPosition | undefined {
  const given = parameters(context, ROUTES.sitemapFile.parameters)
  const names = product(given('after'))
  const after = position(given('cursor'))
  return names ? { ...names, after } : undefined
}

export interface TimelineQuery extends Pick<Filter, 'prereleases'> {
  /** The position after which its releases begin. */
  cursor: Cursor | null
  /** The product after which its list of products begins. */
  after: Names | null
}

export function timelineQuery(context: Context): TimelineQuery {
  const given = parameters(context, ROUTES.teamPage.parameters)
  const prereleases = prereleasesGiven(given('prereleases'))
  return { prereleases, cursor: position(given('cursor')), after: product(given('after')) }
}

/** Null for everything. */
export type FeedFilter = Pick<Filter, 'kind' | 'prereleases'>

export function feedQuery(context: Context): FeedFilter {
  const given = parameters(context, FEED_PARAMETERS)
  return { kind: kindGiven(given('kind')), prereleases: prereleasesGiven(given('prereleases')) }
}

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

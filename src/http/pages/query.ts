import { isSlug } from '../../domain/slug.ts'
import type { Cursor } from '../../store/port.ts'
import { ApiError } from '../responses/errors.ts'
import { checkGivenOnce, readCursor } from '../responses/paging.ts'
import type { Position } from './machines/sitemap.ts'
import { printable } from './markdown/render.ts'
import type { Filter } from './search.ts'

/** The most characters that may be searched for, and that a type may have: the page repeats both. */
export const MAX_Q = 100
const MAX_TYPE = 200

/** What the query of a changelog page asks for. */
export interface ChangelogQuery {
  filter: Filter
  after: Cursor | null
  /** Whether it has only parameters that mean something. */
  isKnown: boolean
}

/** Throws `bad_request` for a value that is not allowed, and for a parameter that is given more than once. */
export function changelogQuery(request: Request): ChangelogQuery {
  const { given, isKnown } = parameters(request, ['q', 'type', 'cursor'])
  const q = printable(given.get('q') ?? '').trim()
  if (q.length > MAX_Q) throw new ApiError('bad_request', `q must have at most ${MAX_Q} characters.`)
  const type = printable(given.get('type') ?? '')
  if (type.length > MAX_TYPE)
    throw new ApiError('bad_request', `type must have at most ${MAX_TYPE} characters.`)
  const cursor = given.get('cursor')
  return {
    filter: { q: q || null, type: type || null },
    after: cursor === null ? null : readCursor(cursor),
    isKnown,
  }
}

/** Which of the pages of a release is asked for: one with very many changes has several. */
export function releaseQuery(request: Request): { page: number; isKnown: boolean } {
  const { given, isKnown } = parameters(request, ['page'])
  const page = given.get('page') ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(page)) throw new ApiError('bad_request', 'page must be a number from 1 on.')
  return { page: Number(page), isKnown }
}

/** The position in a file after which a part of it begins. */
export function positionQuery(request: Request): { after: Cursor | null; isKnown: boolean } {
  const { given, isKnown } = parameters(request, ['cursor'])
  const cursor = given.get('cursor')
  return { after: cursor === null ? null : readCursor(cursor), isKnown }
}

/** The position in all addresses after which a file of them begins; undefined for the first. */
export function sitemapQuery(request: Request): { position: Position | undefined; isKnown: boolean } {
  const { given, isKnown } = parameters(request, ['after', 'cursor'])
  const [team, product] = slugs(given.get('after'))
  const cursor = given.get('cursor')
  const after = cursor === null ? null : readCursor(cursor)
  return { position: team && product ? { team, product, after } : undefined, isKnown }
}

/** The position in a list of changelogs after which a page of it begins. */
export function listQuery(request: Request): { after: readonly string[]; isKnown: boolean } {
  const { given, isKnown } = parameters(request, ['after'])
  return { after: slugs(given.get('after')), isKnown }
}

/** The slugs of a team and a product. */
function slugs(after: string | null): string[] {
  if (after === null) return []
  const names = after.split('/')
  if (names.length !== 2 || !names.every(isSlug))
    throw new ApiError('bad_request', 'after must be a team and a product, such as acme/app.')
  return names
}

function parameters(request: Request, names: readonly string[]) {
  const { searchParams: given } = new URL(request.url)
  checkGivenOnce(given, names)
  return { given, isKnown: [...given.keys()].every((name) => names.includes(name)) }
}

import { changelogPagePath, MARKDOWN, versionPagePath } from '../../domain/addresses/paths.ts'
import { isSlug } from '../../domain/slug.ts'
import type { ChangelogInfo, Cursor } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import { notFound } from '../request/errors.ts'

export interface Names {
  team: string
  product: string
}

/** `acme/app`; null if it has another form. */
export function parseNames(text: string): Names | null {
  const [team = '', product = '', ...more] = text.split('/')
  return isSlug(team) && isSlug(product) && more.length === 0 ? { team, product } : null
}

/** The address at `/`: that of the setting, or the one that it has since a rename. */
export const homeNames = async ({ ask }: Reads, names: Names): Promise<Names> =>
  (await ask('readStamp', 'public', names.team, names.product))
    ? names
    : ((await ask('readFormer', names)) ?? names)

/** The names of the API, under which a 404 is cached. Throws `not_found` for impossible ones. */
export function checkedNames({ team, product }: Names) {
  if (!isSlug(team) || !isSlug(product)) throw notFound()
  return { teamSlug: team, productSlug: product }
}

export const writeCursor = ({ publishedAt, id }: Cursor): string =>
  Buffer.from(`${publishedAt} ${id}`).toString('base64url')

/** Undefined if `writeCursor` did not write it. */
export function readCursor(cursor: string): Cursor | undefined {
  const parts = /^(-?\d{1,16}) (ver_[0-9a-z]{1,64})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  )
  const position = parts && { publishedAt: Number(parts[1]), id: parts[2] as string }
  return position && writeCursor(position) === cursor ? position : undefined
}

/** The position below this one: whatever is newer than it is at this one or above. */
export const positionBelow = ({ publishedAt, id }: Cursor): Cursor => ({
  publishedAt,
  id: `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`,
})

/** A path with those of these parameters that have a value, in this order. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

export const changelogLink = ({ team, product }: ChangelogInfo): string =>
  changelogPagePath(team.slug, product.slug)

export const versionLink = (
  { team, product }: ChangelogInfo,
  version: { id: string; label: string },
): string => versionPagePath(team.slug, product.slug, version)

/** The changelog as text after this position. */
export const markdownLink = (changelog: ChangelogInfo, after: Cursor | null): string =>
  `${changelogLink(changelog)}/${MARKDOWN}${after ? `?cursor=${writeCursor(after)}` : ''}`

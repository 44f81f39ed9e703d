import { changelogPagePath, PAGES, teamPagePath } from '../../domain/addresses/paths.ts'
import type { Context } from '../request/context.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Reads } from './reads.ts'

/** A 404 is cached under the names of a team and a product, or of a team alone. */
export interface Names {
  team?: string
  teamSlug?: string
  productSlug?: string
}

const isPage = ({ target }: Context): boolean => target.startsWith(`${PAGES}/`)

/** Pages and feeds have 404s of their own: where the API has one, they may lead elsewhere. */
export const namesFor = (context: Context, names: Names): object =>
  isPage(context) ? { ...names, isPage: true } : names

/** Leads from a page or feed to its address after its team or product was renamed; null if that is hidden, as if it never was. */
export async function leadToRenamed(
  reads: Reads,
  context: Context,
  { teamSlug, productSlug, team = teamSlug }: Names,
  headers: HeaderFields,
): Promise<{ location: string; status: number; headers: HeaderFields } | null> {
  if (team === undefined || !isPage(context)) return null
  const found = await reads.ask('readFormer', productSlug === undefined ? '' : team, productSlug ?? team)
  if (!found) return null
  const pathOf = (team: string, product: string | null = null) =>
    product === null ? teamPagePath(team) : changelogPagePath(team, product)
  const rest = context.target.slice(pathOf(team, productSlug).length)
  return { location: pathOf(found.team, found.product) + rest, status: 308, headers }
}

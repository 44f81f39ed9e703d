import { changelogPagePath, PAGES, teamPagePath } from '../../domain/addresses/paths.ts'
import type { ProductName } from '../../domain/records.ts'
import type { Context } from '../request/context.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Reads } from './reads.ts'

/** The names under which a 404 is cached: of a changelog, or of a team. */
export type Names = Partial<Record<'teamSlug' | 'productSlug' | 'team', string>> & { isPage?: true }

/** Pages and feeds have 404s of their own: where the API has one, they may lead elsewhere. */
export const namesFor = ({ target }: Context, names: Names): Names =>
  target.startsWith(`${PAGES}/`) ? { ...names, isPage: true } : names

/** Leads from a page or feed to its address after its team or product was renamed; null if that is hidden, or never was. */
export async function leadToRenamed(
  { ask }: Reads,
  { target }: Context,
  { isPage, teamSlug = '', team = teamSlug, productSlug: product = '' }: Names,
  headers: HeaderFields,
) {
  const found = isPage && team !== '' ? await ask('readFormer', { team, product }) : null
  const pathOf = (now: ProductName) =>
    product === '' ? teamPagePath(now.team) : changelogPagePath(now.team, now.product)
  const rest = target.slice(pathOf({ team, product }).length)
  return found && { kind: 'redirect' as const, location: pathOf(found) + rest, status: 308, headers }
}

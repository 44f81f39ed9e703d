import { isSlug } from '../../domain/slug.ts'
import { notFound } from '../errors.ts'

/** The slugs in a page's path. */
export interface Names {
  team: string
  product: string
}

/** Throws `not_found` for names that nothing can have. */
export function checkSlugs(names: Names): void {
  if (!isSlug(names.team) || !isSlug(names.product)) throw notFound()
}

/** What is not found is cached under the names by which the API knows it. */
export const apiNames = ({ team, product }: Names) => ({ teamSlug: team, productSlug: product })

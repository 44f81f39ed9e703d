import { isSlug } from '../../domain/slug.ts'
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

/** The names of the API, under which a 404 is cached. Throws `not_found` for impossible ones. */
export function checkedNames({ team, product }: Names) {
  if (!isSlug(team) || !isSlug(product)) throw notFound()
  return { teamSlug: team, productSlug: product }
}

import { address, type Product } from '../../../domain/records.ts'
import { isChangeType } from '../../../domain/slug.ts'
import { nearest } from '../../../domain/text/nearest.ts'
import type { Records } from '../../../store/records/records.ts'
import { plain } from '../../terminal/text.ts'

/** The types of Keep a Changelog. */
const USUAL_TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']

export const TYPE = `${USUAL_TYPES.join(', ')}, or your own word`

/** `Fixed` → `fixed`. Invalid text stays as typed, for the refusal. */
export const changeType = (text: string): string => {
  const type = text.toLowerCase()
  return isChangeType(type) ? type : text
}

/** A note for a type that no change of the product has yet: it may be a typing error. */
export async function newTypeNotes(records: Records, product: Product, type: string | undefined) {
  if (type === undefined || USUAL_TYPES.includes(type)) return []
  const known = await records.changes.types(product)
  if (known.includes(type)) return []
  const meant = nearest(type, [...USUAL_TYPES, ...known])
  const note = `No other change of ${address(product)} has the type ${plain(type)}.`
  return [meant === null ? note : `${note} Did you mean ${meant}?`]
}

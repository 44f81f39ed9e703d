import { address, type Product, type Version } from '../../../domain/records.ts'
import { isChangeType } from '../../../domain/slug.ts'
import { nearest } from '../../../domain/text/nearest.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import type { Records } from '../../../store/records/records.ts'
import type { PlacedChange } from '../../../store/records/types.ts'
import type { Message } from '../../terminal/messages.ts'
import { plain } from '../../terminal/text.ts'

/** The types of Keep a Changelog. */
const USUAL_TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']

export const TYPE = `${USUAL_TYPES.join(', ')}, or your own word`

/** `Fixed` → `fixed`. Invalid text stays as typed, for the refusal. */
export const changeType = (text: string): string => {
  const type = text.toLowerCase()
  return isChangeType(type) ? type : text
}

/** A note for a type that no change of the product had before: it may be a typing error. */
export async function newTypes(
  records: Records,
  product: Product,
  type: string | undefined,
): Promise<(version: Version, change: PlacedChange) => Message[]> {
  if (type === undefined || USUAL_TYPES.includes(type)) return () => []
  const known = await records.changes.types(product)
  if (known.includes(type)) return () => []
  const meant = nearest(type, [...USUAL_TYPES, ...known])
  return (version, { position }) => {
    const note = `No other change of ${address(product)} has the type ${plain(type)}.`
    if (meant === null) return [note]
    const name = `${address(product)} ${shellWord(version.label)} ${position}`
    const text = `${note} Did you mean ${meant}? To change it`
    return [{ text, command: `changelogd change update ${name} --type ${meant}` }]
  }
}

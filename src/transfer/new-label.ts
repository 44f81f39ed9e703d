import type { Product } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { labelsFrom } from '../domain/versions/names.ts'
import type { Records } from '../store/records/records.ts'

/** The first label from a title that no version of a product has or had. Every label is free in a product that is not stored yet. */
export async function newLabel(records: Records, product: Product | null, title: string): Promise<string> {
  const former = product ? [...(await records.versions.formerLabels(product)).values()].flat() : []
  for (const label of labelsFrom(title))
    if (!former.includes(label) && !(product && (await records.versions.find(product, label)))) return label
  throw new Refusal('There are no labels left.')
}

export interface Naming {
  label?: string | undefined
  title?: string | undefined
}

/** The label that an author gives, else one from the title; refuses neither. */
export async function labelOrTitle(
  records: Records,
  product: Product | null,
  { label, title }: Naming,
): Promise<string> {
  if (label !== undefined) return label
  if (title?.trim()) return newLabel(records, product, title)
  throw new Refusal('The version has neither a label nor a title.', {
    hint: 'Give a label such as 1.0.0, or --title.',
  })
}

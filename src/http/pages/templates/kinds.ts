import { TEMPLATE_KINDS } from '../../../domain/kinds.ts'
import { headingFromType } from '../../../domain/slug.ts'
import { plainText } from '../markdown/render.ts'

export interface TypeName {
  type: string
  typeLabel?: string | null
}

/** The heading of a type as plain text. */
export const headingOf = ({ type, typeLabel }: TypeName): string =>
  plainText(typeLabel ?? '').trim() || headingFromType(type)

const MAX_OFFERED = 8

/** Types offered as filters: those of Keep a Changelog in their order, then the most frequent. */
export function offeredTypes(types: readonly TypeName[]): TypeName[] {
  const known = TEMPLATE_KINDS.flatMap((kind) => types.find(({ type }) => type === kind) ?? [])
  const others = types.filter(({ type }) => known.every((one) => one.type !== type))
  return [...known, ...others].slice(0, MAX_OFFERED)
}

import { headingFromType } from '../../../domain/slug.ts'
import { TEMPLATE_TYPES } from '../../../formats/keepachangelog/vocabulary.ts'
import { plainText } from '../markdown/render.ts'

/** The kinds of change that have a color, each with the types that mean it. */
const KINDS = {
  added: ['add', 'additions', 'features', 'feature', 'new-features', 'new-feature', 'new', 'highlights'],
  changed: ['change', 'changes', 'improvements', 'improvement', 'improved', 'enhancements', 'enhancement'],
  deprecated: ['deprecations', 'deprecated-features'],
  removed: ['remove', 'removals', 'removed-features', 'breaking-changes', 'breaking-change', 'breaking'],
  fixed: ['fix', 'fixes', 'bug-fixes', 'bug-fix', 'bugfixes', 'bugfix', 'bugs'],
  security: ['security-fixes'],
} as const

export type Kind = keyof typeof KINDS

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
    [kind, ...KINDS[kind]].map((type) => [type, kind] as const),
  ),
)

/** The kind of change that a type means, if that is known. */
export const kindOf = (type: string): Kind | null => KIND_OF.get(type) ?? null

/** A type of change, with the heading that its author gave it, if any. */
export interface TypeName {
  type: string
  typeLabel?: string | null
}

/** The heading over changes of a type, without its markup. */
export const headingOf = ({ type, typeLabel }: TypeName): string =>
  plainText(typeLabel ?? '').trim() || headingFromType(type)

/** How many types a page offers as filters. */
const MAX_OFFERED = 8

/** The types that a page offers as filters: those of Keep a Changelog in their order, then the most frequent. */
export function offeredTypes(types: readonly TypeName[]): TypeName[] {
  const known = [...TEMPLATE_TYPES].flatMap((known) => types.find(({ type }) => type === known) ?? [])
  return [...known, ...types.filter(({ type }) => !TEMPLATE_TYPES.has(type))].slice(0, MAX_OFFERED)
}

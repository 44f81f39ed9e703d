/** The sections of Keep a Changelog in their order, with other types of the same kind. */
const KINDS = {
  added: ['add', 'additions', 'features', 'feature', 'new-features', 'new-feature', 'new', 'highlights'],
  changed: ['change', 'changes', 'improvements', 'improvement', 'improved', 'enhancements', 'enhancement'],
  deprecated: ['deprecations', 'deprecated-features'],
  removed: ['remove', 'removals', 'removed-features', 'breaking-changes', 'breaking-change', 'breaking'],
  fixed: ['fix', 'fixes', 'bug-fixes', 'bug-fix', 'bugfixes', 'bugfix', 'bugs'],
  security: ['security-fixes'],
} as const

export type Kind = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS) as Kind[]

export const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  KIND_NAMES.flatMap((kind) => [kind, ...KINDS[kind]].map((type) => [type, kind] as const)),
)

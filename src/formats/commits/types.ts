/** The types of conventional commits, common aliases and those of ESLint, with the type of change that each is. */
const WORDS: Record<string, string> = {
  added: 'feat feature new',
  fixed: 'fix bugfix hotfix',
  performance: 'perf',
  changed: 'improvement update',
  deprecated: 'deprecate',
  removed: 'remove',
  security: 'security',
  reverts: 'revert',
  'breaking-changes': 'breaking',
  documentation: 'docs doc',
  dependencies: 'deps',
  internal: 'refactor style test tests build ci chore release wip',
}

/** Types by their words: `feat` is `added`. */
export const CONVENTIONAL: Record<string, string> = Object.fromEntries(
  Object.entries(WORDS).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
)

/** False for types of which only breaking changes are for the users of a product. */
export const isForUsers = (type: string): boolean =>
  !['documentation', 'dependencies', 'internal'].includes(type)

/** The order of types in a version; others follow. */
const ORDER = [
  ...['breaking-changes', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'security'],
  ...['performance', 'reverts'],
]

export const rankOf = (type: string): number => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)

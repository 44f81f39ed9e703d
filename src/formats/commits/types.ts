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

/** By their words: `feat` is `added`. */
export const CONVENTIONAL: Record<string, string> = Object.fromEntries(
  Object.entries(WORDS).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
)

/** Types of which only breaking changes are for the users of a product. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set(['documentation', 'dependencies', 'internal'])

export const isForUsers = (type: string): boolean => !NOT_FOR_USERS.has(type)

/** The order of types in a version; others follow. */
const ORDER = [
  ...['breaking-changes', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'security'],
  ...['performance', 'reverts'],
]

export const rankOf = (type: string): number => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)

/** The types of conventional commits, common aliases and those of ESLint, with the type of change that each is. */
export const CONVENTIONAL: Record<string, string> = {
  feat: 'added',
  feature: 'added',
  new: 'added',
  fix: 'fixed',
  bugfix: 'fixed',
  hotfix: 'fixed',
  perf: 'performance',
  improvement: 'changed',
  update: 'changed',
  deprecate: 'deprecated',
  remove: 'removed',
  security: 'security',
  revert: 'reverts',
  breaking: 'breaking-changes',
  docs: 'documentation',
  doc: 'documentation',
  deps: 'dependencies',
  refactor: 'internal',
  style: 'internal',
  test: 'internal',
  tests: 'internal',
  build: 'internal',
  ci: 'internal',
  chore: 'internal',
  release: 'internal',
  wip: 'internal',
}

/** Types of which only breaking changes are for the users of a product. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set(['documentation', 'dependencies', 'internal'])

export const isForUsers = (type: string): boolean => !NOT_FOR_USERS.has(type)

/** The order of types in a version; others follow. */
const ORDER = [
  ...['breaking-changes', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'security'],
  ...['performance', 'reverts'],
]

export const rankOf = (type: string): number => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)

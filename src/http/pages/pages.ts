/** Every page, and the errors of pages and feeds. */

export { changelog, homeChangelog } from './changelog.ts'
export { refuse } from './errors.ts'
export { latest, version } from './release.ts'
export { home, team } from './timeline.ts'

/** Every page, and the errors of pages and feeds. */

export { changelog } from './changelog.ts'
export { refuse } from './errors.ts'
export { latest, version } from './release.ts'
export { timeline } from './timeline.ts'

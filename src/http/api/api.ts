export { changelog } from './changelog.ts'
export { version } from './version.ts'

/** Every feed and file. */

export { badge } from './badge.ts'
export { changelog } from './changelog-feed.ts'
export { markdown } from './changelog-file.ts'
export { directoryLlms, llms } from './llms.ts'
export { picture } from './picture.ts'
export { robots, sitemap, sitemapFile } from './sitemap.ts'
export { timeline } from './timeline-feed.ts'

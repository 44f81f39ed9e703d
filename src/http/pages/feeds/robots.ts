import { SITEMAP } from '../../paths.ts'
import type { Site } from '../site.ts'

/** What robots may read: everything, but no search results, of which there is no end. */
export const robots = (site: Site): string =>
  [
    'User-agent: *',
    'Disallow: /*?q=',
    'Disallow: /*?type=',
    'Allow: /',
    ...(site.hasLists && site.publicUrl !== '' ? ['', `Sitemap: ${site.publicUrl}${SITEMAP}`] : []),
    '',
  ].join('\n')

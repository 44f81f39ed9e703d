import { ROUTES } from '../../routes.ts'
import type { Site } from '../site.ts'

/** Everything except search results, which are endless. */
export const robots = (site: Site): string =>
  [
    'User-agent: *',
    'Disallow: /*?q=',
    'Disallow: /*?type=',
    'Allow: /',
    ...(site.hasLists && site.publicUrl !== ''
      ? ['', `Sitemap: ${site.publicUrl}${ROUTES.sitemap.path}`]
      : []),
    '',
  ].join('\n')

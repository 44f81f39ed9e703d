import { FEEDS, MARKDOWN } from '../../domain/addresses/paths.ts'
import { isFixed, isPage, isProbe, KEYED_PREFIX, PUBLIC_PREFIX } from '../paths.ts'

/** The parts of the server that requests are counted by. */
export const SURFACES = ['public', 'keyed', 'pages', 'feeds', 'docs', 'probes', 'other'] as const
type Surface = (typeof SURFACES)[number]

/** The number of the surface of a request target, in `SURFACES`. */
export function surfaceOf(target: string): number {
  // Almost all requests.
  if (target.startsWith(PUBLIC_PREFIX)) return PUBLIC
  return SURFACES.indexOf(otherSurface(target))
}

const PUBLIC = SURFACES.indexOf('public')

function otherSurface(target: string): Surface {
  if (target.startsWith(KEYED_PREFIX)) return 'keyed'
  if (isProbe(target)) return 'probes'
  if (isFixed(target)) return 'docs'
  if (!isPage(target)) return 'other'
  const [path = ''] = target.split('?', 1)
  return FILES.some((name) => path.endsWith(`/${name}`)) ? 'feeds' : 'pages'
}

const FILES = [...Object.values(FEEDS), MARKDOWN]

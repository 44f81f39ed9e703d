import { posix } from 'node:path'
import { PICTURE_LIMITS, PICTURE_REFUSALS } from '../domain/pictures.ts'
import { Refusal } from '../domain/refusal.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import { NOT_TAKEN, type PicturePlace } from '../transfer/pictures/take.ts'
import type { Check } from './check-context.ts'
import { fetchFor } from './fetch.ts'

/** The path of a followed file, and how others beside it are asked for. */
export interface AskedFile {
  file: string
  /** The address of its repository or folder: nothing outside is asked for. */
  root: string
  headers(token: string | null): Record<string, string>
  urlOf(path: string): string
}

/**
 * Pictures beside a file on a server. One that its host does not have, or has elsewhere, is left out. Any other failure
 * is one of the whole check, so that a short outage takes no picture out of a text.
 */
export const picturesOnHost = ({ file, root, headers, urlOf }: AskedFile, check: Check): PicturePlace => ({
  file,
  async read(path) {
    const { href: url, host } = new URL(urlOf(path))
    if (!url.startsWith(root)) return NOT_TAKEN.outside
    // The repository has not moved because a picture has.
    const quiet = { ...check, onMoved: () => {} }
    try {
      const answer = await fetchFor(url, quiet, { headers, within: root, maxBytes: PICTURE_LIMITS.given })
      if (answer.status >= 500)
        throw new Refusal(`${host} returned status ${answer.status} for the picture ${path}.`, LEAVE_OUT)
      return answer.status === 200 ? answer.body : NOT_TAKEN.missing
    } catch (error) {
      if (error instanceof OutgoingError && error.fault === 'size') return PICTURE_REFUSALS.large
      if (error instanceof OutgoingError && error.fault === 'redirect') return NOT_TAKEN.elsewhere
      throw error
    }
  },
})

const LEAVE_OUT = { hint: 'To follow without pictures, use --no-pictures.' }

/** A file at an address, and others in its folder. */
export function besideUrl(url: string): Pick<AskedFile, 'file' | 'root' | 'urlOf'> {
  const { pathname } = new URL(url)
  const { href: root } = new URL('.', url)
  const file = posix.basename(pathname)
  const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')
  return { file, root, urlOf: (path) => (path === file ? url : root + encoded(path)) }
}

/** A look tells only whether there is something to follow. */
export const takesPictures = ({ source, isLook }: Check): boolean => source.pictures && !isLook

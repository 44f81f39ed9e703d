import { posix } from 'node:path'
import { PICTURE_LIMITS, PICTURE_REFUSALS } from '../domain/pictures.ts'
import { Refusal } from '../domain/refusal.ts'
import { OutgoingError } from '../outgoing/errors.ts'
import { NOT_TAKEN, type PicturePlace, TOO_MANY } from '../transfer/pictures/take.ts'
import type { Check } from './check-context.ts'
import { fetchFor } from './fetch.ts'
import { isScarce, Postponed } from './quotas.ts'

/** The path of a followed file, and how others beside it are asked for. */
export interface AskedFile {
  file: string
  /** The address of its repository or folder: nothing outside is asked for. */
  root: string
  headers(token: string | null): Record<string, string>
  urlOf(path: string): string
}

/** A slow picture must not keep the others of its text waiting. */
const MOST_MS = 20_000

/** Pictures beside a file on a server. Gives no more of them once its host allows few more requests: releases need them. */
export function picturesOnHost({ file, root, headers, urlOf }: AskedFile, check: Check): PicturePlace {
  // The repository has not moved because a picture has.
  const quiet = { ...check, onMoved: () => {} }
  let isLeft = false
  return {
    file,
    async read(path) {
      const { href: url, host } = new URL(urlOf(path))
      if (!url.startsWith(root)) return NOT_TAKEN.outside
      if (isLeft) return TOO_MANY
      try {
        const limits = { within: root, maxBytes: PICTURE_LIMITS.given, timeoutMs: MOST_MS }
        const answer = await fetchFor(url, quiet, { headers, ...limits })
        isLeft = isScarce(answer)
        if (answer.status >= 500) throw new Refusal(`${host} returned status ${answer.status}.`)
        return answer.status === 200 ? answer.body : NOT_TAKEN.missing
      } catch (error) {
        if (error instanceof Postponed) return TOO_MANY
        if (error instanceof OutgoingError && error.fault === 'size') return PICTURE_REFUSALS.large
        if (error instanceof OutgoingError && error.fault === 'redirect') return NOT_TAKEN.elsewhere
        throw error
      }
    },
  }
}

/** A file at an address, and others in its folder. */
export function besideUrl(url: string): Pick<AskedFile, 'file' | 'root' | 'urlOf'> {
  const { pathname } = new URL(url)
  const { href: root } = new URL('.', url)
  const file = posix.basename(pathname)
  const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')
  return { file, root, urlOf: (path) => (path === file ? url : root + encoded(path)) }
}

import type { Instant } from '../domain/records.ts'
import { formatInstant } from '../domain/time/time.ts'

/** Parts of the names of files next to a database. */

/** So much of a file's name is in that of a file next to it: file systems take 255 bytes, with all that follows. */
const MOST_BYTES = 200

export function shortened(name: string): string {
  const characters = [...name]
  while (Buffer.byteLength(characters.join('')) > MOST_BYTES) characters.pop()
  return characters.join('')
}

/** A moment, without the characters that some file systems do not take. */
export const stampOf = (now: Instant): string => formatInstant(now).replace(/[-:.]/g, '')

/** Marks a SQLite file as changelogd's (`application_id`): the letters "clgd". */
export const APPLICATION_ID = 0x636c6764

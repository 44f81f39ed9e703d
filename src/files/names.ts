import type { Instant } from '../domain/records.ts'
import { formatInstant } from '../domain/time/time.ts'

/** Names are cut to this many bytes: file systems take 255, with all suffixes. */
const MOST_NAME_BYTES = 200

export function shortened(name: string): string {
  const characters = [...name]
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters.pop()
  return characters.join('')
}

/** A time without characters that some file systems refuse. */
export const stampOf = (now: Instant): string => formatInstant(now).replace(/[-:.]/g, '')

/** Marks a SQLite file as changelogd's (`application_id`): the letters "clgd". */
export const APPLICATION_ID = 0x636c6764

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Checkpoints } from './wal-index.ts'

/** What the pages of a database file tell, read past SQLite. `database` is the open file. */

/** The bytes of the header that say whether the database uses a write-ahead log, and their value if it does. */
const MODE = 18
const LOG_MODE = 2

/** How much of a file is its sample: in one read, and enough for the first page of every table and index. */
const SAMPLE_BYTES = 131_072

/** The sizes of the headers of SQLite's write-ahead log and of each frame in it, before its page. */
const LOG_HEADER = 32
const FRAME_HEADER = 24
const SALT = 8

/** Some are enough: another database does not have these pages at these places. */
const MOST_FRAMES = 16

export function usesLog(database: number): boolean {
  const mode = new Uint8Array(2)
  readSync(database, mode, 0, mode.length, MODE)
  return mode.every((byte) => byte === LOG_MODE)
}

/** Tells the content of one file from that of another, by the size and the beginning. */
export function sampleOf(database: number): string {
  const beginning = new Uint8Array(SAMPLE_BYTES)
  readSync(database, beginning, 0, SAMPLE_BYTES, 0)
  return `${fstatSync(database).size} ${Bun.hash(beginning)}`
}

/**
 * Whether the pages that were last copied from the log are in the database as the log has them. True as well where
 * that cannot be told: with newer changes in the log, or while it begins anew.
 */
export function hasCopiesOf(log: string, database: number, checkpoints: Checkpoints): boolean {
  const { isComplete, copied, salt, pageSize, pages } = checkpoints
  if (!isComplete) return true
  const file = openSync(log, 'r')
  try {
    const frame = Buffer.alloc(FRAME_HEADER + pageSize)
    const page = Buffer.alloc(pageSize)
    const newer = new Set<number>()
    for (let at = copied - 1; at >= Math.max(0, copied - MOST_FRAMES); at--) {
      readSync(file, frame, 0, frame.length, LOG_HEADER + at * frame.length)
      if (!frame.subarray(SALT, SALT + salt.length).equals(salt)) return true
      const number = frame.readUInt32BE(0)
      if (newer.has(number) || number > pages) continue
      newer.add(number)
      readSync(database, page, 0, pageSize, (number - 1) * pageSize)
      if (!page.equals(frame.subarray(FRAME_HEADER))) return false
    }
    return true
  } finally {
    closeSync(file)
  }
}

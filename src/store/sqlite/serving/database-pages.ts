import { fstatSync, readSync } from 'node:fs'
import type { Checkpoints } from './wal-index.ts'

/** Reads the pages of a database file and its log without SQLite. `database` and `log` are open files. */

/** The bytes of the header that tell whether the database has a write-ahead log, and their value then. */
const MODE = 18
const LOG_MODE = 2

/** The size of a sample: one read, and enough for the first page of every table and index. */
const SAMPLE_BYTES = 131_072

/** Page sizes are multiples of this. */
const BLOCK_BYTES = 4_096

/** Sizes of the headers of the write-ahead log and of its frames. */
const LOG_HEADER = 32
const FRAME_HEADER = 24
const SALT = 8

/** Enough: another database does not have these pages at these positions. */
const MOST_FRAMES = 16

/** At most so many newer frames are read: this runs in the server. */
const MOST_NEWER = 1_024

export function usesWal(database: number): boolean {
  const mode = new Uint8Array(2)
  readSync(database, mode, 0, mode.length, MODE)
  return mode.every((byte) => byte === LOG_MODE)
}

/** Identifies the content of a file, by size and beginning. */
export interface Sample {
  readonly size: number
  readonly blocks: readonly (number | bigint)[]
}

export function sampleOf(database: number): Sample {
  const beginning = new Uint8Array(SAMPLE_BYTES)
  const length = readSync(database, beginning, 0, SAMPLE_BYTES, 0)
  const blocks: (number | bigint)[] = []
  for (let at = 0; at < length; at += BLOCK_BYTES)
    blocks.push(Bun.hash(beginning.subarray(at, Math.min(at + BLOCK_BYTES, length))))
  return { size: fstatSync(database).size, blocks }
}

export const isSameSample = (one: Sample, other: Sample): boolean =>
  one.size === other.size && one.blocks.join() === other.blocks.join()

/**
 * Whether the pages last copied from the log are in the database as in the log. True also if that is unknown: with many
 * newer changes in the log, or while it restarts.
 */
export function hasPagesOfWal(log: number, database: number, checkpoints: Checkpoints): boolean {
  const { copied, lastFrame, pageSize, pages } = checkpoints
  if (lastFrame - copied > MOST_NEWER) return true
  const frames = framesOf(log, checkpoints)
  const newer = new Set<number>()
  // A page that has changed since may not have been copied: SQLite skips one with a newer frame.
  for (let at = copied; at < lastFrame; at++) {
    const number = frames.numberAt(at)
    if (number === null) return true
    newer.add(number)
  }
  const page = Buffer.alloc(pageSize)
  for (let at = copied - 1; at >= Math.max(0, copied - MOST_FRAMES); at--) {
    const number = frames.numberAt(at)
    if (number === null) return true
    if (newer.has(number) || number > pages) continue
    newer.add(number)
    readSync(database, page, 0, pageSize, (number - 1) * pageSize)
    if (!page.equals(frames.pageAt(at))) return false
  }
  return true
}

/** Whether the database begins as before, or as the log has it: so a process killed while copying leaves it. */
export function isPartlyCopied(
  before: Sample,
  log: number,
  database: number,
  checkpoints: Checkpoints,
): boolean {
  if (!usesWal(database)) return false
  const { lastFrame, pageSize } = checkpoints
  const now = sampleOf(database)
  const changed = new Set<number>()
  for (let block = 0; block < Math.max(before.blocks.length, now.blocks.length); block++)
    if (before.blocks[block] !== now.blocks[block])
      changed.add(Math.floor((block * BLOCK_BYTES) / pageSize) + 1)
  const frames = framesOf(log, checkpoints)
  const page = Buffer.alloc(pageSize)
  for (let at = 0; at < lastFrame && changed.size > 0; at++) {
    const number = frames.numberAt(at)
    if (number === null) return false
    if (!changed.has(number)) continue
    readSync(database, page, 0, pageSize, (number - 1) * pageSize)
    if (page.equals(frames.pageAt(at))) changed.delete(number)
  }
  return changed.size === 0
}

function framesOf(log: number, { salt, pageSize }: Checkpoints) {
  const header = Buffer.alloc(FRAME_HEADER)
  const page = Buffer.alloc(pageSize)
  const start = (at: number) => LOG_HEADER + at * (FRAME_HEADER + pageSize)
  return {
    /** The page number; null if the frame is of another log. */
    numberAt: (at: number): number | null => {
      readSync(log, header, 0, FRAME_HEADER, start(at))
      return header.subarray(SALT, SALT + salt.length).equals(salt) ? header.readUInt32BE(0) : null
    },
    pageAt: (at: number): Buffer => {
      readSync(log, page, 0, pageSize, start(at) + FRAME_HEADER)
      return page
    },
  }
}

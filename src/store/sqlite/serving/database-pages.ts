import { fstatSync, readSync } from 'node:fs'
import type { Checkpoints } from './wal-index.ts'

/** What the pages of a database file and of its log tell, read past SQLite. `database` and `log` are open files. */

/** The bytes of the header that say whether the database uses a write-ahead log, and their value if it does. */
const MODE = 18
const LOG_MODE = 2

/** How much of a file is its sample: in one read, and enough for the first page of every table and index. */
const SAMPLE_BYTES = 131_072

/** A part of the sample. Pages are as large, or multiples of it. */
const BLOCK_BYTES = 4_096

/** The sizes of the headers of SQLite's write-ahead log and of each frame in it, before its page. */
const LOG_HEADER = 32
const FRAME_HEADER = 24
const SALT = 8

/** Some are enough: another database does not have these pages at these places. */
const MOST_FRAMES = 16

/** So many newer frames are looked at, and no more: this runs in the server. */
const MOST_NEWER = 1_024

export function usesWal(database: number): boolean {
  const mode = new Uint8Array(2)
  readSync(database, mode, 0, mode.length, MODE)
  return mode.every((byte) => byte === LOG_MODE)
}

/** Tells the content of one file from that of another, by the size and the beginning. */
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
 * Whether the pages that were last copied from the log are in the database as the log has them. True as well where
 * that cannot be told: with many newer changes in the log, or while it begins anew.
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

/**
 * Whether the beginning of the database is as it was, apart from pages that are as the log has them: so a process that
 * was ended while it copied them leaves it.
 */
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
    /** The number of its page; null if the frame is of another log. */
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

import type { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Revision } from '../../store.ts'
import { translateErrors } from '../errors.ts'
import { type MappedFile, mapFile } from './mapped-file.ts'

/**
 * SQLite's index of the write-ahead log (`-shm`), which all processes share. Its layout is documented: 32-bit words,
 * first a header that tells what has been committed, later what of the log has been copied to the database.
 */

const HEADER_WORDS = 12
const PAGE_SIZE_BYTES = 14
const LAST_FRAME = 4
const PAGES = 5
const SALT = 8
const COPIED = 24
const COPY_BEGUN = 32
const WORDS = 33

/** After so many reads of the header it is mapped into memory: that takes as long as they, and a start should not wait. */
const READS_BEFORE_MAPPING = 1_000

/** `SQLITE_FCNTL_HAS_MOVED`: whether the file by its name is another than the one that is open. */
const HAS_MOVED = 20

/** `SQLITE_FCNTL_EXTERNAL_READER`: whether another process has a lock that readers and checkpoints take. */
const EXTERNAL_READER = 40

/** What has been copied from the log to the database. */
export interface Checkpoints {
  /** Changes whenever a process has copied something, or begun the log anew. */
  readonly stamp: string
  /** A process is copying, or was ended while it did; or a process has recovered the log, and nobody has copied yet. */
  readonly isUnfinished: boolean
  /** All that is in the log is in the database as well. */
  readonly isComplete: boolean
  /** How many frames of the log have been copied. */
  readonly copied: number
  /** How many frames there are. */
  readonly lastFrame: number
  /** What every frame of this log has in its header. */
  readonly salt: Uint8Array
  readonly pageSize: number
  /** How many pages the database has. */
  readonly pages: number
}

export interface WalIndex {
  /** The handle from which it is read; null for a database without a log. */
  readonly file: number | null
  /** A number that changes as soon as any process has committed. */
  revision(): Revision
  /** Null for a database without a log. */
  checkpoints(): Checkpoints | null
  /** Whether the database that SQLite has open is no longer the file by that name. */
  isMoved(): boolean
  /** Whether another process is reading or copying at this moment. */
  hasOtherUsers(): boolean
  /** Copies to the database what can be copied from the log now. */
  copy(): void
  /** The locks that this process has on the index end, so only once the connection is closed. */
  close(): void
}

/**
 * Opens the index of the database that `client` has open at its real path. SQLite makes a commit visible to other
 * processes by writing the header, and every commit changes the checksum in it. It is read directly, from memory where it
 * can be mapped; where there is no such file, `PRAGMA data_version` tells the same and takes longer. Revisions begin
 * after `first`. Another thread of this process that has the same database open gives its `handle`.
 */
export function openIndex(real: string, client: Database, first: Revision, handle?: number | null): WalIndex {
  // The index exists from the first read on, for as long as this connection does.
  const version = client.query<{ data_version: number }, []>('PRAGMA data_version')
  translateErrors(real, () => version.get())
  const saysYes = (question: number): boolean => {
    const answer = new Int32Array(2)
    return client.fileControl(question, answer) !== 0 || answer[0] !== 0
  }
  const engine = {
    isMoved: () => saysYes(HAS_MOVED),
    hasOtherUsers: () => saysYes(EXTERNAL_READER),
    copy: () => client.run('PRAGMA wal_checkpoint(PASSIVE)'),
  }
  const file = handle === undefined ? openFile(`${real}-shm`) : handle
  if (file === null)
    return {
      ...engine,
      file,
      revision: () => first + translateErrors(real, () => version.get()?.data_version ?? 0),
      checkpoints: () => null,
      close: () => {},
    }
  const header = openHeader(file)
  const seen = new Uint32Array(HEADER_WORDS)
  let revision = first
  return {
    ...engine,
    file,
    revision: () => {
      const words = header.read()
      for (let word = 0; word < HEADER_WORDS; word++)
        if (words[word] !== seen[word]) {
          seen.set(words)
          revision++
          break
        }
      return revision
    },
    checkpoints: () => checkpointsIn(file),
    close: () => {
      header.close()
      // Another thread's stays open, for its locks.
      if (handle === undefined) closeSync(file)
    },
  }
}

/** The header of an open index as it is now. What `read` returns is good until it is called again. */
function openHeader(file: number) {
  const copy = new Uint32Array(HEADER_WORDS)
  let reads = 0
  let mapped: MappedFile | null = null
  return {
    read: (): Uint32Array => {
      if (mapped) return mapped.words
      readSync(file, copy, 0, copy.byteLength, 0)
      if (++reads === READS_BEFORE_MAPPING) mapped = mapFile(file, HEADER_WORDS)
      return copy
    },
    close: () => {
      mapped?.unmap()
      mapped = null
    },
  }
}

/** What an open index says. */
export function checkpointsIn(file: number): Checkpoints {
  const words = new Uint32Array(WORDS)
  readSync(file, words, 0, words.byteLength, 0)
  const [lastFrame = 0, copied = 0, begun = 0] = [words[LAST_FRAME], words[COPIED], words[COPY_BEGUN]]
  const [pageSize = 0] = new Uint16Array(words.buffer, PAGE_SIZE_BYTES, 1)
  return {
    stamp: [copied, begun, words[SALT], words[SALT + 1]].join(),
    isUnfinished: begun > copied,
    isComplete: copied === lastFrame,
    copied,
    lastFrame,
    salt: new Uint8Array(words.buffer, SALT * 4, 8),
    // The largest size does not fit, and is written as 1.
    pageSize: pageSize === 1 ? 65_536 : pageSize,
    pages: words[PAGES] ?? 0,
  }
}

/**
 * The file must stay open for as long as the connection: SQLite's locks on a file belong to the process and end when
 * any handle of that file is closed. The next command would then think that it is the first, and start a new index
 * under a server that goes on reading the old one.
 */
function openFile(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

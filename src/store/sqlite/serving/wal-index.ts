import type { Database } from 'bun:sqlite'
import { closeSync, openSync, readSync } from 'node:fs'
import { orNull } from '../../../domain/errors.ts'
import type { Revision } from '../../store.ts'
import { translateErrors } from '../errors.ts'
import { type MappedFile, mapFile } from './mapped-file.ts'

/**
 * SQLite's index of the write-ahead log (`-shm`), shared by all processes. Its layout is documented: 32-bit words,
 * first a header about commits, later what has been copied from the log to the database.
 */

const HEADER_WORDS = 12
const PAGE_SIZE_BYTES = 14
const LAST_FRAME = 4
const PAGES = 5
const SALT = 8
const COPIED = 24
const COPY_BEGUN = 32
const WORDS = 33

/** Mapped into memory after so many reads, which take as long as mapping: a start should not wait for it. */
const READS_BEFORE_MAPPING = 1_000

/** `SQLITE_FCNTL_HAS_MOVED`: whether the file at the path is no longer the open one. */
const HAS_MOVED = 20

/** `SQLITE_FCNTL_EXTERNAL_READER`: whether another process has a lock of readers and checkpoints. */
const EXTERNAL_READER = 40

export interface Checkpoints {
  /** Changes whenever a process has copied something, or restarted the log. */
  readonly stamp: string
  /** A process is copying, or was killed while copying; or has recovered the log, and nothing was copied yet. */
  readonly isUnfinished: boolean
  /** The whole log is in the database. */
  readonly isComplete: boolean
  readonly copied: number
  readonly lastFrame: number
  /** The salt in the header of every frame of this log. */
  readonly salt: Uint8Array
  readonly pageSize: number
  readonly pages: number
}

export interface WalIndex {
  /** Null for a database without a log. */
  readonly file: number | null
  /** A number that changes as soon as any process has committed. */
  revision(): Revision
  /** Null for a database without a log. */
  checkpoints(): Checkpoints | null
  /** Whether SQLite's open file is no longer the one at the path. */
  isMoved(): boolean
  /** Whether another process is reading or copying now. */
  hasOtherUsers(): boolean
  /** Copies to the database what can be copied from the log now. */
  copy(): void
  /** Ends the locks of this process on the index, so only to be called once the connection is closed. */
  close(): void
}

/**
 * Opens the index of the database that `client` has open at its real path. SQLite makes a commit visible by writing the
 * header, and every commit changes its checksum. It is read directly, from memory if it can be mapped; without such a
 * file, `PRAGMA data_version` is used, which is slower. Revisions begin after `first`. `handle` is that of another
 * thread with the same database.
 */
export function openIndex(real: string, client: Database, first: Revision, handle?: number | null): WalIndex {
  // The index exists from the first read on, as long as this connection.
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

/** The header of an open index. The result of `read` is valid until its next call. */
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

function checkpointsIn(file: number): Checkpoints {
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
 * The file must stay open as long as the connection: SQLite's locks on a file belong to the process and end when any
 * handle of it is closed. The next command would then take itself for the first, and start a new index under a server
 * that goes on reading the old one.
 */
const openFile = (path: string): number | null => orNull(() => openSync(path, 'r'))

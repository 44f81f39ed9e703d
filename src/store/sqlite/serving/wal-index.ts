import type { Pointer } from 'bun:ffi'
import type { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { orNull } from '../../../domain/errors.ts'
import type { Revision } from '../../store.ts'
import { translateErrors } from '../database.ts'

/** The words of the header of the index, whose layout is documented. */
const HEADER_WORDS = 12
/** The word with the number of frames, each of which has a page. */
const FRAMES = 4
const PAGE_BYTES = 4_096

/**
 * The index of the write-ahead log (`-shm`) of the database that `client` has open at its real path. SQLite makes a
 * commit visible to other processes by writing the header, and every commit changes its checksum. It is read where
 * SQLite has mapped it. The file is not opened for that: closing it would end SQLite's locks on it. If the mapping
 * is not found, `PRAGMA data_version` is used, which is slower.
 */
export function openIndex(client: Database, real: string) {
  const version = client.query<{ data_version: number }, []>('PRAGMA data_version')
  const dataVersion = () => translateErrors(real, () => version.get()?.data_version ?? 0)
  // The index is mapped from the first read on, as long as this connection.
  dataVersion()
  let header = mappedWords(`${real}-shm`, HEADER_WORDS)
  if (header === null) return { revision: dataVersion, logBytes: () => 0, close: () => {} }
  const seen = new Uint32Array(HEADER_WORDS)
  let revision = 0
  return {
    /** A number that changes as soon as any process has committed. */
    revision: (): Revision => {
      for (let word = 0; header && word < HEADER_WORDS; word++)
        if (header[word] !== seen[word]) {
          seen.set(header)
          return ++revision
        }
      return revision
    },
    /** The part of the log that is in use, in bytes; 0 if that is not known. */
    logBytes: () => (header?.[FRAMES] ?? 0) * PAGE_BYTES,
    /** To be called before the connection is closed, with which the index leaves the memory. */
    close: () => {
      header = null
    },
  }
}

/** The beginning of a file that this process has mapped; null if it has not, or the system does not say where. */
function mappedWords(path: string, words: number): Uint32Array | null {
  const maps = orNull(() => readFileSync('/proc/self/maps', 'utf8'))
  const line = maps?.split('\n').find((line) => pathIn(line) === path && offsetIn(line) === 0)
  if (line === undefined) return null
  // Not with `import`: most commands do not need it.
  const { toArrayBuffer } = require('bun:ffi') as typeof import('bun:ffi')
  const start = Number.parseInt(line, 16) as Pointer
  return new Uint32Array(toArrayBuffer(start, 0, words * Uint32Array.BYTES_PER_ELEMENT))
}

/** A line has the range of addresses, the permissions, the offset, the device, the inode and the path. */
const pathIn = (line: string): string => line.slice(line.indexOf('/'))
const offsetIn = (line: string): number => Number.parseInt(line.split(' ', 3)[2] ?? '', 16)

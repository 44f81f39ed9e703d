import type { Database } from 'bun:sqlite'
import { openSync, readSync, realpathSync } from 'node:fs'
import type { Revision } from '../../port.ts'
import { translateErrors } from '../errors.ts'

/** The size, in 32-bit words, of the header of SQLite's WAL index: it tells what has been committed. */
const HEADER_WORDS = 12

/**
 * A number that changes as soon as any process has committed. SQLite makes a commit visible to other processes by
 * writing the header of the WAL index (`-shm`; the layout is documented, and every commit changes the checksum in
 * it). That is read directly, in a third of a microsecond; where it cannot be, `PRAGMA data_version` tells the same
 * in one and a half.
 */
export function watchCommits(path: string, client: Database): () => Revision {
  // The index exists from the first read on, for as long as this connection does.
  const version = client.query<{ data_version: number }, []>('PRAGMA data_version')
  translateErrors(() => version.get())
  const index = openIndex(path)
  if (index === null) return () => translateErrors(() => version.get()?.data_version ?? 0)
  const [header, seen] = [new Uint32Array(HEADER_WORDS), new Uint32Array(HEADER_WORDS)]
  let revision = 0
  return () => {
    readSync(index, header, 0, header.byteLength, 0)
    for (let word = 0; word < HEADER_WORDS; word++)
      if (header[word] !== seen[word]) {
        seen.set(header)
        revision++
        break
      }
    return revision
  }
}

/**
 * Opens the index, for as long as the process lives. It must never be closed: SQLite's locks on a file belong to the
 * process and end when any handle of that file is closed. The next command would then think that it is the first, and
 * start a new index under a server that goes on reading the old one.
 */
function openIndex(database: string): number | null {
  try {
    // SQLite keeps the index next to the real file, not next to a link to it.
    return openSync(`${realpathSync(database)}-shm`, 'r')
  } catch {
    return null
  }
}

import { chmodSync, closeSync, openSync, writeFileSync } from 'node:fs'
import { Refusal } from '../domain/refusal.ts'
import { placeFor } from '../store/sqlite/backup.ts'
import { fileAt, partialBeside, settle } from '../store/sqlite/files.ts'

/** Files that a command is told to read or write; `-` is standard input. */

export async function readText(path: string): Promise<string> {
  try {
    return await open(path).text()
  } catch (error) {
    throw cannot('read', path, error)
  }
}

/** The file in pieces, and how many bytes it has, as far as that can be known. */
export function readChunks(path: string): { chunks: AsyncIterable<Uint8Array>; size: number } {
  const file = open(path)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* file.stream()
    } catch (error) {
      throw cannot('read', path, error)
    }
  }
  return { chunks: chunks(), size: Number.isFinite(file.size) ? file.size : 0 }
}

/**
 * Writes a file whole or not at all: what was there stays until the new one is safely on the disk. What is not
 * a file, such as a pipe or a terminal, is written into as it is. Refuses a place that belongs to the database.
 */
export async function writeWhole(
  path: string,
  mode: number,
  chunks: AsyncIterable<string>,
  database: string,
): Promise<void> {
  try {
    const found = fileAt(path)
    if (found && !found.isFile()) return await fill(path, chunks)
    const place = placeFor(path, database, true)
    using partial = partialBeside(place)
    await fill(partial.path, chunks)
    chmodSync(partial.path, mode & ~process.umask())
    settle(partial.path, place, true)
  } catch (error) {
    throw error instanceof Refusal ? error : cannot('write', path, error)
  }
}

async function fill(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file = openSync(path, 'w')
  try {
    // Unlike writeSync, it does not leave a part to somebody else.
    for await (const chunk of chunks) writeFileSync(file, chunk)
  } finally {
    closeSync(file)
  }
}

const open = (path: string) => (path === '-' ? Bun.stdin : Bun.file(path))

function cannot(verb: string, path: string, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error)
  return new Refusal(`Cannot ${verb} ${path}: ${reason}`)
}

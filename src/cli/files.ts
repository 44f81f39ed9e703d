import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../domain/refusal.ts'

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

/** Writes a file whole or not at all: what was there stays until the new one is safely on the disk. */
export async function writeWhole(path: string, mode: number, chunks: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`
  try {
    const file = openSync(partial, 'wx', mode)
    try {
      for await (const chunk of chunks) writeSync(file, chunk)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(partial, path)
    syncDirectory(dirname(path))
  } catch (error) {
    rmSync(partial, { force: true })
    throw error instanceof Refusal ? error : cannot('write', path, error)
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

const open = (path: string) => (path === '-' ? Bun.stdin : Bun.file(path))

function cannot(verb: string, path: string, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error)
  return new Refusal('not_found', `Cannot ${verb} ${path}: ${reason}`)
}

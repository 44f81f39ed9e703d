import { statSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { inputAt, readChunks, readInput } from '../../files.ts'
import { openSpoolFile, type SpoolFile } from './temporary-file.ts'

/** What is imported. */
export type Input = FileInput | FolderInput | RepositoryInput

/** One text. It can be read more than once. */
export interface FileInput extends Disposable {
  readonly kind: 'file'
  /** What messages call it. */
  readonly name: string
  readonly size: number
  /** The memory of a chunk may be used again for the next one. */
  chunks(): AsyncIterable<Uint8Array>
}

/** A folder, whose `name` is its path. */
export interface FolderInput extends Disposable {
  readonly kind: 'folder'
  readonly name: string
}

/** A git repository, whose `name` is its path. */
export interface RepositoryInput extends Disposable {
  readonly kind: 'repository'
  readonly name: string
}

export const repositoryAt = (path: string): RepositoryInput => ({
  ...{ kind: 'repository', name: path },
  [Symbol.dispose]: () => {},
})

/** What is not a file is kept in memory up to this many bytes, and in a temporary file beyond that. */
const MAX_IN_MEMORY = 4 * 1024 * 1024

/**
 * Opens what a path names; `-` is standard input. What is not a file is read to its end at once, so that nothing waits
 * for a slow sender while the database is locked. Refuses what cannot be read.
 */
export async function openInput(context: Context, path: string): Promise<FileInput | FolderInput> {
  if (path !== '-' && inputAt(path)?.isDirectory())
    return { kind: 'folder', name: path, [Symbol.dispose]: () => {} }
  const { chunks, size } = readInput(context, path)
  if (path === '-' || !isFile(path)) return spooled(path === '-' ? 'standard input' : path, chunks)
  return { kind: 'file', name: path, size, chunks: () => readChunks(path).chunks, [Symbol.dispose]: () => {} }
}

async function spooled(name: string, chunks: AsyncIterable<Uint8Array>): Promise<FileInput> {
  const kept: Uint8Array[] = []
  let size = 0
  let file: SpoolFile | undefined
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size <= MAX_IN_MEMORY) kept.push(chunk.slice())
      else {
        file ??= openSpoolFile()
        for (const part of [...kept.splice(0), chunk]) file.append(part)
      }
    }
  } catch (error) {
    file?.[Symbol.dispose]()
    throw error
  }
  async function* inMemory() {
    yield* kept
  }
  return {
    ...{ kind: 'file', name, size, chunks: file?.chunks ?? inMemory },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  }
}

/** False also for a path that cannot be accessed: reading it then reports the reason. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

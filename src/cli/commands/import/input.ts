import { statSync } from 'node:fs'
import { orNull } from '../../../domain/errors.ts'
import type { Context } from '../../context.ts'
import { inputAt, readChunks, readInput } from '../../files.ts'
import { openSpoolFile, type SpoolFile } from './temporary-file.ts'

export type Input = FileInput | FolderInput

/** It can be read more than once. */
export interface FileInput extends Disposable {
  readonly kind: 'file'
  /** How messages name it. */
  readonly name: string
  readonly size: number
  /** The memory of a chunk may be reused for the next one. */
  chunks(): AsyncIterable<Uint8Array>
}

/** `name` is its path. */
export interface FolderInput extends Disposable {
  readonly kind: 'folder' | 'repository'
  readonly name: string
}

export const folderAt = (path: string, kind: FolderInput['kind']): FolderInput => ({
  ...{ kind, name: path },
  [Symbol.dispose]: () => {},
})

/** Other input than files is kept in memory up to this size, beyond it in a temporary file. */
const MAX_IN_MEMORY = 4 * 1024 * 1024

/** What is not a file is read to its end at once, so that no slow sender is waited for under the lock. */
export async function openInput(context: Context, path: string): Promise<Input> {
  if (path !== '-' && inputAt(path)?.isDirectory()) return folderAt(path, 'folder')
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

/** False also for a path that cannot be accessed: reading it reports why. */
const isFile = (path: string): boolean => orNull(() => statSync(path))?.isFile() === true

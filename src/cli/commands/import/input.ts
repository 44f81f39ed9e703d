import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orNull } from '../../../domain/errors.ts'
import { fileError } from '../../../files/errors.ts'
import { fill, temporaryFileBeside } from '../../../files/temporary.ts'
import type { Context } from '../../context.ts'
import { inputAt, readChunks, readInput } from '../../files.ts'

export type Input = FileInput | FolderInput

/** It can be read more than once. */
export interface FileInput extends Disposable {
  readonly kind: 'file'
  /** How messages name it. */
  readonly name: string
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

/** What is not a file is read to its end at once, so that no slow sender is waited for under the lock. */
export async function openInput(context: Context, path: string): Promise<Input> {
  if (path !== '-' && inputAt(path)?.isDirectory()) return folderAt(path, 'folder')
  const chunks = readInput(context, path)
  if (path === '-' || !isFile(path)) return spooled(path === '-' ? 'standard input' : path, chunks)
  return { kind: 'file', name: path, chunks: () => readChunks(path), [Symbol.dispose]: () => {} }
}

/** In a file, because it may be large and is read more than once. */
async function spooled(name: string, chunks: AsyncIterable<Uint8Array>): Promise<FileInput> {
  using undo = new DisposableStack()
  try {
    const { path } = undo.use(temporaryFileBeside(join(tmpdir(), 'changelogd-input')))
    await fill(path, chunks)
    const end = undo.move()
    return {
      ...{ kind: 'file', name, chunks: () => readChunks(path) },
      [Symbol.dispose]: () => end.dispose(),
    }
  } catch (error) {
    throw fileError(error, tmpdir(), `Cannot write a temporary file in ${tmpdir()}, which TMPDIR may name`)
  }
}

/** False also for a path that cannot be accessed: reading it reports why. */
const isFile = (path: string): boolean => orNull(() => statSync(path))?.isFile() === true

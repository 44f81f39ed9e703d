import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileError } from '../../../files/errors.ts'
import { fill } from '../../../files/pieces.ts'
import { temporaryFileBeside } from '../../../files/temporary.ts'
import type { Context } from '../../context.ts'
import { inputAt, readChunks, readInput } from '../../files.ts'

/** What is imported or brought back. A file can be read more than once. */
export interface Input extends Disposable {
  readonly kind: 'file' | 'folder' | 'repository'
  /** How messages name it: its path, unless it is standard input. */
  readonly name: string
  /** Refuses what is not a file. */
  chunks(): AsyncIterable<Uint8Array>
}

export const inputOf = (path: string, kind: Input['kind'], name = path): Input => ({
  ...{ kind, name, chunks: () => readChunks(path) },
  [Symbol.dispose]: () => {},
})

/** What is not a file is read to its end at once, so that no slow sender is waited for under the lock. */
export async function openInput(context: Context, path: string): Promise<Input> {
  const found = path === '-' ? undefined : inputAt(path)
  if (found?.isDirectory()) return inputOf(path, 'folder')
  if (found?.isFile()) return inputOf(path, 'file')
  // In a file, because it may be large and is read more than once.
  using undo = new DisposableStack()
  try {
    const spool = undo.use(temporaryFileBeside(join(tmpdir(), 'changelogd-input')))
    await fill(spool.path, readInput(context, path))
    const end = undo.move()
    const name = path === '-' ? 'standard input' : path
    return { ...inputOf(spool.path, 'file', name), [Symbol.dispose]: () => end.dispose() }
  } catch (error) {
    throw fileError(error, tmpdir(), `Cannot write a temporary file in ${tmpdir()}, which TMPDIR may name`)
  }
}

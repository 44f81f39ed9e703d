import { Refusal } from '../domain/refusal.ts'
import { bounded } from '../domain/text/bounded.ts'
import { fileError } from '../files/errors.ts'
import { fileAt } from '../files/lookup.ts'
import { chunksOf, decodeText, readChunks, refuseOther } from '../files/read.ts'
import { fill, replaceFile } from '../files/temporary.ts'
import type { Context } from './context.ts'

/** All of a file or of standard input. More than `most` bytes are refused; `hint` then says what to do. */
export async function readText(context: Context, path: string, most: number, hint?: string): Promise<string> {
  const name = path === '-' ? 'Standard input' : path
  const tooLarge = () =>
    new Refusal(`${name} is too large. The limit is ${most.toLocaleString('en')} bytes.`, {
      hint,
    })
  return decodeText(name, bounded(readInput(context, path), most, tooLarge))
}

/** A file that was named on the command line; `-` is standard input. */
export const readInput = (context: Context, path: string): AsyncIterable<Uint8Array> =>
  path === '-' ? chunksOf(context.stdin, path) : readChunks(path)

/** Writes a file whole or not at all; pipes and devices directly. Refuses files of the database. */
export async function writeWhole(
  path: string,
  mode: number,
  chunks: AsyncIterable<string> | Iterable<Uint8Array>,
  database: string,
) {
  try {
    const found = fileAt(path)
    refuseOther(path, found)
    if (found && !found.isFile()) return await fill(path, chunks)
    await replaceFile(path, mode & ~process.umask(), database, (temporary) => fill(temporary, chunks))
  } catch (error) {
    throw fileError(error, path, `Cannot write ${path}`)
  }
}

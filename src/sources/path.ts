import { Refusal } from '../domain/refusal.ts'
import { fileError } from '../files/errors.ts'
import { fileAt, notAFile } from '../files/lookup.ts'
import { MOST_BYTES } from './ask.ts'
import type { Found, Given } from './given.ts'
import { hashOf, type Memory } from './memory.ts'
import { parseFile } from './parse.ts'

/** Reads a file of this machine. */
export async function checkPath(path: string, known: Memory, given: Given): Promise<Found> {
  const found = fileAt(path)
  if (!found) throw new Refusal(`There is no file ${path}.`, { kind: 'not_found', hint: 'Check the path.' })
  const kind = notAFile(found)
  if (kind) throw new Refusal(`${path} ${kind}.`)
  if (found.size > MOST_BYTES)
    throw new Refusal(
      `${path} has more than ${MOST_BYTES.toLocaleString('en')} bytes, the most that is read.`,
    )
  const stat = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ')
  if (stat === known.stat && !given.full) return { memory: known, read: null }
  const bytes = await readBytes(path)
  const hash = hashOf(bytes)
  const memory = { ...known, stat, hash }
  if (hash === known.hash && !given.full) return { memory, read: null }
  return { memory, read: { input: parseFile(path, bytes), isWhole: true } }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).slice(0, MOST_BYTES).bytes()
  } catch (error) {
    throw fileError(error, path, `Cannot read ${path}`)
  }
}

import { Refusal } from '../domain/refusal.ts'
import { fileError } from '../files/errors.ts'
import { databaseFiles, fileAt, isSame, notAFile } from '../files/lookup.ts'
import type { Check, Found } from './check-context.ts'
import { MOST_SOURCE_BYTES } from './fetch.ts'
import { contentHash } from './memory.ts'
import { parseFile } from './parse.ts'

/** Reads a file of this machine. */
export async function checkPath(path: string, { known, database, full }: Check): Promise<Found> {
  const found = fileAt(path)
  if (!found) throw new Refusal(`There is no file ${path}.`, { kind: 'not_found', hint: 'Check the path.' })
  const kind = notAFile(found)
  if (kind) throw new Refusal(`${path} ${kind}.`)
  if (databaseFiles(database).some((file) => isSame(found, fileAt(file))))
    throw new Refusal(`${path} is a file of the database.`, { kind: 'not_found', hint: 'Name a changelog.' })
  if (found.size > MOST_SOURCE_BYTES) throw new Refusal(`${path} has more than 20 MB, the most that is read.`)
  const stat = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ')
  if (stat === known.stat && !full) return { memory: known, read: null }
  const bytes = await Bun.file(path)
    .slice(0, MOST_SOURCE_BYTES)
    .bytes()
    .catch((error: unknown) => {
      throw fileError(error, path, `Cannot read ${path}`)
    })
  const hash = contentHash(bytes)
  const memory = { ...known, stat, hash }
  if (hash === known.hash && !full) return { memory, read: null }
  return { memory, read: { input: parseFile(path, bytes), isWhole: true } }
}

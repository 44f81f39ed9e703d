import { basename, dirname, join, relative, resolve } from 'node:path'
import { orNull } from '../../domain/errors.ts'
import { PICTURE_LIMITS, PICTURE_REFUSALS } from '../../domain/pictures.ts'
import { databaseFiles, fileAt, isLink, isSame } from '../../files/lookup.ts'
import { NOT_TAKEN, type PicturePlace } from './take.ts'

/** The pictures in the folder of a file of this machine, or in the repository around it. */
export function picturesBeside(path: string, database: string): PicturePlace {
  const folder = dirname(resolve(path))
  const root = repositoryAround(folder) ?? folder
  const file = join(relative(root, folder), basename(path))
  return { file, read: (picture) => readWithin(root, picture, database) }
}

function repositoryAround(folder: string): string | null {
  if (orNull(() => fileAt(join(folder, '.git')))) return folder
  return folder === dirname(folder) ? null : repositoryAround(dirname(folder))
}

async function readWithin(root: string, path: string, database: string): Promise<Uint8Array | string> {
  let at = root
  for (const part of path.split('/')) {
    at = join(at, part)
    if (isLink(at)) return NOT_TAKEN.link
  }
  const found = fileAt(at)
  // Closing a file of the database would end the locks of this process.
  const isOfDatabase = databaseFiles(database).some((file) => isSame(found, fileAt(file)))
  if (!found?.isFile() || isOfDatabase) return NOT_TAKEN.missing
  if (found.size > PICTURE_LIMITS.given) return PICTURE_REFUSALS.large
  return await Bun.file(at).slice(0, PICTURE_LIMITS.given).bytes()
}

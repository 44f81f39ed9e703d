import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isPostgres } from '../domain/addresses/database.ts'
import { codeOf } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'
import { shellWord } from '../domain/text/shell.ts'
import { createOwnFile } from './access.ts'
import { removeAbandoned, temporaryName } from './leftovers.ts'
import {
  auxiliaryFiles,
  databaseFiles,
  deadLink,
  fileAt,
  fileInstead,
  isSame,
  notAFile,
  resolvedPath,
} from './lookup.ts'

export interface TemporaryFile extends Disposable {
  readonly path: string
}

/**
 * Creates an empty file next to `target`, readable by its owner only, to be filled and moved into place. Disposing
 * removes it if it is still there. Also removes leftovers of killed processes in that directory.
 */
export function temporaryFileBeside(target: string): TemporaryFile {
  removeAbandoned(dirname(target))
  const path = temporaryName(target)
  createOwnFile(path)
  return {
    path,
    [Symbol.dispose]: () => {
      for (const file of [path, ...auxiliaryFiles(path)]) rmSync(file, { force: true })
    },
  }
}

/**
 * Renames a finished file to `target`, durably: after a crash all of it is there or none. Replaces an existing file
 * only with `overwrite`. No process may have the file open as a database.
 */
export function moveIntoPlace(temporary: string, target: string, overwrite: boolean): void {
  sync(temporary)
  if (overwrite) renameSync(temporary, target)
  else renameToFree(temporary, target)
  sync(dirname(target))
}

/** Writes `target` whole or not at all, by `fill`. Refuses files of the database. */
export async function replaceFile(
  target: string,
  mode: number,
  database: string,
  fill: (path: string) => Promise<void>,
): Promise<void> {
  const place = targetPath(target, database, true)
  using temporary = temporaryFileBeside(place)
  await fill(temporary.path)
  chmodSync(temporary.path, mode)
  moveIntoPlace(temporary.path, place, true)
}

/** The real path of a new file. Refuses paths where it must not go. */
export function targetPath(target: string, database: string, overwrite: boolean): string {
  const directory = dirname(target)
  if (!fileAt(directory)?.isDirectory()) throw missingDirectory(directory)
  const dead = deadLink(target)
  if (dead !== null) throw new Refusal(`${dead}.`, { hint: 'Choose another file, or remove it.' })
  const real = resolvedPath(target)
  // A PostgreSQL server has none here.
  for (const part of isPostgres(database) ? [] : databaseFiles(database))
    if (real === part || isSame(fileAt(real), fileAt(part)))
      throw new Refusal(`${target} belongs to the database itself.`, { hint: 'Choose another file.' })
  for (const part of auxiliaryFiles(real))
    if (fileAt(part))
      throw new Refusal(`${part} exists, so ${target} looks like a database in use.`, {
        hint: `Choose another file, or stop the process that uses it and remove ${part}.`,
      })
  const found = fileAt(real)
  const fault = found && notAFile(found)
  if (fault)
    throw new Refusal(`${target} ${fault}.`, {
      hint: found.isDirectory() ? 'Give a file in it.' : 'Choose another one.',
    })
  if (found && !overwrite)
    throw new Refusal(`${target} already exists.`, {
      hint: 'Choose another file, or replace it with --force.',
    })
  return real
}

export function missingDirectory(directory: string): Refusal {
  const dead = deadLink(directory)
  if (dead !== null) return new Refusal(`${dead}.`, { hint: 'Check that its volume is mounted.' })
  const file = fileInstead(directory)
  return file
    ? new Refusal(`There is no directory ${directory}: ${file} is a file.`, { hint: 'Choose another place.' })
    : new Refusal(`There is no directory ${directory}.`, {
        hint: `To create it: mkdir -p ${shellWord(directory)}`,
      })
}

/** A hard link fails where renaming would replace; but not every file system has hard links. */
function renameToFree(temporary: string, target: string): void {
  try {
    linkSync(temporary, target)
  } catch (error) {
    if (fileAt(target)) throw new Refusal(`Another process has just created ${target}.`)
    if (codeOf(error) === '') throw error
    renameSync(temporary, target)
  }
  rmSync(temporary, { force: true })
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes texts or bytes to a file that exists. */
export async function fill(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = openSync(path, 'w')
  try {
    // Unlike writeSync, it writes the whole chunk.
    for await (const chunk of chunks) writeFileSync(file, chunk)
  } finally {
    closeSync(file)
  }
}

const PIECE = 64 * 1024

export async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal, Unavailable } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/shell.ts'

/** How a whole file comes to stand in its place, and what SQLite keeps beside it. */

/** What may stand beside a database and belong to it. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const

/** Between a file's name and what tells one unfinished copy from another. */
const PARTIAL = '.partial-'

export interface Partial extends Disposable {
  readonly path: string
}

/**
 * A new empty file beside `target`, for its owner only, to be filled and then put in its place. What of it is
 * still there when it is disposed of is removed.
 */
export function partialBeside(target: string): Partial {
  const path = `${target}${PARTIAL}${crypto.randomUUID().slice(0, 8)}`
  closeSync(openSync(path, 'wx', 0o600))
  return {
    path,
    [Symbol.dispose]: () => {
      for (const suffix of ['', ...COMPANIONS]) rmSync(path + suffix, { force: true })
    },
  }
}

/**
 * For a database that is not there: refuses where what belongs to one still is. Somebody may be using what was
 * removed, and would never see what is put in its place.
 */
export function checkNotRemoved(database: string): void {
  const left = COMPANIONS.map((suffix) => database + suffix).filter(fileAt)
  if (left.length > 0)
    throw new Refusal(
      `${database} is gone, but ${left[0]} is there, so a server may still be serving what was removed. Stop it, and try again after: rm ${left.map(shellWord).join(' ')}`,
    )
}

/** The unfinished copies that a killed process has left beside `target`, or that are being made now. */
export const partialsOf = (target: string): string[] =>
  readdirSync(dirname(target))
    .filter((name) => name.startsWith(basename(target) + PARTIAL))
    .map((name) => join(dirname(target), name))

/**
 * Gives a finished file the name `target`, so that after a crash there is either all of it or none. Refuses to
 * replace a file that is there, unless told to `overwrite`. Nobody may have the file open as a database.
 */
export function settle(partial: string, target: string, overwrite: boolean): void {
  sync(partial)
  if (overwrite) renameSync(partial, target)
  else nameOnce(partial, target)
  sync(dirname(target))
}

/** The file by that name, links followed, or undefined if there is none. Refuses where nobody may look. */
export const fileAt = (path: string): Stats | undefined => lookAt(path, statSync)

/** Whether the name is a link, whether or not that leads to anything. */
export const isLink = (path: string): boolean => lookAt(path, lstatSync)?.isSymbolicLink() === true

function lookAt(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw refusalOf(error, `Cannot look at ${path}`)
  }
}

/** A failure of the file system or of the engine as a refusal that begins with `what`; others as they are. */
export function refusalOf(error: unknown, what: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error) || !('code' in error)) return error
  const reason = error.message.replace(/[.\s]+$/, '')
  return new Unavailable(`${what}: ${reason}.`, { cause: error })
}

/** A second name fails where a renaming would replace; but not every file system has second names. */
function nameOnce(partial: string, target: string): void {
  try {
    linkSync(partial, target)
  } catch (error) {
    if (fileAt(target)) throw new Refusal(`${target} has just been made by another process.`)
    if (!(error instanceof Error && 'code' in error)) throw error
    renameSync(partial, target)
  }
  rmSync(partial, { force: true })
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

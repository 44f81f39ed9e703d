import { type BigIntStats, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { codeOf } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'
import { shellWord } from '../domain/text/shell.ts'
import { fileError } from './errors.ts'

const AUXILIARY = ['-wal', '-shm', '-journal'] as const

/** Files that SQLite may keep next to a database in use. */
export const auxiliaryFiles = (database: string): string[] => AUXILIARY.map((suffix) => database + suffix)

/** The file with the notes of the worker: beside the real file of the database, also if its path is a link. */
export const bookkeepingFile = (database: string): string => `${resolvedPath(database)}-worker`

export const databaseFiles = (database: string): string[] =>
  [resolvedPath(database), bookkeepingFile(database)].flatMap((file) => [file, ...auxiliaryFiles(file)])

/** The file at a path, links followed, or undefined. Refuses a path that cannot be looked up. */
export const fileAt = (path: string): Stats | undefined => lookUp(path, () => statSync(path))

/** True for a link, even a dangling one. */
export const isLink = (path: string): boolean =>
  lookUp(path, () => lstatSync(path))?.isSymbolicLink() === true

/**
 * The real path, whether or not anything is there. Never opens it, as `realpathSync` does on macOS: closing a file ends
 * the locks that SQLite has on it.
 */
export function resolvedPath(path: string): string {
  if (path === dirname(path)) return resolve(path)
  const place = join(resolvedPath(dirname(path)), basename(path))
  if (!isLink(place)) return place
  // Refuses links that lead in a circle.
  fileAt(place)
  const target = readlinkSync(place)
  return resolvedPath(isAbsolute(target) ? target : `${dirname(place)}/${target}`)
}

/** The fault of a missing path that is, or is in, a dangling link; otherwise null. */
export function deadLink(path: string): string | null {
  if (fileAt(path)) return null
  if (isLink(path)) return `${path} is a broken link: there is no ${resolvedPath(path)}`
  return path === dirname(path) ? null : deadLink(dirname(path))
}

/** The kind of a non-file, to follow its name; null for a file. */
export function notAFile(found: Stats): string | null {
  if (found.isFile()) return null
  const kind = found.isDirectory()
    ? 'directory'
    : found.isFIFO()
      ? 'FIFO'
      : found.isSocket()
        ? 'socket'
        : 'device'
  return `is a ${kind}, not a file`
}

/**
 * The stat of a file, or undefined if it is missing or a dangling link; in bigint, because inode numbers may exceed
 * safe integers. Throws if it cannot be looked up: a missing permission is not a missing file.
 */
export const exactStat = (path: string): BigIntStats | undefined =>
  lookUp(path, () => statSync(path, { bigint: true }), 'ELOOP')

/** A file where `directory` needs a directory, or null. */
export function fileInstead(directory: string): string | null {
  const found = fileAt(directory)
  if (found) return found.isDirectory() ? null : directory
  return directory === dirname(directory) ? null : fileInstead(dirname(directory))
}

/** True if both exist and are one file. */
export const isSame = <S extends Stats | BigIntStats>(one: S | undefined, other: S | undefined): boolean =>
  one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino

/**
 * Refuses a missing database whose auxiliary files remain. SQLite would add them to a new database, and a server
 * with the removed file open may have the only copy of it.
 */
export function checkNotRemoved(database: string): void {
  const left = auxiliaryFiles(database).filter(fileAt)
  // Checked again: another process may have just created it.
  if (left.length > 0 && !fileAt(database))
    throw new Refusal(
      `${database} was deleted, but ${left[0]} still exists. A server may still be using it.`,
      { hint: `If you do not need it, try again after: rm ${left.map(shellWord).join(' ')}` },
    )
}

function lookUp<T>(path: string, look: () => T, ...codes: readonly string[]): T | undefined {
  try {
    return look()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', ...codes].includes(codeOf(error))) return undefined
    throw fileError(error, path, `Cannot look up ${path}`)
  }
}

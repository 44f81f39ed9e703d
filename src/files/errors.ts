import { statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { orNull, reasonOf } from '../domain/errors.ts'
import { toRun, Unavailable } from '../domain/refusal.ts'
import { shellWord } from '../domain/text/shell.ts'
import { type AccessFault, readFault, writeFault } from './access.ts'

/** Translates a file system error; returns any other unchanged. `doing` begins the message: "Cannot write x.db". */
export function fileError(error: unknown, file: string, doing: string): unknown {
  if (!(error instanceof Error) || error.name === 'SQLiteError' || !('code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return full(error, file, doing)
  if (error.code === 'EIO') return broken(error, file, doing)
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') {
    // The error may be about a file next to this one.
    const path = 'path' in error && typeof error.path === 'string' ? error.path : file
    const fault = readFault(path) ?? writeFault(path)
    if (fault) return accessError(fault, file, doing, error)
  }
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { cause: error })
}

export const accessError = (
  { path, reason, hint }: AccessFault,
  file: string,
  doing: string,
  cause?: Error,
): Unavailable =>
  new Unavailable(`${doing}: ${path === resolve(file) ? 'it' : path} ${reason}.`, { hint, cause })

export const full = (cause: Error, file: string, doing: string): Unavailable =>
  new Unavailable(`${doing}: the disk is full.`, {
    hint: `Free up space, and try again. To see how much is left: df -h ${shellWord(dirname(file))}`,
    cause,
  })

export const broken = (cause: Error, file: string, doing: string): Unavailable =>
  new Unavailable(`${doing}: the disk failed (${reasonOf(cause)}).`, {
    hint: toRun('Check the system log, for example with dmesg. To check the database', 'doctor', [], {
      db: file,
    }),
    cause,
  })

/** The least free space that SQLite can work with. */
const LEAST_ROOM = 65_536

export function hasRoom(file: string): boolean {
  const found = orNull(() => statfsSync(dirname(file)))
  return found === null || found.bavail * found.bsize >= LEAST_ROOM
}

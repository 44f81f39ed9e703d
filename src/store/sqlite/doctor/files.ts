import { type Stats, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt, type Finding } from '../../../domain/finding.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { size } from '../../../domain/text/size.ts'
import { octal, userName, writeFault } from '../../../files/access.ts'
import { temporaryFilesOf } from '../../../files/leftovers.ts'
import { auxiliaryFiles, fileAt } from '../../../files/lookup.ts'

/** Checks of the files of a database: who may use them, and whether there is room for them. */

const MIB = 1_048_576
const LEAST_SPACE = 16 * MIB
const LEAST_SHARE = 0.1
const LARGE_LOG = 64 * MIB

export function fileFindings(database: string): Finding[] {
  const sizeOf = (path: string) => fileAt(path)?.size ?? 0
  const log = sizeOf(`${database}-wal`)
  return [
    ...attempt('permissions', () => permissionFindings(database)),
    ...attempt('free space', () => {
      const { bavail, blocks, bsize } = statfsSync(nearest(dirname(database)))
      return [spaceFinding(bavail * bsize, blocks * bsize, sizeOf(database) + log)]
    }),
    ...(fileAt(database) ? [logFinding(log)] : []),
    ...attempt('leftovers', () => leftoverFindings(database)),
  ]
}

/** `used` is what the database and its log take now: a backup next to it, or a restore, needs as much again. */
export function spaceFinding(free: number, total: number, used: number): Finding {
  const message = `${size(free)} of ${size(total)} free`
  const check = 'free space'
  if (free < LEAST_SPACE)
    return { state: 'wrong', check, message, remedy: 'Make room: writing is about to fail.' }
  if (free < used)
    return { state: 'warn', check, message, remedy: `Make room: a restore needs more than ${size(used)}.` }
  if (free < total * LEAST_SHARE)
    return { state: 'warn', check, message, remedy: 'Make room while there is some.' }
  return { state: 'ok', check, message }
}

export function logFinding(bytes: number): Finding {
  const message = size(bytes)
  return bytes > LARGE_LOG
    ? {
        state: 'warn',
        check: 'WAL',
        message,
        remedy:
          'After a large import or restore this is normal, and ends when the server is restarted. If it keeps growing, a process never ends its read: stop it.',
      }
    : { state: 'ok', check: 'WAL', message }
}

function permissionFindings(database: string): Finding[] {
  const directory = dirname(database)
  const findings: Finding[] = []
  const paths = [database, ...auxiliaryFiles(database)]
  // One that this user may not use has been named with its owner already.
  const unusable = writeFault(database, ...paths)?.path
  for (const path of paths) {
    const found = fileAt(path)
    if (!found) continue
    findings.push(...exposed(path, found))
    if (path !== unusable) findings.push(...foreign(path, found, directory))
  }
  const around = fileAt(directory)
  if (around) findings.push(...open(directory, around))
  if (findings.length > 0 || !around) return findings
  return [{ state: 'ok', check: 'permissions', message: 'only the owner may read and write' }]
}

/** A file that users other than its owner may use: it contains drafts and private content. */
function exposed(path: string, { mode }: Stats): Finding[] {
  if ((mode & 0o077) === 0) return []
  return [wrongMode('wrong', path, mode, 'users other than the owner can read or write', '600')]
}

/** A directory in which others may put another file in the database's place; or may only list it. */
function open(path: string, { mode }: Stats): Finding[] {
  const isWritable = (mode & 0o022) !== 0
  if (isWritable && (mode & 0o1000) !== 0)
    return [
      {
        state: 'wrong',
        check: 'permissions',
        message: `${path} is a directory for all users (${octal(mode)})`,
        remedy: 'Move the database to a directory of its own.',
      },
    ]
  if (isWritable) return [wrongMode('wrong', path, mode, 'users other than the owner can write to', '700')]
  if ((mode & 0o077) !== 0)
    return [wrongMode('warn', path, mode, 'users other than the owner can list', '700')]
  return []
}

const wrongMode = (
  state: 'warn' | 'wrong',
  path: string,
  mode: number,
  who: string,
  right: string,
): Finding => ({
  state,
  check: 'permissions',
  message: `${who} ${path} (${octal(mode)})`,
  remedy: `To change that: chmod ${right} ${shellWord(path)}`,
})

/** A file of another user than the one who runs the check; root checks for the directory's owner. */
function foreign(path: string, { uid }: Stats, directory: string): Finding[] {
  const self = process.geteuid?.() ?? -1
  const expected = self === 0 ? (fileAt(directory)?.uid ?? self) : self
  if (uid === expected || expected === -1) return []
  return [
    {
      state: 'warn',
      check: 'permissions',
      message: `${path} belongs to user ${userName(uid)}, not to user ${userName(expected)}`,
      remedy: `If the server runs as user ${userName(expected)}: chown ${userName(expected)} ${shellWord(path)}`,
    },
  ]
}

function leftoverFindings(database: string): Finding[] {
  if (!fileAt(dirname(database))) return []
  const left = temporaryFilesOf(database)
  if (left.length === 0) return []
  return [
    {
      state: 'warn',
      check: 'leftovers',
      message: 'a backup or restore was interrupted and left files behind',
      remedy: `Unless one is running: rm ${left.map(shellWord).join(' ')}`,
    },
  ]
}

/** The directory, or the nearest one above it that exists. */
function nearest(directory: string): string {
  return fileAt(directory) || directory === dirname(directory) ? directory : nearest(dirname(directory))
}

import { type Stats, statfsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { shellWord } from '../../../domain/shell.ts'
import { auxiliaryFiles, fileAt, temporaryFilesOf } from '../../../store/sqlite/files.ts'
import { counted, size } from '../../terminal/terminal.ts'
import { attempt, type Finding } from './finding.ts'

/** What is wrong around the database: who may touch its files, and whether there is room for them. */

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

/** `used` is what the database and its log take now: a backup beside it, or a restore, needs as much again. */
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
          'After a large import or restore this is normal, and ends when the server is started again. If it goes on growing, some process reads without an end: stop it.',
      }
    : { state: 'ok', check: 'WAL', message }
}

function permissionFindings(database: string): Finding[] {
  const directory = dirname(database)
  const findings: Finding[] = []
  for (const path of [database, ...auxiliaryFiles(database)]) {
    const found = fileAt(path)
    if (found) findings.push(...exposed(path, found), ...foreign(path, found, directory))
  }
  const around = fileAt(directory)
  if (around) findings.push(...open(directory, around))
  if (findings.length > 0 || !around) return findings
  return [{ state: 'ok', check: 'permissions', message: 'only the owner may read and write' }]
}

/** A file that others than its owner may touch: in it are drafts and what is private. */
function exposed(path: string, { mode }: Stats): Finding[] {
  if ((mode & 0o077) === 0) return []
  return [wrongMode('wrong', path, mode, 'others than its owner may use', '600')]
}

/** A directory in which others may put another file in the database's place; or may only look around. */
function open(path: string, { mode }: Stats): Finding[] {
  const isWritable = (mode & 0o022) !== 0
  if (isWritable && (mode & 0o1000) !== 0)
    return [
      {
        state: 'wrong',
        check: 'permissions',
        message: `${path} is everybody's directory (${octal(mode)})`,
        remedy: 'Keep the database in one of its own.',
      },
    ]
  if (isWritable) return [wrongMode('wrong', path, mode, 'others than its owner may write to', '700')]
  if ((mode & 0o077) !== 0)
    return [wrongMode('warn', path, mode, 'others than its owner may look into', '700')]
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

/** A file that belongs to somebody else than who is asking; root asks for the directory's owner. */
function foreign(path: string, { uid }: Stats, directory: string): Finding[] {
  const self = userInfo().uid
  const expected = self === 0 ? (fileAt(directory)?.uid ?? self) : self
  if (uid === expected || expected === -1) return []
  return [
    {
      state: 'warn',
      check: 'permissions',
      message: `${path} belongs to user ${uid}, not to user ${expected}`,
      remedy: `If the server runs as user ${expected}: chown ${expected} ${shellWord(path)}`,
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
      message: `${counted(left.length, 'file')} of a backup or restore that was cut off`,
      remedy: `Unless one is running: rm ${left.map(shellWord).join(' ')}`,
    },
  ]
}

/** The directory, or the nearest one above it that is there. */
function nearest(directory: string): string {
  return fileAt(directory) || directory === dirname(directory) ? directory : nearest(dirname(directory))
}

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')

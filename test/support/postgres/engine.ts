import { appendFileSync, chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { removedAtEnd } from '../leftovers.ts'
import type { scratch } from '../scratch.ts'
import { freePort } from '../servers/free-port.ts'
import { asOwner, initialize, isRoot, NOBODY, newPlace, OWN_MEMORY } from './cluster.ts'

/** What a commit must survive is a kill of all processes, not the loss of the machine. */
const SETTINGS = [
  OWN_MEMORY,
  'fsync=off',
  'max_connections=100',
  'wal_level=replica',
  'wal_retrieve_retry_interval=100ms',
]

const DATABASE = 'changelogd'

/** A PostgreSQL of its own, whose processes can be killed, stopped and started again. */
export class Engine {
  private pid = 0
  private remove = () => {}

  private constructor(
    private readonly place: ReturnType<typeof scratch>,
    private readonly programs: string,
    readonly port: number,
  ) {}

  /** A new one, running, with an empty database; by the programs in a directory, if that is given. */
  static async start(programs?: string): Promise<Engine> {
    const engine = await Engine.at(programs)
    initialize(engine.programs, engine.data)
    await engine.start()
    const admin = new SQL(engine.address('postgres'), { max: 1 })
    await admin.unsafe(`create database ${DATABASE}`)
    await admin.close()
    return engine
  }

  private static async at(given?: string): Promise<Engine> {
    const { place, programs } = newPlace()
    return new Engine(place, given ?? programs, await freePort())
  }

  private get data(): string {
    return join(this.place.path, 'data')
  }

  address(database = DATABASE): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** What it has logged since it was last started. */
  log(): string {
    return readFileSync(this.logFile, 'utf8')
  }

  private get logFile(): string {
    return join(this.place.path, 'log')
  }

  /** Starts it, and resolves when it answers. */
  async start(): Promise<void> {
    for (;;) {
      const settings = SETTINGS.flatMap((setting) => ['-c', setting])
      const args = [...['-D', this.data, '-p', `${this.port}`, '-h', '127.0.0.1', '-k', ''], ...settings]
      const child = Bun.spawn(asOwner(join(this.programs, 'postgres'), args), {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: Bun.file(this.logFile),
      })
      this.pid = child.pid
      this.remove = removedAtEnd(() => this.signal('SIGKILL'))
      // It ends at once while processes of the one before are still ending.
      if (await Promise.race([child.exited.then(() => false), this.answers()])) return
    }
  }

  private async answers(): Promise<boolean> {
    for (;;) {
      const client = new SQL(this.address('postgres'), { max: 1, connectionTimeout: 1 })
      try {
        await client.unsafe('select 1')
        return true
      } catch {
        await Bun.sleep(5)
      } finally {
        await client.close({ timeout: 0 }).catch(() => {})
      }
    }
  }

  /** Ends all of its processes at once. */
  async kill(): Promise<void> {
    const pids = this.signal('SIGKILL')
    this.remove()
    while (pids.some(isRunning)) await Bun.sleep(1)
  }

  /** Has all of its processes stand still, as those of a machine that is. */
  freeze(): void {
    this.signal('SIGSTOP')
  }

  thaw(): void {
    this.signal('SIGCONT')
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    const pids = this.processes()
    process.kill(this.pid, 'SIGINT')
    while (pids.some(isRunning)) await Bun.sleep(5)
    this.remove()
  }

  /** A standby of this one, from a copy of its files while it is down. Both run afterwards. */
  async standby(): Promise<Engine> {
    await this.stop()
    const standby = await Engine.at()
    cpSync(this.data, standby.data, { recursive: true, verbatimSymlinks: true })
    writeFileSync(join(standby.data, 'standby.signal'), '')
    appendFileSync(
      join(standby.data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=postgres'\n`,
    )
    if (isRoot()) Bun.spawnSync(['chown', '-R', `${NOBODY}:${NOBODY}`, standby.data])
    chmodSync(standby.data, 0o700)
    await this.start()
    await standby.start()
    return standby
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    const client = new SQL(this.address('postgres'), { max: 1 })
    await client.unsafe('select pg_promote()')
    await client.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    this.place[Symbol.dispose]()
  }

  /** Sends a signal to the first process and then to those it has started, and gives them all. */
  private signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): number[] {
    const pids = this.processes()
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // It has ended by itself.
      }
    return pids
  }

  private processes(): number[] {
    return isRunning(this.pid) ? [this.pid, ...childrenOf(this.pid)] : []
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
}

/** One that has ended, but whose parent has not asked for its status, is not running. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

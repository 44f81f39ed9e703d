import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratch } from '../../../test/support/scratch.ts'
import { seeder } from '../../../test/support/seed.ts'
import {
  type Child,
  killProcess,
  linesOf,
  listening,
  outputOf,
  startProcess,
} from '../../../test/support/servers/process.ts'
import { PLENTY } from '../../../test/support/servers/server.ts'

export const PROGRAM = join(import.meta.dir, '../../../dist/changelogd')

/** How long a command may take before it counts as hanging. */
const TIMEOUT_MS = 120_000

export interface Result {
  /** null if the command was killed. */
  status: number | null
  stdout: string
  stderr: string
  /** The processor time it took. */
  cpuSeconds: number
  /** The most memory it took. */
  megabytes: number
}

export interface RunOptions {
  env?: Record<string, string>
  /** Kills the command with SIGKILL after so many milliseconds. */
  killAfter?: number
  /** Runs it under another program, such as setpriv. */
  under?: readonly string[]
}

export interface Server {
  readonly child: Child
  readonly port: number
  /** Every line on its standard output so far; all of them once it has stopped. */
  readonly lines: readonly string[]
  /** The same for its standard error. */
  readonly errors: readonly string[]
  stop(signal?: NodeJS.Signals): Promise<number>
}

/** A directory of its own with a database in it, and the binary run on that database. */
export class Place {
  private readonly scratch = scratch()
  private readonly children = new Set<Child>()
  database = this.at('changelogd.db')

  get directory(): string {
    return this.scratch.path
  }

  at(name: string): string {
    return join(this.directory, name)
  }

  /** Rows written with plain SQL: `seed` may add them to a database of the current schema. */
  fill<T>(seed: (seed: ReturnType<typeof seeder>) => T, database = this.database): T {
    const rows = seeder(database)
    try {
      return rows.db.transaction(() => seed(rows))()
    } finally {
      rows.db.close()
    }
  }

  /** What the worker remembers. */
  bookkeeping(): Database {
    return new Database(`${this.database}-worker`)
  }

  private get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.directory, DATABASE_URL: this.database }
  }

  start(command: readonly string[], env: Record<string, string> = {}): Child {
    const child = startProcess(command, { cwd: this.directory, env: { ...this.env, ...env } })
    this.children.add(child)
    void child.exited.then(() => this.children.delete(child))
    return child
  }

  /** Runs a command of the binary to its end. */
  async run(
    args: readonly string[],
    { env, killAfter = TIMEOUT_MS, under = [] }: RunOptions = {},
  ): Promise<Result> {
    const child = this.start([...under, PROGRAM, ...args], env)
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfter)
    const memory = watchMemory(child.pid)
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    clearTimeout(timer)
    const megabytes = memory.stop()
    const usage = child.resourceUsage()
    return {
      status: child.signalCode === null ? child.exitCode : null,
      stdout,
      stderr,
      cpuSeconds: Number(usage?.cpuTime.total ?? 0) / 1_000_000,
      megabytes,
    }
  }

  /** Runs a command that must succeed, and gives its standard output. */
  async must(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(args)
    if (status !== 0) throw new Error(`changelogd ${args.join(' ')}: ${stderr}`)
    return stdout
  }

  /** Everything in a database, as the binary exports it. */
  export(database = this.database): Promise<string> {
    return this.must('export', '--all', '--db', database)
  }

  /** Whether SQLite finds nothing wrong with the file. */
  isWhole(database = this.database): boolean {
    const db = new Database(database)
    try {
      const rows = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
      return rows[0]?.integrity_check === 'ok' && db.query('PRAGMA foreign_key_check').all().length === 0
    } catch {
      return false
    } finally {
      db.close()
    }
  }

  async serve(env: Record<string, string> = {}): Promise<Server> {
    const child = this.start([PROGRAM, 'serve', '--port', '0'], { ...PLENTY, ...env })
    const output = outputOf(child)
    const port = Number(new URL(await listening(child, output)).port)
    const errors = linesOf(child.stderr)
    return {
      child,
      port,
      lines: output.lines,
      errors: errors.lines,
      async stop(signal = 'SIGTERM') {
        child.kill(signal)
        const status = await child.exited
        await Promise.all([output.ended, errors.ended])
        return status
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.children].map(killProcess))
    this.scratch[Symbol.dispose]()
  }
}

const MEMORY_INTERVAL_MS = 20

/**
 * Reads the most memory that a process has taken, until it ends. The usage that the system reports of a process that has
 * ended is never less than that of the process which started it.
 */
function watchMemory(pid: number): { stop(): number } {
  let kilobytes = 0
  const read = () => {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
    kilobytes = Math.max(kilobytes, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0))
  }
  const timer = setInterval(read, MEMORY_INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      return Math.round((kilobytes * 1024) / 1_000_000)
    },
  }
}

/** Copies a database that nothing has open: its log, if there is one, as well. */
export function copyDatabase(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
}

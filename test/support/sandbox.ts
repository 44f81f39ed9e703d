import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { canRunHere, type Result, runHere } from './commands/in-process.ts'
import { blockingDatabase } from './postgres/blocking.ts'
import { postgres } from './postgres/cluster.ts'
import { scratch } from './scratch.ts'
import { seeder } from './seed.ts'
import { type Child, COMPILING_LATE, killProcess, listening, startProcess } from './servers/process.ts'
import { type Engine, insisting, PLENTY } from './servers/server.ts'
import { until } from './until.ts'

/** The program under test: the binary, as `bun run build` made it. */
export const PROGRAM: readonly string[] = [join(import.meta.dir, '../../dist/changelogd')]

export type { Result } from './commands/in-process.ts'

/**
 * How commands run: the binary is for tests that are about processes, or have the database open themselves; in this
 * process a command takes a tenth of the time. With `CHANGELOGD_TEST_BINARY=1` every command runs the binary.
 */
export type Way = 'in this process' | 'the binary'

const USUAL: Way = process.env.CHANGELOGD_TEST_BINARY === '1' ? 'the binary' : 'in this process'

export interface SandboxOptions {
  way?: Way
  /** Whether a database on PostgreSQL gets its schema only from the first command that writes, which takes a while. */
  isBare?: boolean
  /** The sandbox on PostgreSQL whose database and files it starts with. Nothing may use them meanwhile. */
  like?: Sandbox
}

/** The database of the demo. */
let demo: Uint8Array | undefined

/** A directory of its own with a database, and the program run on that database. */
export class Sandbox {
  private place = scratch()
  private readonly children = new Set<Child>()
  private server: string | undefined
  /** The database on a PostgreSQL, which is there from `renew` on. */
  private postgres: string | undefined

  constructor(
    private readonly engine: Engine = 'SQLite',
    private readonly options: SandboxOptions = {},
  ) {}

  /** A new one that is ready, whatever the engine. */
  static async on(engine: Engine, options: SandboxOptions = {}): Promise<Sandbox> {
    const box = new Sandbox(engine, options)
    await box.renew()
    return box
  }

  get directory(): string {
    return this.place.path
  }

  /** The path of the file, or the address. */
  get database(): string {
    return this.postgres ?? this.at('changelogd.db')
  }

  /** Whether no command has created anything in its place yet. */
  async isMissing(): Promise<boolean> {
    if (!this.postgres) return !existsSync(this.database)
    await using sql = new SQL(this.postgres, { max: 1 })
    return (await sql`select from pg_class where relnamespace = 'public'::regnamespace`).length === 0
  }

  /** Differs whenever something has been written. */
  async state(): Promise<unknown> {
    if (!this.postgres) return Bun.file(this.database).bytes()
    await using sql = new SQL(this.postgres, { max: 1 })
    return await sql`select * from changelogd`.values()
  }

  /** Writes to it past the command line. */
  write(statement: string, values: string[] = []): void {
    using db = this.postgres ? blockingDatabase(this.postgres) : new Database(this.database)
    db.run(statement, values)
  }

  readonly at = (name: string): string => join(this.directory, name)

  /** All files there, except what Bun keeps in a home, and SQLite while a test has the database open. */
  readonly files = (): string[] =>
    readdirSync(this.directory)
      .filter((name) => !/^\.bun$|^changelogd\.db-(wal|shm)$/.test(name))
      .sort()

  /** Nothing of the outer environment reaches the program but the way to find others, and settings of its engine. */
  get env(): Record<string, string> {
    const { PATH = '' } = process.env
    return { PATH, HOME: this.directory, DATABASE_URL: this.database, ...COMPILING_LATE }
  }

  /** A directory for PATH with the program in it, for shells. */
  withProgram(): string {
    const directory = this.at('bin')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'changelogd'), `#!/bin/sh\nexec ${PROGRAM.join(' ')} "$@"\n`, {
      mode: 0o755,
    })
    return directory
  }

  /** Starts a command. One that still runs when the sandbox is closed is killed. */
  start(args: readonly string[], env: Record<string, string> = {}): Child {
    return this.spawn([...PROGRAM, ...args], env)
  }

  /** Starts any other program here, as `start` does. */
  spawn(command: readonly string[], env: Record<string, string> = {}): Child {
    const child = startProcess(command, { cwd: this.directory, env: { ...this.env, ...env } })
    this.children.add(child)
    void child.exited.then(() => this.children.delete(child))
    return child
  }

  run(args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
    const { way = USUAL } = this.options
    return way === 'in this process' && canRunHere(args)
      ? runHere(args, { cwd: this.directory, env: { ...this.env, ...env } })
      : this.runProgram([...PROGRAM, ...args], env)
  }

  /** Runs any other program here. */
  async runProgram(command: readonly string[], env: Record<string, string> = {}): Promise<Result> {
    const child = this.spawn(command, env)
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, stdout, stderr }
  }

  /**
   * Starts a command and kills it as soon as `isReached` holds. Says whether it came to that before the command
   * had ended.
   */
  async killedWhen(isReached: () => boolean, args: readonly string[]): Promise<boolean> {
    const child = this.start(args)
    let reached = false
    await until(() => {
      reached = isReached()
      return reached || child.exitCode !== null
    })
    await killProcess(child)
    if (!reached && child.exitCode !== 0)
      throw new Error(`${args.join(' ')}: ${await new Response(child.stderr).text()}`)
    return reached
  }

  /** Runs a command at a terminal, and gives what that shows. */
  async onTerminal(args: readonly string[], env: Record<string, string> = {}, cols = 100): Promise<string> {
    const decoder = new TextDecoder()
    let output = ''
    const child = Bun.spawn([...PROGRAM, ...args], {
      env: { ...this.env, TERM: 'xterm', ...env },
      terminal: {
        cols,
        rows: 40,
        data: (_, data) => {
          output += decoder.decode(data, { stream: true })
        },
      },
    })
    await child.exited
    return output
  }

  /** Runs a command line written as in a shell, without quoting: words are split at spaces. */
  words(line: string): Promise<Result> {
    return this.run(line.split(' '))
  }

  /** Runs a line that was printed, as a shell does. Of nothing but commands, the shell only finds the words, if it is needed for that. */
  async paste(line: string, env: Record<string, string> = {}): Promise<Result> {
    const commands = line.split(' && ')
    const isPlain = (command: string) => /^changelogd [\w ./:@=+,-]+$/.test(command)
    if (commands.every(isPlain)) return this.inTurn(commands, env)
    const shell = (text: string, more: Record<string, string>) =>
      this.runProgram(['bash', '-c', text], { ...env, ...more })
    if (!/^changelogd [^|<>&;$`]+$/.test(line))
      return shell(line, { PATH: `${this.withProgram()}:${process.env.PATH}` })
    const { stdout } = await shell(`changelogd() { printf '%s\\0' "$@"; }; ${line}`, {})
    return this.run(stdout.split('\0').slice(0, -1), env)
  }

  /** Runs commands until one fails, and gives what all of them printed. */
  private async inTurn(commands: readonly string[], env: Record<string, string>): Promise<Result> {
    const all = { status: 0, stdout: '', stderr: '' }
    for (const command of commands) {
      const { status, stdout, stderr } = await this.run(command.split(/ +/).slice(1), env)
      all.status = status
      all.stdout += stdout
      all.stderr += stderr
      if (status !== 0) break
    }
    return all
  }

  /** Runs a command that must succeed, with `--json`, and gives its one JSON value. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const result = await this.run([...args, '--json'])
    if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return JSON.parse(result.stdout) as T
  }

  /** What the command `demo` makes of a database that does not exist yet: on SQLite a copy, which takes much less time. */
  async demo(): Promise<void> {
    if (this.postgres) await this.json('demo')
    else if (demo) writeFileSync(this.database, demo, { mode: 0o600 })
    else {
      await this.json('demo')
      demo = readFileSync(this.database)
    }
  }

  /** The address of a server over the database, which is started once. */
  async serve(): Promise<string> {
    this.server ??= await listening(this.start(['serve', '--port', '0'], PLENTY))
    return this.server
  }

  /** Runs a command that must be refused with one line and leave all files as they are. Gives that line. */
  async refusal(...args: string[]): Promise<string> {
    const before = this.files()
    const { status, stdout, stderr } = await this.run(args)
    expect({ args, status, stdout }).toEqual({ args, status: 1, stdout: '' })
    expect(stderr).toMatch(/^changelogd: [^\n]+\n$/)
    expect(this.files()).toEqual(before)
    return stderr
  }

  /** What a server that was running before the command says now: its status, and the `data` of its answer. */
  async seenByApi(path: string, token?: string): Promise<Seen> {
    const response = await this.response(`/api/v1${path}`, token)
    const { data } = (await response.json()) as { data?: Seen['data'] }
    return data ? { status: response.status, data } : { status: response.status }
  }

  /** What that server answers at a path. A redirect is not followed. */
  async response(path: string, token?: string): Promise<Response> {
    const url = await this.serve()
    if (this.postgres) {
      using db = blockingDatabase(this.postgres)
      db.settle()
    }
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return insisting(this.engine, () => fetch(url + path, { headers, redirect: 'manual' }))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.children].map(killProcess))
    this.server = undefined
    this.place[Symbol.dispose]()
    if (this.postgres) await (await postgres()).drop(this.postgres)
    this.postgres = undefined
  }

  /** Closes it and begins anew in another directory. */
  async renew(): Promise<void> {
    await this.close()
    this.place = scratch()
    if (this.engine === 'SQLite') return
    const { isBare, like } = this.options
    if (like) cpSync(like.directory, this.directory, { recursive: true })
    this.postgres = await (await postgres()).create({
      bare: isBare === true,
      ...(like && { like: like.database }),
    })
  }
}

/** A sandbox with a public team acme on the paid plan, and its published product acme/app. */
export async function withProduct(engine: Engine = 'SQLite'): Promise<Sandbox> {
  const box = await Sandbox.on(engine)
  if (engine === 'SQLite') {
    const { team, product, db } = seeder(box.database)
    product(team('acme', { name: 'Acme' }), 'app', { name: 'App' })
    db.close()
  } else {
    await box.words('team create acme --name Acme --visibility public --plan paid')
    await box.words('product create acme/app --name App --status published')
  }
  return box
}

/** A sandbox that is new for each test of the file, with whatever `prepare` puts into it. */
export function sandboxForEach(
  prepare: (box: Sandbox) => unknown = () => {},
  engine: Engine = 'SQLite',
  options: SandboxOptions = {},
): Sandbox {
  const box = new Sandbox(engine, options)
  beforeEach(async () => {
    await box.renew()
    await prepare(box)
  })
  afterEach(() => box.close())
  return box
}

export interface Seen {
  status: number
  data?: {
    team?: { slug: string; name: string }
    product?: { slug: string; name: string }
    changelog?: { name: string; status: string }
    versions?: SeenVersion[]
  } & Partial<SeenVersion>
}

export interface SeenVersion {
  id: string
  version: string
  title: string
  status: string
  publishedAt: string
  changeCount: number
  description?: string | null
  changes?: { id: string; type: string; typeLabel: string; title: string; description: string | null }[]
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How long a test may take: each command is a process of its own, and the machine may be busy. */
export const PATIENCE_MS = 60_000

/** The program under test: the binary, as `bun run build` made it. */
export const PROGRAM: readonly string[] = [join(import.meta.dir, '../../dist/changelogd')]

export interface Result {
  status: number
  stdout: string
  stderr: string
}

/** A directory of its own with a database in it, and the program run on that database. */
export class Sandbox {
  readonly directory = mkdtempSync(join(tmpdir(), 'changelogd-cli-'))
  readonly database = join(this.directory, 'changelogd.db')
  private server: { url: string; child: Bun.Subprocess } | undefined

  /** Nothing of the outer environment reaches the program but the way to find others. */
  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.directory, DATABASE_URL: this.database }
  }

  start(args: readonly string[], env: Record<string, string> = {}) {
    return Bun.spawn([...PROGRAM, ...args], {
      cwd: this.directory,
      env: { ...this.env, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async run(args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
    const child = this.start(args, env)
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, stdout, stderr }
  }

  /** Runs a command line written as in a shell, without quoting: words are split at spaces. */
  words(line: string): Promise<Result> {
    return this.run(line.split(' '))
  }

  /** Runs a command that must succeed, with `--json`, and gives its one JSON value. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const result = await this.run([...args, '--json'])
    if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stderr}`)
    return JSON.parse(result.stdout) as T
  }

  /** What a server that was running before the command says now: its status, and the `data` of its answer. */
  async seenByApi(path: string, token?: string): Promise<Seen> {
    this.server ??= await this.serve()
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${this.server.url}/api/v1${path}`, { headers })
    const { data } = (await response.json()) as { data?: Seen['data'] }
    return data ? { status: response.status, data } : { status: response.status }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async close(): Promise<void> {
    this.server?.child.kill()
    await this.server?.child.exited
    rmSync(this.directory, { recursive: true, force: true })
  }

  private async serve() {
    const plenty = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' }
    const child = this.start(['serve', '--port', '0'], plenty)
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk)
      const url = /http:\/\/\S+/.exec(printed)?.[0]
      if (url) return { url, child }
    }
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)
  }
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
  changes?: { id: string; type: string; title: string; description: string | null }[]
}

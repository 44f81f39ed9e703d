import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../results.ts'

const COPIED = ['src', 'test', 'drizzle', 'package.json', 'tsconfig.json', 'bunfig.toml']

export type Outcome = 'passed' | 'failed' | 'timed out'

export interface Tested {
  outcome: Outcome
  /** What the tests printed. */
  output: string
}

/** A copy of the project in a temporary directory, in which files may be mutated and tests run. */
export class Copy {
  private readonly path = mkdtempSync(join(tmpdir(), 'changelogd-mutation-'))
  private running: Bun.Subprocess | undefined

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.path, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(this.path, 'node_modules'))
    mkdirSync(this.temporary)
  }

  /** For what the tests create, so that nothing is left of a run that was killed. */
  private get temporary(): string {
    return join(this.path, 'tmp')
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.path, file), text)
  }

  /** Runs test files until the first failure, on SQLite: that is quicker, and the rules are the same. */
  async test(files: readonly string[], timeoutMs: number): Promise<Tested> {
    const options = ['--bail', '--timeout', String(timeoutMs), '--test-name-pattern', '^(?!.*on PostgreSQL)']
    const command = [process.execPath, 'test', ...options, ...files.map((file) => `./${file}`)]
    const child = Bun.spawn(command, {
      cwd: this.path,
      env: { PATH: process.env.PATH ?? '', HOME: this.path, TMPDIR: this.temporary },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      // A process group of its own, so that the servers of its tests end with it.
      detached: true,
    })
    this.running = child
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.stop()
    }, timeoutMs)
    const printed = new Response(child.stderr).text()
    const status = await child.exited
    clearTimeout(timer)
    this.stop()
    this.running = undefined
    const outcome = isLate ? 'timed out' : status === 0 ? 'passed' : 'failed'
    return { outcome, output: await printed }
  }

  /** Ends the tests that run, and removes the copy. */
  remove(): void {
    this.stop()
    rmSync(this.path, { recursive: true, force: true })
  }

  private stop(): void {
    try {
      if (this.running) process.kill(-this.running.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
  }
}

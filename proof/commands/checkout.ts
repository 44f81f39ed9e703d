import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { scratch } from '../../test/support/scratch.ts'
import { ROOT } from '../results.ts'

const LEFT_OUT = ['.git', 'dist', 'data'].map((name) => join(ROOT, name))

export interface Ran {
  status: number
  output: string
}

/** A copy of the project as it is, with the binary that was built, for commands that write to their checkout. */
export class Checkout implements Disposable {
  private readonly place = scratch()
  readonly path = join(this.place.path, 'checkout')
  private readonly home = join(this.place.path, 'home')
  private readonly temporary = join(this.place.path, 'tmp')

  constructor() {
    const filter = (from: string) => basename(from) !== 'node_modules' && !LEFT_OUT.includes(from)
    cpSync(ROOT, this.path, { recursive: true, filter })
    symlinkSync(join(ROOT, 'node_modules'), join(this.path, 'node_modules'))
    mkdirSync(join(this.path, 'dist'))
    symlinkSync(join(ROOT, 'dist/changelogd'), join(this.path, 'dist/changelogd'))
    for (const path of [this.home, this.temporary]) mkdirSync(path)
    // PostgreSQL runs as another user.
    for (const path of [this.place.path, this.temporary]) chmodSync(path, 0o777)
  }

  /** What commands have left in the directory for temporary files; that of the tools they use does not count. */
  leftovers(): string[] {
    return readdirSync(this.temporary).filter((name) => name.startsWith('changelogd'))
  }

  async run(command: readonly string[]): Promise<Ran> {
    const [program = '', ...args] = command
    const child = Bun.spawn([program === 'bun' ? process.execPath : program, ...args], {
      cwd: this.path,
      env: { PATH: process.env.PATH ?? '', HOME: this.home, TMPDIR: this.temporary },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { status, output: stdout + stderr }
  }

  [Symbol.dispose](): void {
    this.place[Symbol.dispose]()
  }
}

import { version } from '../../../package.json'
import { emptyContext } from '../../../release/manual/context.ts'
import { run } from '../../../src/cli/program.ts'
import { editorOn } from '../../../src/cli/terminal/editor.ts'
// Bun runs its macro only if it is not first imported within a test.
import '../../../src/domain/time/date-forms.ts'
import { servingFor } from '../../../src/run/serving.ts'
import type { ChildOptions } from '../servers/process.ts'

/** What a program printed, and its exit status. */
export interface Result {
  status: number
  stdout: string
  stderr: string
}

/** How many commands run in this process now. They share its directory and its environment. */
let running = 0

/** What runs until it is ended. */
const OUTSIDE = new Set(['desk', 'serve', 'worker'])

/** Whether a command can run in this process as it would in one of its own, with none beside it. */
export const canRunHere = (args: readonly string[]): boolean =>
  running === 0 && !OUTSIDE.has(args[0] ?? '') && !args.includes('--web')

/**
 * Runs a command line in this process as if in a new one: in this directory, with this environment and without a terminal.
 */
export async function runHere(args: readonly string[], { cwd, env }: ChildOptions): Promise<Result> {
  const written = { stdout: '', stderr: '' }
  const writeTo = (name: keyof typeof written) => async (text: string) => {
    written[name] += text
  }
  const context = {
    ...emptyContext(version),
    env,
    stdout: writeTo('stdout'),
    stderr: writeTo('stderr'),
    now: Date.now,
    runEditor: editorOn(process, env),
  }
  using _ = within(cwd, env)
  using _log = logged((line) => {
    written.stdout += `${line}\n`
  })
  const status = await run({ ...context, ...servingFor(context) }, args)
  return { status, ...written }
}

/** Takes what a library prints past the context, as that of completions does, until it is disposed of. */
function logged(take: (line: unknown) => void): Disposable {
  const { log } = console
  console.log = take
  return {
    [Symbol.dispose]: () => {
      console.log = log
    },
  }
}

/** Moves this process to a directory and an environment, until it is disposed of. */
function within(directory: string, env: Record<string, string>): Disposable {
  const outer = { directory: process.cwd(), env: { ...process.env } }
  const become = (to: { directory: string; env: NodeJS.ProcessEnv }) => {
    process.chdir(to.directory)
    for (const name of Object.keys(process.env)) if (!(name in to.env)) delete process.env[name]
    Object.assign(process.env, to.env)
  }
  become({ directory, env })
  running++
  return {
    [Symbol.dispose]: () => {
      running--
      become(outer)
    },
  }
}

import { orNull } from '../../domain/errors.ts'
import { Refusal } from '../../domain/refusal.ts'
import { bounded } from '../../domain/text/bounded.ts'

/** The path of git. A refusal says that `what` needs it, and what to do `instead`. */
export function gitProgram(path: string | undefined, what: string, instead: string): string {
  const program = Bun.which('git', { PATH: path ?? '' })
  if (program !== null) return program
  throw new Refusal(`${what} needs git, but git is not in the PATH.`, {
    hint: `Install git, or ${instead}`,
  })
}

interface Run {
  env: Record<string, string | undefined>
  input?: string
  signal?: AbortSignal
  /** The limit of stdout, and of stderr. */
  mostBytes: number
  tooMuch(): Error
  failure(said: string): Error
}

/** All that git prints. Its children end with it. */
export async function gitOutput(
  command: string[],
  { env, input = '', signal, mostBytes, tooMuch, failure }: Run,
): Promise<Uint8Array> {
  const child = Bun.spawn(command, {
    env,
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
    // A process group, so that its children can be killed.
    detached: true,
  })
  // The process may have ended by itself.
  const kill = () => void orNull(() => process.kill(-child.pid, 'SIGKILL'))
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  const said = Array.fromAsync(bounded(child.stderr, mostBytes, tooMuch))
  // Awaited only if git fails.
  said.catch(kill)
  try {
    const output = await Array.fromAsync(bounded(child.stdout, mostBytes, tooMuch))
    if ((await child.exited) !== 0) throw failure(new TextDecoder().decode(Buffer.concat(await said)))
    return Buffer.concat(output)
  } finally {
    if (child.exitCode === null) kill()
    signal?.removeEventListener('abort', kill)
  }
}

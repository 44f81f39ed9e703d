import { removedAtEnd } from '../leftovers.ts'

export type Child = Bun.Subprocess<'ignore', 'pipe', 'pipe'>

export interface ChildOptions {
  cwd: string
  env: Record<string, string>
}

/** Settings of the JavaScript engine for the program: here it ends before the compilers have saved what they take. */
export const COMPILING_LATE: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
  BUN_JSC_thresholdForJITAfterWarmUp: '2000',
}

/** Put before a command, starts it as a service is: with no terminal, though the tests may have one. */
export const AS_A_SERVICE: readonly string[] = Bun.which('setsid') === null ? [] : ['setsid']

/** Starts a process with piped output, which does not outlive the run. It sees only the environment given. */
export function startProcess(command: readonly string[], { cwd, env }: ChildOptions): Child {
  const child = Bun.spawn([...command], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const kill = removedAtEnd(() => child.kill('SIGKILL'))
  void child.exited.then(kill)
  return child
}

export async function killProcess(child: Child): Promise<void> {
  child.kill('SIGKILL')
  await child.exited
}

export interface Output {
  /** Every line so far. */
  readonly lines: readonly string[]
  /** The address that a server prints once it listens; null if the process ends without one. */
  readonly address: Promise<string | null>
  /** Resolves when nothing more will be printed. */
  readonly ended: Promise<void>
}

/** Reads what a process prints on its standard output. */
export function outputOf(child: Child): Output {
  const { promise: address, resolve } = Promise.withResolvers<string | null>()
  const { lines, ended } = linesOf(child.stdout, (line) => {
    const found = /(https?:\/\/|unix:)[^\s"]+/.exec(line)?.[0]
    if (found !== undefined) resolve(found)
  })
  return { lines, address, ended: ended.then(() => resolve(null)) }
}

/** Reads a stream line by line, until it ends. */
export function linesOf(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void = () => {}) {
  const lines: string[] = []
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of stream) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      for (const line of parts) onLine(line)
    }
  }
  return { lines, ended: read() }
}

/** The address of a server that has just been started, once it listens. Throws if it ends instead. */
export async function listening(child: Child, output: Output = outputOf(child)): Promise<string> {
  const address = await output.address
  if (address === null)
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)
  return address
}

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../results.ts'

/**
 * Everything the benchmark starts or writes outside its own folder, and the one place that takes it away again:
 * each process by its id, and the scratch directory.
 */

/** Where databases, reference binaries and configurations lie while the benchmark runs. */
export const scratch = join(tmpdir(), `changelogd-bench-${process.pid}`)

export const makeScratch = (): void => mkdirSync(scratch)

export const PROGRAM = join(ROOT, 'dist/changelogd')

/** How long a process may take to leave when asked before it is made to. */
const GRACE_MS = 3_000

const running = new Set<Bun.Subprocess>()

/** A core by its number, or all of them. */
export type Core = number | 'all'

export interface Cores {
  server: Core
  load: Core
  /** Whether the two are halves of one physical core, which makes every figure smaller and more uneven. */
  shared: boolean
}

/** Two cores, one for the server and one for its load: of different physical cores where there are any. */
export function chooseCores(): Cores {
  if (availableParallelism() < 2)
    throw new Error('The benchmark needs two cores: one for the server, one for the load.')
  const server = 0
  const siblings = threadSiblings(server)
  for (let core = availableParallelism() - 1; core > server; core--)
    if (!siblings.has(core)) return { server, load: core, shared: false }
  return { server, load: 1, shared: true }
}

/** Keeps this process, its threads and the children that do not ask for another core on one core. */
export function stayOn(core: Core): void {
  Bun.spawnSync(['taskset', '--all-tasks', '--cpu-list', '--pid', listOf(core), String(process.pid)])
}

export interface StartOptions {
  core: Core
  env?: Record<string, string>
  cwd?: string
}

/** Starts a program on a core. Its environment is only what is given; what it prints can be read from it. */
export function start(command: string[], { core, env = {}, cwd = scratch }: StartOptions) {
  const child = Bun.spawn(['taskset', '--cpu-list', listOf(core), ...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  void child.exited.then(() => running.delete(child))
  return child
}

export type Child = ReturnType<typeof start>

/** Runs a program to its end and gives what it printed. Throws with its complaint if it failed. */
export async function run(command: string[], options: StartOptions): Promise<string> {
  const child = start(command, options)
  const [out, complaint, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${complaint || out}`)
  return out
}

/** Asks a process to end, and insists if it does not. */
export async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  await child.exited
  clearTimeout(insist)
}

/** Ends and removes everything. */
export async function removeAll(): Promise<void> {
  await Promise.all([...running].map(stop))
  rmSync(scratch, { recursive: true, force: true })
}

const listOf = (core: Core): string => (core === 'all' ? `0-${cpus().length - 1}` : String(core))

/** A port that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function threadSiblings(core: number): Set<number> {
  try {
    const list = readFileSync(
      `/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`,
      'utf8',
    ).trim()
    return new Set(
      list.split(',').flatMap((range) => {
        const [first = 0, last = first] = range.split('-').map(Number)
        return Array.from({ length: last - first + 1 }, (_, index) => first + index)
      }),
    )
  } catch {
    return new Set([core])
  }
}

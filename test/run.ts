/**
 * `bun test/run.ts [PATH…]`: runs all tests, or those below the paths, on one PostgreSQL and in a few processes at once,
 * or in `TEST_PROCESSES`. Prints what each printed, and then the failures once more and the sum, because what somebody looks for
 * should stand at the end.
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { Glob, spawn } from 'bun'
import { removeLeftovers } from './support/leftovers.ts'
import { SHARED_CLUSTER, startCluster } from './support/postgres/cluster.ts'

/** Two more than cores, as tests wait too: for disks, and for other processes. */
const PROCESSES = Number(process.env.TEST_PROCESSES ?? availableParallelism() + 2)
const FAILURE_LINES = 60

/** A test that takes longer hangs: on a busy machine, those of the browser take a minute. */
const HANGS_MS = 180_000

/** The rooms whose files take longest, first: so that all processes end at about the same time. */
const LONGEST = ['docs', 'browser', 'release', 'store/postgres', 'e2e', 'cli']

/** How many files a process gets at a time. A new process takes as long as a few short files. */
const BATCH = 8

/** The files that a process runs, and those that the next one runs that is free: some of one room share what they start. */
function batches(): string[][] {
  const paths = process.argv.slice(2)
  const isChosen = (file: string) => paths.length === 0 || paths.some((path) => file.startsWith(path))
  const files = [...new Glob('test/**/*.test.ts').scanSync()].filter(isChosen).sort()
  const roomOf = (file: string) => LONGEST.findIndex((room) => file.startsWith(`test/${room}/`))
  const rooms = Map.groupBy(files, roomOf)
  const order = [...LONGEST.keys(), -1]
  return order.flatMap((room) => {
    const all = rooms.get(room) ?? []
    return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) =>
      all.slice(at * BATCH, (at + 1) * BATCH),
    )
  })
}

const children = new Set<Bun.Subprocess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill()
    removeLeftovers()
    process.exit(1)
  })

/** Memory that has the form of a directory. On a disk, tests wait for what others write. */
const MEMORY = '/dev/shm'
const PLENTY = 4 * 2 ** 30

/** Whether temporary files go to memory: there is plenty, programs can run there, and nobody chose another directory. */
function isMemoryFit(): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ \/dev\/shm tmpfs (\S+)/gm)
  const options = [...mounts].at(-1)?.[1]?.split(',')
  if (!options?.includes('rw') || options.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) > PLENTY
}

if (isMemoryFit()) process.env.TMPDIR = MEMORY
const env = {
  ...process.env,
  [SHARED_CLUSTER]: JSON.stringify(await startCluster()),
  // Tests end before the engine's last compiler has saved what it takes.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
}

async function runFiles(files: readonly string[]) {
  const command = [
    process.execPath,
    'test',
    '--timeout',
    String(HANGS_MS),
    ...files.map((file) => `./${file}`),
  ]
  const child = spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  children.add(child)
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  children.delete(child)
  const output = stdout + stderr
  process.stdout.write(output)
  return { output, status, files }
}

const waiting = batches()
const ended: Awaited<ReturnType<typeof runFiles>>[] = []
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let files = waiting.shift(); files; files = waiting.shift()) ended.push(await runFiles(files))
  }),
)
removeLeftovers()

const total = (what: string): number =>
  ended.reduce((sum, { output }) => {
    const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, 'gm'))]
    return sum + Number(counts.at(-1)?.[1] ?? 0)
  }, 0)

/** What was printed for each failed test: the lines after those of the test before it. */
function failures(output: string): string[] {
  const found: string[] = []
  let lines: string[] = []
  for (const line of output.split('\n')) {
    // From here on the names of those that failed follow once more.
    if (/^\d+ tests? failed:$/.test(line)) break
    lines.push(line)
    if (/^\(fail\) /.test(line)) {
      found.push(lines.slice(-FAILURE_LINES).join('\n'))
    }
    if (/^\((pass|fail|skip)\) /.test(line)) {
      lines = []
    }
  }
  return found
}

for (const failure of ended.flatMap(({ output }) => failures(output))) {
  console.log(`\nFailed:\n${failure}`)
}
for (const { files, output, status } of ended)
  if (status !== 0 && failures(output).length === 0)
    console.log(`\nFailed: the tests of these files ended with status ${status}: ${files.join(' ')}`)
console.log(`\nAll tests:\n ${total('pass')} pass\n ${total('skip')} skip\n ${total('fail')} fail`)
process.exitCode = ended.some(({ status }) => status !== 0) ? 1 : 0

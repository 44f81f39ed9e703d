/**
 * `bun test/run.ts [--times] [--order=SEED] [PATH…]`: runs all tests, or those below the paths, on one PostgreSQL and in a few processes
 * at once, or in `TEST_PROCESSES`. Prints a failure when it happens, a line for each room when it is done, and at the end
 * what was left out, what failed and the sum. With `--times` also what each file took of processors and of time. With `--order`
 * the files of a room run in another order, which depends on the seed.
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { Glob, spawn } from 'bun'
import { removeLeftovers } from './support/leftovers.ts'
import { pidOf, SHARED_CLUSTER, startCluster } from './support/postgres/cluster.ts'
import { Random } from './support/random.ts'
import { linesOf } from './support/servers/process.ts'
import { processorMs, stopwatch, type Taken, timesTable } from './support/times.ts'

/** Three more than cores, as tests wait too: for disks, and for other processes. */
const PROCESSES = Number(process.env.TEST_PROCESSES ?? availableParallelism() + 3)
const FAILURE_LINES = 60

/** A test that takes longer hangs: beside many other processes, some take minutes. */
const HANGS_MS = '600000'

/** The seconds that a file of a room takes on a quiet machine, by `--times`: so that the longest begin first. */
const SECONDS: Readonly<Record<string, number>> = {
  ...{ browser: 9, release: 2, support: 3 },
  ...{ 'contract/http': 3, 'contract/cli': 4, 'contract/docs': 2, 'contract/client': 2, 'contract/desk': 4 },
  ...{ 'unit/backups': 8, 'unit/sources': 4, 'unit/store': 3, 'unit/announce': 4, 'unit/worker': 3 },
  ...{ 'unit/transfer': 3, 'unit/http': 1, 'unit/formats': 1 },
}

/** `unit/store`, `contract/cli`, `browser`. */
const roomOf = (file: string): string => /^test\/((?:unit\/|contract\/)?\w+)/.exec(file)?.[1] ?? ''

/** How long a process should take: a new one takes as long as a few short files. */
const BATCH_SECONDS = 20

/** Its files share a browser. */
const IN_ONE_PROCESS = ['browser']

/** What its tests came to; and how many processes are still to run for it. */
const newRoom = (name: string, left: number) => ({ name, left, pass: 0, skip: 0, fail: 0, ms: 0 })
type Room = ReturnType<typeof newRoom>

type Batch = { room: Room; files: string[]; seconds: number }

/** What each process runs, the longest first. */
function batches(): Batch[] {
  const words = process.argv.slice(2)
  const paths = words.filter((word) => !word.startsWith('--')).map((path) => path.replace(/^\.\//, ''))
  const seed = words.find((word) => word.startsWith('--order='))?.split('=')[1]
  const isChosen = (file: string) => paths.length === 0 || paths.some((path) => file.startsWith(path))
  const sorted = [...new Glob('test/**/*.test.ts').scanSync()].filter(isChosen).sort()
  const files = seed === undefined ? sorted : new Random(Number(seed)).shuffled(sorted)
  const rooms = Map.groupBy(files, roomOf)
  const all = [...rooms].flatMap(([name, own]) => {
    const seconds = SECONDS[name] ?? 0.2
    const size = IN_ONE_PROCESS.includes(name) ? own.length : Math.ceil(BATCH_SECONDS / seconds)
    const left = Math.ceil(own.length / size)
    const room = newRoom(name, left)
    const parts = Array.from({ length: left }, (_, at) => own.slice(at * size, (at + 1) * size))
    return parts.map((part) => ({ room, files: part, seconds: part.length * seconds }))
  })
  return all.sort((one, other) => other.seconds - one.seconds)
}

/** Memory that has the form of a directory. On a disk, tests wait for what others write. */
const MEMORY = '/dev/shm'

/** Whether temporary files go to memory: there is plenty, programs can run there, and nobody chose another directory. */
function isMemoryFit(): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ \/dev\/shm tmpfs (\S+)/gm)
  const options = [...mounts].at(-1)?.[1]?.split(',')
  if (!options?.includes('rw') || options.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) > 4 * 2 ** 30
}

const children = new Set<Bun.Subprocess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill()
    removeLeftovers()
    process.exit(1)
  })

const began = performance.now()
const waiting = batches()
const total = { pass: 0, skip: 0, fail: 0 }
const taken: Taken[] | undefined = process.argv.includes('--times') ? [] : undefined
const leftOut: string[] = []
const failed: string[] = []

if (isMemoryFit()) process.env.TMPDIR = MEMORY
const cluster = await startCluster()
const env = {
  ...process.env,
  [SHARED_CLUSTER]: JSON.stringify(cluster),
  // Tests end before the engine's last compiler has saved what it takes.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
}

async function runBatch({ room, files }: Batch): Promise<void> {
  const start = performance.now()
  // Should this process be killed, its tests end, and so does what they have started.
  const command = [
    process.execPath,
    'test',
    '--no-orphans',
    '--timeout',
    HANGS_MS,
    ...files.map((file) => `./${file}`),
  ]
  const child = spawn(['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command], { env, stdin: 'ignore' })
  children.add(child)
  const watch = taken && stopwatch(child.pid, taken)
  const counts = { pass: 0, skip: 0, fail: 0 }
  const names: string[] = []
  let file = room.name
  let sinceLastTest: string[] = []
  let isSummary = false
  const tell = () => console.log(`\n${[file, ...sinceLastTest.slice(-FAILURE_LINES)].join('\n')}`)
  const hasError = () => sinceLastTest.some((line) => line.startsWith('# Unhandled error'))
  const { ended } = linesOf(child.stdout, (line) => {
    const [, count, what] = /^ *(\d+) (pass|skip|fail)$/.exec(line) ?? []
    if (what) counts[what as keyof typeof counts] = Number(count)
    if (what === 'pass') watch?.lap(file)
    // From here on the names of those that failed follow once more.
    isSummary ||= /^\d+ tests? failed:$/.test(line)
    if (isSummary) return
    const next = /^(test\/.*\.test\.ts):$/.exec(line)?.[1]
    if (next) watch?.lap(file)
    file = next ?? file
    if (line.startsWith('  ^ ')) console.log(line)
    sinceLastTest.push(line)
    const [, verdict, test] = /^\((pass|skip|fail)\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? []
    if (verdict === 'skip') leftOut.push(`${file}: ${test}`)
    if (verdict === 'fail') names.push(`${file}: ${test}`)
    if (verdict === 'fail' || (verdict && hasError())) tell()
    if (verdict) sinceLastTest = []
  })
  const [status] = await Promise.all([child.exited, ended])
  children.delete(child)
  // One that crashes names no test and prints no sum.
  const isUntold = status !== 0 && names.length === 0
  if (isUntold || hasError()) tell()
  failed.push(...(isUntold ? [`${file}: ended with status ${status}`] : names))
  if (status !== 0) counts.fail ||= 1
  for (const what of ['pass', 'skip', 'fail'] as const) {
    room[what] += counts[what]
    total[what] += counts[what]
  }
  room.ms += performance.now() - start
  room.left--
  if (room.left === 0) console.log(lineOf(room))
}

function lineOf({ name, pass, fail, ms }: Room): string {
  const seconds = `${Math.round(ms / 1_000)} s`.padStart(6)
  return `${name.padEnd(15)} ${`${pass}`.padStart(5)} passed ${seconds}${fail > 0 ? `  ${fail} failed` : ''}`
}

await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) await runBatch(batch)
  }),
)
if (taken) {
  const own = { file: 'postgresql', processorMs: processorMs(pidOf(cluster)), wallMs: 0 }
  console.log(`\n${timesTable([...taken, own], (file) => roomOf(file) || file)}`)
}
removeLeftovers()

const list = (title: string, all: readonly string[]) =>
  all.length > 0 && console.log(`\n${title}:\n${all.map((each) => `  ${each}`).join('\n')}`)
list('Left out', leftOut)
list('Failed', failed)
console.log(`\nAll tests, in ${Math.round((performance.now() - began) / 1_000)} s:`)
for (const [what, count] of Object.entries(total)) console.log(` ${count} ${what}`)
process.exitCode = failed.length > 0 ? 1 : 0

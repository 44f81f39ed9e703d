/**
 * The benchmark: `bun run bench [--quick] [--only NAME] [--table] [--soak MINUTES]`.
 *
 * It makes its own databases in a temporary directory, measures every row of `rows.ts`, and
 * takes everything away again. It writes the rows that it measured to `bench/results.json`, with when and on what, the table
 * of `table.ts` to `docs/performance.md`, and draws it as `bench/chart.svg`; with `--quick` it only prints. Nothing is asserted:
 * a figure is what it is.
 *
 *   --quick          one short round, to see whether everything works; the figures mean little
 *   --only NAME      one row; may be given more than once
 *   --table          the rows that the table needs
 *   --soak MINUTES   how long the crowd of the `memory` row reads; the target speaks of 10, the default is 1
 *
 * How it measures
 * - The server has one core and the load another (taskset), and this program stays on that of the load. Only in the
 *   row `threads` both have all cores.
 * - Candidates take turns, five rounds, each round beginning with another one. What is compared are medians of
 *   one run; figures of different runs, machines or hours are not comparable.
 * - Load is wrk: one thread, 32 keep-alive connections, each asking again when it has its answer. Latency under
 *   a fixed load is `load/pace.ts`, which says why wrk cannot measure it.
 * - Before and after each sample the answer's status and every byte of its body are checked, and a sample in
 *   which one request was refused or one connection broke is an error, not a figure.
 * - `CPU/request` is the server's processor time. On a machine that is busy with other things it is the steadier
 *   figure; the targets are nevertheless judged by what came out of the socket.
 *
 * The references
 * - `bare`: a fetch handler of `Bun.serve` that returns the same bytes and the same headers and checks nothing,
 *   compiled as our binary is: the limit of the platform.
 * - `looking`: `bare`, but it reads the URL, the client's address, the method and two headers, as any server with a rate limit must,
 *   and sets one header.
 * - `nginx`: one worker unless it says how many, open_file_cache, limit_req on, the same bytes as a static file with the same headers.
 * - `naive`: Elysia + Drizzle, asking the database and serializing at each request, compiled as ours is.
 * - `node`: Fastify + better-sqlite3 with a limit per address, visibility and ETag, on Node (`bench/node`).
 * - `library`: the official server library of the Model Context Protocol with an empty tool, compiled as ours is.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileReferences, nginxProgram } from './candidates.ts'
import { chart } from './chart.ts'
import { type Dataset, generate, SHAPES } from './data.ts'
import type { RowResult } from './figures.ts'
import type { Effort } from './measure.ts'
import { type Core, chooseCores, root, run, scratch, stayOn, tidily } from './processes.ts'
import { describe, summarize } from './report.ts'
import { ROWS } from './rows/rows.ts'
import { type MeasuredRow, TABLE_ROWS, tableText } from './table.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    table: { type: 'boolean', default: false },
    soak: { type: 'string' },
  },
})

const effort: Effort = flags.quick
  ? { rounds: 1, warmUp: 1, measure: 1, starts: 3, coldReads: 10, soakMinutes: minutes(flags.soak, 0.1) }
  : { rounds: 5, warmUp: 2, measure: 5, starts: 15, coldReads: 50, soakMinutes: minutes(flags.soak, 1) }

/** Where the table is in `docs/performance.md`. */
const TABLE = /(<!-- table -->\n)[\s\S]*?(\n<!-- end of the table -->)/

/** The databases that exist by now. */
const made = new Map<string, Dataset>()

await tidily(async () => {
  const rows = chosenRows([...flags.only, ...(flags.table ? TABLE_ROWS : [])])
  requireTools()
  const cores = chooseCores()
  console.log(`${machine()}; server on core ${cores.server}, load on core ${cores.load}`)
  if (cores.shared) console.log('The two are halves of one physical core: expect smaller, uneven figures.')

  await step('compiling the references', compileReferences)
  if (rows.some(isOfTable)) await installNode(cores.load)
  stayOn(cores.load)

  const results: RowResult[] = []
  for (const { name, title, measure } of rows) {
    console.log(`\n${name}`)
    const result = { name, title, ...(await measure({ cores, effort, data })) }
    results.push(result)
    console.log(describe(result).trimStart())
  }
  console.log(`\n${summarize(results)}`)
  const measured = { date: new Date().toISOString(), machine: machine(), versions: versions(), effort }
  const all = results.map((result) => ({ ...result, measured }))
  if (rows.some(isOfTable)) console.log(`\n${tableText(all)}`)
  if (!flags.quick) write(all)
})

function isOfTable({ name }: { name: string }): boolean {
  return TABLE_ROWS.includes(name)
}

function data(shape: keyof typeof SHAPES): Dataset {
  const dataset = made.get(shape) ?? generate(join(scratch, `${shape}.db`), SHAPES[shape])
  made.set(shape, dataset)
  return dataset
}

/** Rows that were not measured now stay as they were. */
function write(results: MeasuredRow[]): void {
  const file = join(import.meta.dir, 'results.json')
  const before = JSON.parse(readFileSync(file, 'utf8')) as { rows: MeasuredRow[] }
  const known = new Map([...before.rows, ...results].map((row) => [row.name, row]))
  const rows = ROWS.flatMap(({ name }) => known.get(name) ?? [])
  writeFileSync(file, JSON.stringify({ rows }, null, 2))
  // As the rest of the repository is formatted, so that the check has nothing to say.
  Bun.spawnSync([process.execPath, 'x', 'biome', 'format', '--write', file], { cwd: root })
  writeFileSync(join(import.meta.dir, 'chart.svg'), chart(rows))
  const page = join(root, 'docs/performance.md')
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(TABLE, (_, begin, end) => `${begin}\n${tableText(rows)}\n${end}`),
  )
  console.log('\nWritten to bench/results.json, bench/chart.svg and docs/performance.md.')
}

function chosenRows(names: string[]) {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0)
    throw new Error(
      `There is no row ${unknown.join(', ')}: there are ${ROWS.map(({ name }) => name).join(', ')}.`,
    )
  return names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name))
}

/** Names everything that is missing at once, and what to type to have it. */
function requireTools(): void {
  const tools = [
    { name: 'taskset', found: Bun.which('taskset'), get: 'apt-get install util-linux' },
    { name: 'wrk', found: Bun.which('wrk'), get: 'apt-get install wrk' },
    { name: 'nginx', found: nginxProgram(), get: 'apt-get install nginx-light' },
    { name: 'redis-server', found: Bun.which('redis-server'), get: 'apt-get install redis-server' },
    { name: 'node', found: Bun.which('node'), get: 'apt-get install nodejs' },
    { name: 'npm', found: Bun.which('npm'), get: 'apt-get install npm' },
  ]
  const missing = tools.filter(({ found }) => !found)
  if (process.platform !== 'linux') throw new Error('The benchmark needs Linux: taskset and /proc.')
  if (missing.length > 0)
    throw new Error(
      ['The benchmark needs', ...missing.map(({ name, get }) => `  ${name.padEnd(12)} ${get}`)].join('\n'),
    )
}

/** The Node reference has dependencies of its own, which the product must not have. */
async function installNode(core: Core): Promise<void> {
  const cwd = join(import.meta.dir, 'node')
  // Those of the system, where it has them: otherwise they would be downloaded.
  const headers = existsSync('/usr/include/node/node.h') ? { npm_config_nodedir: '/usr' } : {}
  if (existsSync(join(cwd, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return
  await step('installing the Node reference (better-sqlite3 may have to compile, which takes minutes)', () =>
    run(['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund'], {
      core,
      cwd,
      env: { HOME: process.env.HOME ?? scratch, ...headers },
    }),
  ).catch((error) => {
    throw new Error(`${error.message}\nIf a compiler is missing: apt-get install build-essential python3`)
  })
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  process.stdout.write(`${what} …`)
  await work()
  console.log(` ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

function machine(): string {
  // Linux names those of arm64 only by numbers, which lscpu knows.
  const named = /^Model name:\s*(.+)$/m.exec(String(Bun.spawnSync(['lscpu']).stdout))?.[1]
  const model = (named ?? cpus()[0]?.model ?? 'unknown processor').replace(/\s+/g, ' ')
  return `${model} (${process.arch}), ${cpus().length} cores`
}

function versions(): Record<string, string> {
  const answer = (command: string[]) => {
    const { stdout, stderr } = Bun.spawnSync(command)
    return `${stdout}${stderr}`.split('\n')[0]?.trim() ?? ''
  }
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    changelogd: product.version,
    commit: answer(['git', '-C', root, 'rev-parse', '--short', 'HEAD']),
    bun: Bun.version,
    node: answer(['node', '--version']),
    nginx: answer([nginxProgram() ?? 'nginx', '-v']),
    wrk: answer(['wrk', '--version']),
  }
}

function minutes(text: string | undefined, usual: number): number {
  const given = text === undefined ? usual : Number(text)
  if (!(given >= 0)) throw new Error(`--soak takes minutes, not ${JSON.stringify(text)}.`)
  return given
}

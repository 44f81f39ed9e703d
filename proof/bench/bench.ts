/**
 * How it measures
 * - It makes its own databases in a temporary directory. Nothing is asserted: a figure is what it is.
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
 * - `node`: Fastify + better-sqlite3 with a limit per address, visibility and ETag, on Node (`node/`).
 * - `library`: the official server library of the Model Context Protocol with a tool that returns what ours does, compiled as ours is.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Choice, Part, Proof } from '../proof.ts'
import { number, type Table } from '../table.ts'
import { compileReferences, nginxProgram } from './candidates.ts'
import { type Dataset, generate, SHAPES } from './data.ts'
import type { RowResult, Target } from './figures.ts'
import type { Effort } from './measure.ts'
import { isOfOverview, overview } from './overview.ts'
import { type Core, chooseCores, makeScratch, removeAll, run, scratch, stayOn } from './processes.ts'
import { ROWS } from './rows/rows.ts'

/** A row as it is stored: with what it was measured with. */
export interface BenchRow extends RowResult {
  versions: Record<string, string>
  effort: Effort
}

export const bench: Proof<BenchRow> = {
  name: 'bench',
  proves: 'measures speed and memory against references, in turns',
  takes: 'an hour',
  isOnBinary: true,
  needs: {
    taskset: 'util-linux',
    wrk: 'wrk',
    nginx: 'nginx-light',
    'redis-server': 'redis-server',
    node: 'nodejs',
    npm: 'npm',
  },
  options: {
    soak: { type: 'string', says: 'for how many minutes the crowd of `memory` reads; 1 by default' },
  },
  parts: ROWS.map(({ name }) => name),
  // Without the reference on Node, which would be installed and compiled for minutes.
  sample: ['long', 'parsing', 'transfer'],
  tables: (parts) => [
    ...(parts.some(({ name }) => isOfOverview(name)) ? [overview(parts)] : []),
    figureTable(parts),
    comparisonTable(parts),
  ],
  verdict(parts) {
    const aims = parts
      .flatMap(({ rows }) => rows)
      .flatMap(({ comparisons }) => comparisons.filter((one) => one.target))
    return `${aims.filter(({ met }) => met).length} of ${aims.length} aims were met.`
  },
  open(choice) {
    const effort = effortOf(choice)
    const cores = chooseCores()
    /** The databases that exist by now. */
    const made = new Map<string, Dataset>()
    const data = (shape: keyof typeof SHAPES): Dataset => {
      const dataset = made.get(shape) ?? generate(join(scratch, `${shape}.db`), SHAPES[shape])
      made.set(shape, dataset)
      return dataset
    }
    const [rows, tools] = [new Map(ROWS.map((row) => [row.name, row])), versions()]
    return {
      async prepare() {
        console.log(`Server on core ${cores.server}, load on core ${cores.load}.`)
        if (cores.shared)
          console.log('The two are halves of one physical core: expect smaller, uneven figures.')
        makeScratch()
        await compileReferences()
        if (choice.parts.some(isOfOverview)) await installNode(cores.load)
        stayOn(cores.load)
      },
      async measure(name) {
        const row = rows.get(name)
        if (!row) throw new Error(`There is no row ${name}.`)
        const result = await row.measure({ cores, effort, data })
        return { rows: [{ title: row.title, ...result, versions: tools, effort }], failures: [] }
      },
      [Symbol.asyncDispose]: removeAll,
    }
  },
}

function effortOf({ quick, values: { soak } }: Choice): Effort {
  const minutes = Number(soak ?? (quick ? 0.1 : 1))
  if (!(minutes >= 0)) throw new Error(`--soak takes minutes, not ${soak}.`)
  return quick
    ? { rounds: 1, warmUp: 1, measure: 1, starts: 3, coldReads: 10, soakMinutes: minutes }
    : { rounds: 5, warmUp: 2, measure: 5, starts: 15, coldReads: 50, soakMinutes: minutes }
}

const figureTable = (parts: readonly Part<BenchRow>[]): Table => ({
  title: 'Every figure',
  columns: ['row', 'what', 'figure', 'median', 'unit', 'least – most', 'CPU/request, µs'],
  lines: parts.flatMap(({ name, rows }) =>
    rows.flatMap(({ title, figures }) =>
      figures.map((each) => [
        ...[name, title, each.name, each.median, each.unit],
        each.samples.length > 1
          ? `${number(Math.min(...each.samples))} – ${number(Math.max(...each.samples))}`
          : '',
        each.processor ?? '',
      ]),
    ),
  ),
})

const comparisonTable = (parts: readonly Part<BenchRow>[]): Table => ({
  title: 'Ratios and what they should be',
  columns: ['row', 'figures', 'ratio', 'aim', ''],
  lines: parts.flatMap(({ name, rows }) =>
    rows.flatMap(({ comparisons }) =>
      comparisons.map(({ of, against, ratio, target, met }) => [
        ...[name, `${of} / ${against}`, ratio.toFixed(2)],
        ...(target ? [wording(target), met ? 'met' : 'missed'] : ['', '']),
      ]),
    ),
  ),
})

const wording = ({ at, ratio }: Target): string => `${at === 'least' ? '≥' : '≤'} ${ratio}`

/** The Node reference has dependencies of its own, which the product must not have. */
async function installNode(core: Core): Promise<void> {
  const cwd = join(import.meta.dir, 'node')
  // Those of the system, where it has them: otherwise they would be downloaded.
  const headers = existsSync('/usr/include/node/node.h') ? { npm_config_nodedir: '/usr' } : {}
  if (existsSync(join(cwd, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return
  console.log('Installing the Node reference: better-sqlite3 may have to compile, which takes minutes.')
  const command = ['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund']
  const env = { HOME: process.env.HOME ?? scratch, ...headers }
  await run(command, { core, cwd, env }).catch((error) => {
    throw new Error(`${error.message}\nIf a compiler is missing: apt-get install build-essential python3`)
  })
}

function versions(): Record<string, string> {
  const answer = (command: string[]) => {
    const { stdout, stderr } = Bun.spawnSync(command)
    return `${stdout}${stderr}`.split('\n')[0]?.trim() ?? ''
  }
  return {
    bun: Bun.version,
    node: answer(['node', '--version']),
    nginx: answer([nginxProgram() ?? 'nginx', '-v']),
    wrk: answer(['wrk', '--version']),
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { download } from '../../corpus/download.ts'
import { type Candidate, changelogd } from '../candidates.ts'
import { Connection } from '../client.ts'
import { atMost, compare, type Figure, figure, percentile } from '../figures.ts'
import { withServer } from '../measure.ts'
import { PROGRAM, run, scratch } from '../processes.ts'
import { interleave } from '../turns.ts'
import { processorMilliseconds } from '../usage.ts'
import type { Bench, Row } from './row.ts'

/** Changelogs as their authors wrote them, and the repositories that they speak of. */
const CHANGELOGS = {
  'rollup@2.79.1': 'https://github.com/rollup/rollup',
  'eslint-plugin-import@2.32.0': 'https://github.com/import-js/eslint-plugin-import',
  'mathjs@15.2.0': 'https://github.com/josdejong/mathjs',
  '@mui/material@5.14.19': 'https://github.com/mui/material-ui',
  'axios@1.21.1': 'https://github.com/axios/axios',
}

const RELEASES = 20
const MAX_PAGES = 10
/** Until the engine has compiled what is used often, in multiples of what is measured. */
const WARM_UPS = 4

/** What a page may take with HTML in none of its releases, or in every one. Others are not measured. */
const ALLOWED_MS = { 'without HTML': 8, 'with HTML': 30 } as const
const ALLOWED_TURN_MS = 10
type Kind = keyof typeof ALLOWED_MS

export const COLD_PAGES: Row = {
  name: 'cold-pages',
  title: 'changelog pages of real changelogs without the cache, 20 releases',
  measure,
}

async function measure(bench: Bench) {
  const database = join(scratch, 'real.db')
  const products = await importAll(database)
  const uncached = { CACHE_MAX_BYTES: '0' }
  const server = changelogd({ path: database }, uncached)
  const pages = await withServer(server, bench.cores, async (port) => {
    const all: { name: string; kind: Kind; paths: string[] }[] = []
    for (const [name, product] of products)
      for (const [kind, paths] of await pagesOf(port, product))
        all.push({ name: `${name}, ${kind}`, kind, paths: paths.slice(0, MAX_PAGES) })
    return all
  })
  const samples = await interleave(
    bench,
    pages.map(({ name, paths }) => ({ name, measure: () => processorTimes(server, bench, paths) })),
  )
  const turns = join(scratch, 'turns')
  writeFileSync(turns, '')
  const probe = { BUN_OPTIONS: `--preload=${join(import.meta.dir, '../load/turns.ts')}`, TURNS: turns }
  const probed = changelogd({ path: database }, { ...uncached, ...probe })
  const longest = await longestTurns(
    probed,
    bench,
    pages.flatMap(({ paths }) => paths),
    turns,
  )
  const figures: Figure[] = [
    ...Object.entries(ALLOWED_MS).map(([kind, most]) => figure(`allowed, ${kind}`, 'ms', [most])),
    ...[...samples].flatMap(([name, rounds]) => [
      figure(name, 'ms', rounds.flat()),
      figure(
        `${name}, p95`,
        'ms',
        rounds.map((times) => percentile(times, 0.95)),
      ),
    ]),
    figure('longest turn of the event loop', 'ms', [longest]),
    figure('allowed, turn', 'ms', [ALLOWED_TURN_MS]),
  ]
  return {
    figures,
    comparisons: [
      ...pages.map(({ name, kind }) => compare(figures, name, `allowed, ${kind}`, atMost(1))),
      compare(figures, 'longest turn of the event loop', 'allowed, turn', atMost(1)),
    ],
    note: 'Processor time of all threads of the server for a page, encoded as browsers ask for it; of a turn, that of its thread.',
  }
}

/** Imports and publishes the changelogs, and gives their products. */
async function importAll(database: string): Promise<[name: string, product: string][]> {
  const command = (...words: string[]) => run([PROGRAM, ...words, '--db', database], { core: 'all' })
  await command('team', 'create', 'acme', '--name', 'Acme', '--visibility', 'public')
  const files = await download(Object.keys(CHANGELOGS), undefined)
  const products: [name: string, product: string][] = []
  for (const [at, { name, text }] of files.entries()) {
    const [product, file] = [`p${at}`, join(scratch, `p${at}.md`)]
    writeFileSync(file, text)
    await command('import', `acme/${product}`, file, '--create')
    const repository = CHANGELOGS[name as keyof typeof CHANGELOGS]
    await command('product', 'update', `acme/${product}`, '--repository', repository)
    await command('publish', `acme/${product}`)
    products.push([name, product])
  }
  return products
}

/** The addresses of pages with HTML in no release, and of those with HTML in every one. */
async function pagesOf(port: number, product: string): Promise<Map<Kind, string[]>> {
  const pages = new Map<Kind, string[]>()
  let query = ''
  for (;;) {
    const path = `/api/v1/public/teams/acme/products/${product}/changelog?include=changes&limit=${RELEASES}${query}`
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const { data } = (await response.json()) as { data: { versions: object[] } }
    const withHtml = data.versions.filter(hasHtml).length
    const kind = withHtml === 0 ? 'without HTML' : withHtml === RELEASES ? 'with HTML' : null
    if (kind && data.versions.length === RELEASES)
      pages.set(kind, [...(pages.get(kind) ?? []), `/changelog/acme/${product}${query.replace('&', '?')}`])
    const next = /&cursor=[\w-]+/.exec(response.headers.get('link') ?? '')?.[0]
    if (!next) return pages
    query = next
  }
}

/** Whether there is HTML or a comment outside of code. */
const hasHtml = (version: object): boolean =>
  /<(?:!--|\/?[a-z][a-z\d]*[\s/>])/i.test(JSON.stringify(version).replace(/```.*?```|`[^`]*`/g, ''))

const processorTimes = (server: Candidate, { cores, effort }: Bench, paths: readonly string[]) =>
  withServer(server, cores, async (port, { pid }) => {
    const times: number[] = []
    const count = (1 + WARM_UPS) * effort.coldReads
    await askInTurn(port, paths, count, async (ask) => {
      const before = processorMilliseconds(pid)
      await ask()
      times.push(processorMilliseconds(pid) - before)
    })
    return times.slice(-effort.coldReads)
  })

/** The longest turn after each page has been asked for. */
const longestTurns = (server: Candidate, { cores }: Bench, paths: readonly string[], file: string) =>
  withServer(server, cores, async (port) => {
    const read = () => readFileSync(file, 'utf8').split('\n').map(Number)
    await askInTurn(port, paths, paths.length, (ask) => ask())
    const before = read().length
    await askInTurn(port, paths, 2 * paths.length, (ask) => ask())
    return Math.max(...read().slice(before - 1))
  })

async function askInTurn(
  port: number,
  paths: readonly string[],
  count: number,
  each: (ask: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const connection = await Connection.open(port)
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }
  for (let at = 0; at < count; at++)
    await each(async () => {
      const path = paths[at % paths.length] ?? ''
      const answer = await connection.exchange({ path, headers })
      if (!answer.toString('latin1', 0, 15).includes(' 200')) throw new Error(`${path} is no page.`)
    })
  connection.close()
}

import { bare, type Candidate, changelogd, looking, naive, nginx, node } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { type Dataset, keyedPath, publicPath } from '../data.ts'
import { atLeast, atMost, type Comparison, compare, figure } from '../figures.ts'
import { paced } from '../load/latencies.ts'
import { askOnce, crowd, randomReads, SETTLE_MS, startingTime, throughput, withServer } from '../measure.ts'
import { PARSING } from '../parsing.ts'
import { interleave, rateFigures, rates } from '../turns.ts'
import { MEBIBYTE, residentBytes, SPARE_MIB } from '../usage.ts'
import { COLD_PAGES } from './cold-pages.ts'
import { LARGE } from './large.ts'
import { MARKDOWN } from './markdown.ts'
import { MCP } from './mcp.ts'
import { METRICS } from './metrics.ts'
import { MISSES } from './misses.ts'
import { NODES } from './nodes.ts'
import { PAGE } from './pages.ts'
import { PAUSES } from './pauses.ts'
import { PICTURE } from './pictures.ts'
import type { Bench, Row } from './row.ts'
import { THREADS } from './threads.ts'
import { TRANSFER } from './transfer.ts'

const PUBLIC: Ask = { path: publicPath() }

/** Every row, in the order of the table. `--only` takes a name. */
export const ROWS: Row[] = [
  {
    name: 'public',
    title: 'public changelog, cached, 20 versions',
    async measure(bench) {
      const data = bench.data('small')
      const answer = await askOnce(changelogd(data), bench.cores, PUBLIC)
      const figures = await rates(bench, PUBLIC, answer, [
        changelogd(data),
        bare(answer),
        looking(answer),
        nginx(PUBLIC, answer),
        naive(data),
        node(data),
      ])
      return {
        figures,
        comparisons: [
          compare(figures, 'changelogd', 'looking', atLeast(0.97)),
          compare(figures, 'changelogd', 'bare', null),
          compare(figures, 'changelogd', 'nginx', atLeast(0.95)),
          compare(figures, 'changelogd', 'naive', atLeast(5)),
          compare(figures, 'changelogd', 'node', atLeast(4)),
        ],
      }
    },
  },
  {
    name: 'long',
    title: 'the same, 500 versions',
    measure: (bench) => againstLooking(bench, bench.data('medium'), PUBLIC),
  },
  {
    name: 'unchanged',
    title: '304 responses',
    async measure(bench) {
      const data = bench.data('small')
      const answer = await askOnce(changelogd(data), bench.cores, PUBLIC)
      const again = async (candidate: Candidate) => {
        const { headers } = await askOnce(candidate, bench.cores, PUBLIC)
        const etag = headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? ''
        return { ...PUBLIC, headers: { 'If-None-Match': etag } }
      }
      const others = [nginx(PUBLIC, answer, 1, 'on'), node(data)]
      return againstLooking(bench, data, await again(changelogd(data)), others, again)
    },
  },
  {
    name: 'keyed',
    title: 'keyed changelog, cached',
    measure(bench) {
      const data = bench.data('small')
      const ask = { path: keyedPath(), headers: { Authorization: `Bearer ${data.token}` } }
      return againstLooking(bench, data, ask, [naive(data), node(data)])
    },
  },
  {
    name: 'million',
    title: 'the same request, 1,000,000 versions in the database',
    async measure(bench) {
      const contestants = [
        { name: 'one product', server: changelogd(bench.data('small')) },
        { name: '50,000 products', server: changelogd(bench.data('million')) },
      ]
      const samples = await interleave(
        bench,
        contestants.map(({ name, server }) => ({
          name,
          measure: async () => {
            const answer = await askOnce(server, bench.cores, PUBLIC)
            return throughput(server, bench.cores, bench.effort, PUBLIC, answer)
          },
        })),
      )
      const figures = rateFigures(samples)
      return { figures, comparisons: [compare(figures, '50,000 products', 'one product', atLeast(0.95))] }
    },
  },
  {
    name: 'random',
    title: 'random reads over 50,000 products',
    async measure(bench) {
      const { cores, effort } = bench
      const [one, million] = [bench.data('small'), bench.data('million')]
      const answer = await askOnce(changelogd(one), cores, PUBLIC)
      let seed = 1
      const samples = await interleave(bench, [
        {
          name: 'changelogd',
          measure: () => randomReads(changelogd(million), cores, effort, million, seed++),
        },
        { name: 'naive, one product', measure: () => throughput(naive(one), cores, effort, PUBLIC, answer) },
        {
          name: 'naive',
          measure: () => randomReads(naive(million), cores, effort, million, seed++),
        },
        { name: 'node', measure: () => randomReads(node(million), cores, effort, million, seed++) },
      ])
      const figures = rateFigures(samples)
      return {
        figures,
        comparisons: [
          compare(figures, 'changelogd', 'naive, one product', atLeast(0.5)),
          compare(figures, 'changelogd', 'naive', atLeast(2)),
        ],
        note: 'Warmed up by random reads too. CACHE_MAX_BYTES has room for about two in ten of the products.',
      }
    },
  },
  ...LARGE,
  { name: 'latency', title: 'p99 at 70 % of peak load', measure: latencies },
  PAUSES,
  {
    name: 'start',
    title: 'start: exec to first 200, 1,000,000 versions',
    async measure(bench) {
      const million = bench.data('million')
      const answer = await askOnce(changelogd(million), bench.cores, PUBLIC)
      const samples = await interleave(
        bench,
        [changelogd(million), bare(answer), nginx(PUBLIC, answer), naive(million), node(million)].map(
          (candidate) => ({
            name: candidate.name,
            measure: () => startingTime(candidate, bench.cores, PUBLIC),
          }),
        ),
        bench.effort.starts,
      )
      const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
      return {
        figures,
        comparisons: [compare(figures, 'changelogd', 'bare', atMost(4.5))],
        note: 'Both include the spawning of a process and its pinning to a core.',
      }
    },
  },
  { name: 'memory', title: 'memory in use (RSS)', measure: memory },
  THREADS,
  METRICS,
  ...NODES,
  PAGE,
  PICTURE,
  COLD_PAGES,
  MISSES,
  PARSING,
  MARKDOWN,
  TRANSFER,
  MCP,
]

/** `asking` tells what to ask another candidate, if it is not the same. */
async function againstLooking(
  bench: Bench,
  data: Dataset,
  ask: Ask,
  others: Candidate[] = [],
  asking: (candidate: Candidate) => Promise<Ask> = async () => ask,
) {
  const answer = await askOnce(changelogd(data), bench.cores, ask)
  const contestants = [changelogd(data), looking(answer), bare(answer)].map((candidate) => ({
    candidate,
    ask,
  }))
  for (const candidate of others) contestants.push({ candidate, ask: await asking(candidate) })
  const samples = await interleave(
    bench,
    contestants.map(({ candidate, ask }) => ({
      name: candidate.name,
      measure: () => throughput(candidate, bench.cores, bench.effort, ask, answer),
    })),
  )
  const figures = rateFigures(samples)
  return {
    figures,
    comparisons: [
      compare(figures, 'changelogd', 'looking', atLeast(0.97)),
      compare(figures, 'changelogd', 'bare', null),
    ],
  }
}

/** Each at 70 % of its own peak. The peak is what wrk gets out of it. */
async function latencies(bench: Bench) {
  const { cores, effort } = bench
  const data = bench.data('small')
  const answer = await askOnce(changelogd(data), cores, PUBLIC)
  const candidates = [changelogd(data), bare(answer)]
  const peaks = await rates(bench, PUBLIC, answer, candidates)
  const peakOf = (name: string) => peaks.find((peak) => peak.name === name)?.median ?? 0
  const samples = await interleave(
    bench,
    candidates.map((candidate) => ({
      name: candidate.name,
      measure: () => paced(candidate, cores, effort, 0.7 * peakOf(candidate.name), PUBLIC, answer),
    })),
  )
  const figures = [...samples].flatMap(([name, runs]) => [
    figure(
      name,
      'ms',
      runs.map(({ p99 }) => p99),
    ),
    figure(
      `${name}, p50`,
      'ms',
      runs.map(({ p50 }) => p50),
    ),
  ])
  const sent = candidates.map(({ name }) => `${name} at ${Math.round(0.7 * peakOf(name))}`)
  return {
    figures,
    comparisons: [compare(figures, 'changelogd', 'bare', atMost(2))],
    note: `Requests a second: ${sent.join(', ')}. Latency counts from the moment a request was due.`,
  }
}

/** Idle, and after a crowd: random reads, each from an address that has not been seen before. */
async function memory(bench: Bench) {
  const { cores, effort } = bench
  const million = bench.data('million')
  const server = changelogd(million, { TRUSTED_PROXIES: '127.0.0.1' })
  const answer = await askOnce(server, cores, PUBLIC)
  const cacheBytes = 64 * MEBIBYTE
  const spareBytes = SPARE_MIB * MEBIBYTE
  const CLIENTS = 1_000_000

  const idle = (candidate: Candidate) => () =>
    withServer(candidate, cores, async (_, { pid }) => {
      await Bun.sleep(SETTLE_MS)
      return residentBytes(pid) / MEBIBYTE
    })
  const samples = await interleave(bench, [
    { name: 'changelogd, idle', measure: idle(server) },
    { name: 'bare, idle', measure: idle(bare(answer)) },
  ])
  const figures = [...samples].map(([name, sizes]) => figure(name, 'MiB', sizes))
  const idleBytes = (figures[0]?.median ?? 0) * MEBIBYTE

  let clients = 0
  const sizes = await withServer(server, cores, async (port, { pid }) => {
    const sizes: number[] = []
    const sampler = setInterval(() => sizes.push(residentBytes(pid) / MEBIBYTE), 250)
    const until = performance.now() + effort.soakMinutes * 60_000
    const enough = effort.soakMinutes >= 1 ? CLIENTS : 0
    while (performance.now() < until || clients < enough)
      clients += await crowd(server, port, cores, 10, million, clients)
    clearInterval(sampler)
    await Bun.sleep(SETTLE_MS)
    return [...sizes, residentBytes(pid) / MEBIBYTE]
  })
  figures.push(
    figure('changelogd, after the crowd', 'MiB', sizes.slice(-1)),
    figure('changelogd, at most', 'MiB', [Math.max(...sizes)]),
    figure('allowed', 'MiB', [(idleBytes + cacheBytes + spareBytes) / MEBIBYTE]),
  )
  const comparisons: Comparison[] = [
    compare(figures, 'changelogd, idle', 'bare, idle', atMost(2)),
    compare(figures, 'changelogd, after the crowd', 'allowed', atMost(1)),
    compare(figures, 'changelogd, at most', 'allowed', null),
  ]
  return {
    figures,
    comparisons,
    note: `The crowd: ${clients} reads in ${effort.soakMinutes} minutes, each from another address. Allowed: idle + CACHE_MAX_BYTES + ${SPARE_MIB} MiB.`,
  }
}

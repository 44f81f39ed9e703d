import { changelogd, looking } from '../candidates.ts'
import { publicPath } from '../data.ts'
import { atMost, compare, figure } from '../figures.ts'
import { pacedBesideCrowd } from '../load/latencies.ts'
import { askOnce } from '../measure.ts'
import { interleave } from '../turns.ts'
import { MEBIBYTE, SPARE_MIB } from '../usage.ts'
import type { Bench, Row } from './row.ts'

const ASK = { path: publicPath() }

/** Requests a second of the client that is measured, and of the crowd. */
const HOT_RATE = 3_000
const CROWD_RATE = 1_500

const CACHE_MIB = 8
const ALLOWED_MS = { p99: 6, p999: 12 }

/** What one client sees of the work for others: a crowd whose reads are hardly ever cached. */
export const PAUSES: Row = { name: 'pauses', title: 'p99 and p99.9 beside a cold crowd', measure: pauses }

async function pauses(bench: Bench) {
  const { cores, effort } = bench
  const dataset = bench.data('million')
  const server = changelogd(dataset, { CACHE_MAX_BYTES: String(CACHE_MIB * MEBIBYTE) })
  const answer = await askOnce(server, cores, ASK)
  let seed = 1
  const samples = await interleave(
    bench,
    [server, looking(answer)].map((candidate) => ({
      name: candidate.name,
      measure: () =>
        pacedBesideCrowd(candidate, cores, effort, HOT_RATE, ASK, answer, {
          rate: CROWD_RATE,
          dataset,
          seed: seed++,
        }),
    })),
  )
  const latencies = [...samples].flatMap(([name, runs]) =>
    (['p50', 'p99', 'p999'] as const).map((share) =>
      figure(
        `${name}, ${share === 'p999' ? 'p99.9' : share}`,
        'ms',
        runs.map((run) => run[share]),
      ),
    ),
  )
  const runs = samples.get(server.name) ?? []
  const memory = (name: string, size: (run: (typeof runs)[number]) => number) =>
    figure(
      name,
      'MiB',
      runs.map((run) => size(run) / MEBIBYTE),
    )
  const figures = [
    ...latencies,
    figure('allowed, p99', 'ms', [ALLOWED_MS.p99]),
    figure('allowed, p99.9', 'ms', [ALLOWED_MS.p999]),
    memory('changelogd, memory at most', ({ peak }) => peak),
    memory('allowed, memory', ({ idle }) => idle + (CACHE_MIB + SPARE_MIB) * MEBIBYTE),
  ]
  return {
    figures,
    comparisons: [
      compare(figures, 'changelogd, p99', 'allowed, p99', atMost(1)),
      compare(figures, 'changelogd, p99.9', 'allowed, p99.9', atMost(1)),
      compare(figures, 'changelogd, memory at most', 'allowed, memory', atMost(1)),
    ],
    note: `${HOT_RATE} cached reads a second beside ${CROWD_RATE} of products drawn at random, CACHE_MAX_BYTES ${CACHE_MIB} MiB. Allowed memory: idle + cache + ${SPARE_MIB} MiB. What looking has is the load's own: it gives every client the same bytes.`,
  }
}

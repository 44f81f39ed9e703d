import { cpus } from 'node:os'
import { type Candidate, changelogd, nginx } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { publicPath } from '../data.ts'
import { atLeast, atMost, compare, type Figure, figure } from '../figures.ts'
import { askOnce, SETTLE_MS, throughput, withServer } from '../measure.ts'
import type { Cores } from '../processes.ts'
import { interleave, processorFigures, rateFigures } from '../turns.ts'
import { MEBIBYTE, residentBytes } from '../usage.ts'
import type { Bench, Row } from './row.ts'

const PUBLIC: Ask = { path: publicPath() }

/** What one more thread may take. */
const ALLOWED_MIB = 10_000_000 / MEBIBYTE

/** What several threads bring. Server and load share all cores. */
export const THREADS: Row = {
  name: 'threads',
  title: 'public changelog, cached, with several threads',
  async measure(bench) {
    const cores: Cores = { ...bench.cores, server: 'all', load: 'all' }
    const data = bench.data('small')
    const answer = await askOnce(changelogd(data), cores, PUBLIC)
    const threads = (count: string) => named(`THREADS=${count}`, changelogd(data, { THREADS: count }))
    const workers = (count: number) => named(`nginx, workers=${count}`, nginx(PUBLIC, answer, count))
    const counts = [...new Set([1, 2, cpus().length])]
    const candidates = [threads('1'), threads('2'), threads('auto'), ...counts.map(workers)]
    const samples = await interleave(
      bench,
      candidates.map((candidate) => ({
        name: candidate.name,
        measure: () => throughput(candidate, cores, bench.effort, PUBLIC, answer),
      })),
    )
    const figures = [...rateFigures(samples), ...processorFigures(samples)]
    figures.push(...(await memory(bench, cores, threads)))
    return {
      figures,
      comparisons: [
        compare(figures, 'THREADS=2', 'THREADS=1', atLeast(1.6)),
        compare(figures, 'THREADS=2, CPU of a request', 'THREADS=1, CPU of a request', atMost(1)),
        compare(figures, 'THREADS=1', 'nginx, workers=1', null),
        compare(figures, 'THREADS=2', 'nginx, workers=2', null),
        compare(figures, 'THREADS=auto', `nginx, workers=${cpus().length}`, null),
        compare(figures, 'one more thread', 'allowed', atMost(1)),
      ],
      note: 'The load is on the same cores as the server. One more thread: half of what four have in use (RSS) more than two, idle.',
    }
  },
}

async function memory(bench: Bench, cores: Cores, threads: (count: string) => Candidate): Promise<Figure[]> {
  const idle = (candidate: Candidate) =>
    withServer(candidate, cores, async (_, { pid }) => {
      await Bun.sleep(SETTLE_MS)
      return residentBytes(pid) / MEBIBYTE
    })
  const samples = await interleave(
    bench,
    ['1', '2', '4'].map((count) => ({ name: `THREADS=${count}, idle`, measure: () => idle(threads(count)) })),
  )
  const figures = [...samples].map(([name, sizes]) => figure(name, 'MiB', sizes))
  const [, two = 0, four = 0] = figures.map(({ median }) => median)
  return [
    ...figures,
    figure('one more thread', 'MiB', [(four - two) / 2]),
    figure('allowed', 'MiB', [ALLOWED_MIB]),
  ]
}

const named = (name: string, candidate: Candidate): Candidate => ({ ...candidate, name })

import { changelogd } from '../candidates.ts'
import { publicPath } from '../data.ts'
import { atLeast, atMost, compare, figure, median } from '../figures.ts'
import { askOnce, roundTrips, throughput } from '../measure.ts'
import { interleave, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

const PAGE = { path: '/changelog/team-0/product-0' }

/** What the cold page is compared with: the target is a time. */
const ALLOWED_MS = 10

export const PAGE_ROWS: Row[] = [
  {
    name: 'page',
    title: 'changelog page, cached, 20 releases',
    async measure(bench) {
      const { cores, effort } = bench
      const server = changelogd(bench.data('medium'))
      // As many versions of the API as take about as many bytes.
      const api = { path: `${publicPath()}?limit=100` }
      const [page, json] = [await askOnce(server, cores, PAGE), await askOnce(server, cores, api)]
      const samples = await interleave(bench, [
        { name: 'page', measure: () => throughput(server, cores, effort, PAGE, page) },
        { name: 'API', measure: () => throughput(server, cores, effort, api, json) },
      ])
      const figures = rateFigures(samples)
      return {
        figures,
        comparisons: [compare(figures, 'page', 'API', atLeast(0.95))],
        note: `The page has ${page.body.length} bytes, the response of the API ${json.body.length}.`,
      }
    },
  },
  {
    name: 'cold-page',
    title: 'the same, without the cache',
    async measure(bench) {
      const { cores, effort } = bench
      const server = changelogd(bench.data('medium'), { CACHE_MAX_BYTES: '0' })
      const answer = await askOnce(server, cores, PAGE)
      const samples = await interleave(bench, [
        {
          name: 'page',
          measure: async () =>
            median(await roundTrips(server, cores, PAGE, answer, effort.coldReads, effort.coldReads)),
        },
      ])
      const figures = [...samples].map(([name, times]) => figure(name, 'ms', times))
      figures.push(figure('allowed', 'ms', [ALLOWED_MS]))
      return { figures, comparisons: [compare(figures, 'page', 'allowed', atMost(1))] }
    },
  },
]

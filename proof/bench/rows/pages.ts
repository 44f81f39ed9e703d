import { changelogd, nginx } from '../candidates.ts'
import { publicPath } from '../data.ts'
import { atLeast, compare } from '../figures.ts'
import { askOnce, throughput } from '../measure.ts'
import { interleave, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

const ASK = { path: '/changelog/team-0/product-0' }
const MARKDOWN = { path: '/changelog/team-0/product-0.md' }

export const PAGE: Row = {
  name: 'page',
  title: 'changelog page, cached, 20 releases',
  async measure(bench) {
    const { cores, effort } = bench
    const server = changelogd(bench.data('medium'))
    // As many versions of the API as take about as many bytes.
    const api = { path: `${publicPath()}?limit=100` }
    const [page, json] = [await askOnce(server, cores, ASK), await askOnce(server, cores, api)]
    const markdown = await askOnce(server, cores, MARKDOWN)
    const samples = await interleave(bench, [
      { name: 'page', measure: () => throughput(server, cores, effort, ASK, page) },
      { name: 'API', measure: () => throughput(server, cores, effort, api, json) },
      { name: 'Markdown', measure: () => throughput(server, cores, effort, MARKDOWN, markdown) },
      {
        name: 'nginx, page',
        measure: () => throughput(nginx(ASK, page), cores, effort, ASK, page),
      },
      {
        name: 'nginx, Markdown',
        measure: () => throughput(nginx(MARKDOWN, markdown), cores, effort, MARKDOWN, markdown),
      },
    ])
    const figures = rateFigures(samples)
    return {
      figures,
      comparisons: [compare(figures, 'page', 'API', atLeast(0.95))],
      note: `The page has ${page.body.length} bytes, as Markdown ${markdown.body.length}, the response of the API ${json.body.length}.`,
    }
  },
}

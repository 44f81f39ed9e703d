import { changelogd } from '../candidates.ts'
import type { Ask } from '../client.ts'
import { publicPath } from '../data.ts'
import { atMost, compare } from '../figures.ts'
import { askOnce, throughput } from '../measure.ts'
import { interleave, processorFigures, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

const PUBLIC: Ask = { path: publicPath() }

/** What counting costs a request. Processor time is the steadier figure of the two. */
export const METRICS: Row = {
  name: 'metrics',
  title: 'public changelog, cached, with metrics',
  async measure(bench) {
    const { cores } = bench
    // The difference is small: many short turns show it better than a few long ones.
    const effort = { ...bench.effort, warmUp: 1, measure: Math.min(2, bench.effort.measure) }
    const data = bench.data('small')
    const answer = await askOnce(changelogd(data), cores, PUBLIC)
    const [off, on] = [changelogd(data), changelogd(data, { METRICS_PORT: '0' })]
    const samples = await interleave(
      bench,
      [
        { name: 'off', measure: () => throughput(off, cores, effort, PUBLIC, answer) },
        { name: 'on', measure: () => throughput(on, cores, effort, PUBLIC, answer) },
      ],
      4 * effort.rounds,
    )
    const figures = [...rateFigures(samples), ...processorFigures(samples)]
    return {
      figures,
      comparisons: [
        compare(figures, 'on', 'off', null),
        compare(figures, 'on, CPU of a request', 'off, CPU of a request', atMost(1.03)),
      ],
      note: 'METRICS_PORT off and on; nothing asks for the metrics meanwhile.',
    }
  },
}

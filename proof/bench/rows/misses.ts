import { type Candidate, changelogd, looking, naive, nginx, node } from '../candidates.ts'
import { publicPath } from '../data.ts'
import { atLeast, compare } from '../figures.ts'
import { askOnce, randomReads, throughput } from '../measure.ts'
import { interleave, rateFigures } from '../turns.ts'
import type { Row } from './row.ts'

/** More than there are, so that almost none is found. */
const MISSING = { teams: 1_000_000, productsPerTeam: 1_000 }

const ONE = { path: publicPath(0, 999) }

export const MISSES: Row = {
  name: 'misses',
  title: 'addresses that are not found',
  async measure(bench) {
    const { cores, effort } = bench
    const data = bench.data('small')
    const server = changelogd(data)
    const answer = await askOnce(server, cores, ONE)
    const reference = looking(answer)
    let seed = 1
    const others = (candidate: Candidate) => () => randomReads(candidate, cores, effort, MISSING, seed++, 404)
    const samples = await interleave(bench, [
      { name: 'the same again', measure: () => throughput(server, cores, effort, ONE, answer) },
      { name: 'another each time', measure: others(server) },
      ...[nginx({ path: '/file' }, answer), naive(data), node(data)].map((candidate) => ({
        name: candidate.name,
        measure: others(candidate),
      })),
      { name: 'looking', measure: () => throughput(reference, cores, effort, ONE, answer) },
    ])
    const figures = rateFigures(samples)
    return {
      figures,
      comparisons: [
        compare(figures, 'the same again', 'looking', atLeast(0.57)),
        compare(figures, 'another each time', 'looking', null),
      ],
      note: 'Another each time is routed, and looked up in the database; so are those of the other servers.',
    }
  },
}

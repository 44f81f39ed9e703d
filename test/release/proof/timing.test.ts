import { expect, test } from 'bun:test'
import { areaUnderCurve, isTold, measureTwins, type Stage } from '../../../proof/battery/timing.ts'
import { Random } from '../../support/random.ts'

const BAND = 0.02
const OPTIONS = { requests: 400, band: BAND, limitMs: Number.POSITIVE_INFINITY }
const pair = { name: 'pair', hidden: { path: '/hidden' }, missing: { path: '/missing' } }

/** Stages whose times vary by 10 µs, and whose hidden requests take so much longer, differently in each. */
function stages(random: Random, later: () => number): () => Promise<Stage> {
  return async () => {
    const shift = later()
    return {
      pairs: [pair],
      time: async ({ path }) => 100_000 + 10_000 * normal(random) + (path === '/hidden' ? shift : 0),
      async [Symbol.asyncDispose]() {},
    }
  }
}

/** A normal deviate, by the sum of twelve. */
const normal = (random: Random) => Array.from({ length: 12 }, () => random.next()).reduce((a, b) => a + b) - 6

test('the area under the curve is the share of pairs in which the first is greater, equal ones counted half', () => {
  expect(areaUnderCurve([1, 2], [3, 4])).toBe(0)
  expect(areaUnderCurve([3, 4], [1, 2])).toBe(1)
  expect(areaUnderCurve([1, 2, 3], [1, 2, 3])).toBe(0.5)
  expect(areaUnderCurve([2, 5], [2, 3])).toBe(0.625)
})

test('a leak of a quarter of what times vary by is told from equal times, though servers differ by chance', async () => {
  const random = new Random(1)
  // A leak has an area of 0.57 in the mean.
  for (const leak of [0, 2_500]) {
    const [figure] = await measureTwins(
      stages(random, () => leak + 1_000 * normal(random)),
      OPTIONS,
    )
    expect(figure && isTold(figure, BAND)).toBe(leak > 0)
  }
})

test('a pair that stays uncertain ends with the time, and is not called a leak', async () => {
  let opened = 0
  // Later in one, sooner in the next.
  const open = stages(new Random(1), () => 30_000 * (-1) ** opened++)
  const [figure] = await measureTwins(open, { ...OPTIONS, limitMs: 0 })
  expect(opened).toBe(3)
  expect(figure?.error).toBeGreaterThan(BAND)
  expect(figure && isTold(figure, BAND)).toBe(false)
})

import { describe, expect, test } from 'bun:test'
import { createCollector } from '../../../src/http/pipeline/collector.ts'

const THRESHOLD = 2 ** 20

/** A collector whose scheduled work the test runs, and how often it has collected. */
function setUp() {
  const scheduled: (() => void)[] = []
  let collections = 0
  const collector = createCollector(
    () => collections++,
    (work) => scheduled.push(work),
  )
  const runScheduled = () => {
    for (const work of scheduled.splice(0)) work()
  }
  return { collector, scheduled, runScheduled, collections: () => collections }
}

describe('the collector', () => {
  test('leaves little to the engine, and collects soon after a megabyte was released', () => {
    const { collector, scheduled, runScheduled, collections } = setUp()
    collector.release(THRESHOLD - 1)
    expect(scheduled).toHaveLength(0)
    collector.release(1)
    expect(scheduled).toHaveLength(1)
    expect(collections()).toBe(0)
    runScheduled()
    expect(collections()).toBe(1)
  })

  test('collects once for everything released until then, and counts from zero afterwards', () => {
    const { collector, scheduled, runScheduled, collections } = setUp()
    for (let time = 0; time < 5; time++) collector.release(THRESHOLD)
    expect(scheduled).toHaveLength(1)
    runScheduled()
    expect(collections()).toBe(1)
    collector.release(THRESHOLD - 1)
    expect(scheduled).toHaveLength(0)
    collector.release(1)
    runScheduled()
    expect(collections()).toBe(2)
  })
})

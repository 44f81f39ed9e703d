import { expect, test } from 'bun:test'
import { workedMs } from '../../../../src/http/cache/worked.ts'

test('only the time in which the thread works counts', () => {
  const passed = (work: () => void) => {
    const [worked, at] = [workedMs(), performance.now()]
    work()
    return { worked: workedMs() - worked, elapsed: performance.now() - at }
  }
  // Each ends once it has been seen: never, if it did not hold.
  for (;;) {
    const { worked, elapsed } = passed(() => Bun.sleepSync(10))
    if (worked < elapsed / 2) break
  }
  const before = workedMs()
  while (workedMs() === before);
  expect(workedMs()).toBeGreaterThan(before)
})

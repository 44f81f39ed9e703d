import { expect, test } from 'bun:test'
import { workedMs } from '../../../src/http/cache/worked.ts'

test('only the time in which the thread works counts', () => {
  const before = workedMs()
  Bun.sleepSync(50)
  expect(workedMs() - before).toBeLessThan(25)
  // Without end if it did not.
  while (workedMs() - before < 26);
})

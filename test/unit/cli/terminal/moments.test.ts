import { expect, test } from 'bun:test'
import { relative } from '../../../../src/cli/terminal/moments.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'just now'],
  [-59 * SECOND, 'just now'],
  [-119 * MINUTE, '1 hour ago'],
  [20 * SECOND, 'in less than a minute'],
  [HOUR - 20 * SECOND, 'in 1 hour'],
  [HOUR + 40 * MINUTE, 'in 2 hours'],
  [3 * HOUR - 3 * MINUTE, 'in 3 hours'],
  [DAY - 10 * MINUTE, 'in 1 day'],
  [7 * DAY - HOUR, 'in 7 days'],
])('%p ms from now is %s: what is ahead is rounded, what has passed is not', (distance, text) => {
  expect(relative(1_800_000_000_000 + distance, 1_800_000_000_000)).toBe(text)
})

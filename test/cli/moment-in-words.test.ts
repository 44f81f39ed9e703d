import { expect, test } from 'bun:test'
import { momentInWords } from '../../src/cli/moment-in-words.ts'

const MINUTE = 60_000
/** A Sunday evening, local time. */
const NOW = new Date(2026, 10, 15, 19).getTime()
const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test.each([
  ['+2h', NOW + 120 * MINUTE],
  ['+90m', NOW + 90 * MINUTE],
  ['in 2 hours 30 minutes', NOW + 150 * MINUTE],
  ['tomorrow 09:00', local(16, 9)],
  ['tomorrow at 9am', local(16, 9)],
  ['next friday at 10:30', local(20, 10, 30)],
  ['2026-11-28 09:00', local(28, 9)],
])('%s is a moment', async (text, instant) => {
  expect(await momentInWords(text, NOW)).toBe(instant)
})

test('what has passed is not taken for what is to come', async () => {
  for (const text of ['last friday 10:00', '09:00', '-2h', '2 hours ago', 'yesterday 09:00'])
    expect(Number(await momentInWords(text, NOW))).toBeLessThan(NOW)
})

test.each([
  'soon',
  '9',
  '1.2.0',
  'tomorrow',
  'in 3 days',
  'tonight',
  'next week',
  'tomorrow 25:00',
  'in 2 hours please',
  'tomorrow 09:00 or friday',
  'tomorrow 09:00 - 10:00',
  'tomorrow 09:00 EST',
  'tomorrow 09:00 America/New_York',
  '12/01/2026 09:00',
  '2026-12-01T09',
])('%p leaves something open, so it is none', async (text) => {
  expect(await momentInWords(text, NOW)).toBeNull()
})

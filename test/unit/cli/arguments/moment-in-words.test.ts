import { expect, test } from 'bun:test'
import { momentInWords } from '../../../../src/cli/arguments/moment-in-words.ts'

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
  ['next week 09:00', local(22, 9)],
  ['2026-11-28 09:00', local(28, 9)],
])('%s is a moment', async (text, instant) => {
  expect(await momentInWords(text, NOW)).toBe(instant)
})

/** A Monday morning, local time. */
const MONDAY = new Date(2026, 10, 16, 10).getTime()

test.each([
  ['friday 9am', local(20, 9)],
  ['this friday 9am', local(20, 9)],
  ['on sunday at 09:00', local(22, 9)],
  ['friday next week 10:30', local(27, 10, 30)],
  ['monday 11:00', local(16, 11)],
  ['monday 09:00', local(23, 9)],
  ['9am', local(17, 9)],
  ['11:00', local(16, 11)],
  ['november 10 9am', new Date(2027, 10, 10, 9).getTime()],
])('%s on a Monday at ten is ahead', async (text, instant) => {
  expect(await momentInWords(text, MONDAY)).toBe(instant)
})

test('a weekday fits its date', async () => {
  expect(await momentInWords('saturday november 21 9am', MONDAY)).toBe(local(21, 9))
})

test('what has passed is not taken for what is to come', async () => {
  for (const text of ['last friday 10:00', 'today 09:00', '-2h', '2 hours ago', 'yesterday 09:00'])
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
  'next friday 9am',
  '9am next Fri',
  'friday november 21 9am',
  'Fri, nov 21 2026 09:00',
])('%p leaves something open, so it is none', async (text) => {
  expect(await momentInWords(text, NOW)).toBeNull()
})

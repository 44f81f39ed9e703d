import { expect, test } from 'bun:test'
import { momentIn } from '../../../src/desk/moments.ts'

const at = (day: string, time: string, zone: string) => {
  const found = momentIn(day, time, zone)
  return found === null ? null : new Date(found).toISOString()
}

test.each([
  ['2026-11-28', '09:00', 'Europe/Berlin', '2026-11-28T08:00:00.000Z'],
  ['2026-07-01', '09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
  ['2026-07-01', '00:10', 'Asia/Kathmandu', '2026-06-30T18:25:00.000Z'],
  ['2026-12-31', '23:30', 'America/Los_Angeles', '2027-01-01T07:30:00.000Z'],
  ['2026-11-28', '09:00', 'UTC', '2026-11-28T09:00:00.000Z'],
])('%s %s in %s is %s', (day, time, zone, instant) => {
  expect(at(day, time, zone)).toBe(instant)
})

test('a time that clocks show twice is the first, and one that they skip is none', () => {
  expect(at('2026-10-25', '02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
  expect(at('2026-03-29', '02:30', 'Europe/Berlin')).toBeNull()
})

test('what is no day, no time or no zone is no moment', () => {
  for (const [day, time, zone] of [
    ['', '09:00', 'UTC'],
    ['2026-11-28', '9', 'UTC'],
    ['2026-11-28', '09:00', 'Europe/Nowhere'],
    ['2026-11-28', '09:00', ''],
    ['2026-02-30', '09:00', 'UTC'],
  ] as const)
    expect(at(day, time, zone)).toBeNull()
})

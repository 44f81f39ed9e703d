import { describe, expect, test } from 'bun:test'
import {
  formatDuration,
  formatInstant,
  parseDuration,
  parseInstant,
} from '../../../../src/domain/time/time.ts'
import fc from '../../../support/fast-check.ts'

describe('parseInstant', () => {
  test.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.678999Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-01T23:30:00-01:30', '2026-01-02T01:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    const instant = parseInstant(text)
    expect(instant === null ? null : formatInstant(instant)).toBe(expected)
  })

  test.each([
    ...['', 'now', '2026', '2026-1-2', '2026-02-29', '2026-13-01', '2026-00-10', '2026-01-02T24:00:00Z'],
    ...['2026-01-02T03:60:00Z', '2026-01-02 03:04:05', '2026-01-02T03:04:05+0200'],
    ...['2026-01-02T03:04:05+99:00', '+002026-01-02', '2026-01-02Z', '1767323045'],
    ...['9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00'],
  ])('%p is no moment', (text) => {
    expect(parseInstant(text)).toBeNull()
  })

  test('whatever formatInstant writes is read back to the millisecond', () => {
    const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(date, (moment) => expect(parseInstant(formatInstant(+moment))).toBe(+moment)))
  })
})

test.each(['90s', '90m', '25h', '1d', '30d', '999999w'])(
  '%s is written as a duration that is as long',
  (text) => {
    const ms = parseDuration(text) ?? 0
    expect(parseDuration(formatDuration(ms))).toBe(ms)
  },
)

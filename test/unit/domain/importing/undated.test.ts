import { describe, expect, test } from 'bun:test'
import { type ListedVersion, momentsOfUndated } from '../../../../src/domain/importing/undated.ts'
import type { Version } from '../../../../src/domain/records.ts'
import { NO_VERSION_PROPERTIES } from '../../../../src/domain/versions/properties.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const MINUTE = 60_000
const DAY = 86_400_000
const day = (number: number) => Date.UTC(2026, 0, number)

/** A version of a file. A number is its date, `-` says that it has none. */
const inFile = (
  label: string,
  date: number | null,
  stored: Partial<Version> | null = null,
): ListedVersion => ({
  version: { label, title: label, status: 'published', date, description: null, changes: [] },
  newStatus: null,
  stored: stored && {
    ...{ id: 'ver_1', label, title: label, ...NO_VERSION_PROPERTIES, changeCount: 0 },
    ...{ status: 'published', scheduled: false, publishedAt: 0, createdAt: NOW },
    ...{ dated: false, dateKnown: false },
    ...stored,
  },
})

const undated = (label: string, stored?: Partial<Version>) => inFile(label, null, stored)
const placed = (file: ListedVersion[], now = NOW) => Object.fromEntries(momentsOfUndated(file, now))

/** The same file after an import at that moment. */
const imported = (file: ListedVersion[], now = NOW): ListedVersion[] => {
  const places = momentsOfUndated(file, now)
  return file.map((version) => {
    const { label, date } = version.version
    const publishedAt = places.get(label) ?? version.stored?.publishedAt ?? date ?? now
    return inFile(label, date, { publishedAt, ...(date !== null && { dated: true, dateKnown: true }) })
  })
}

describe('a version without a date', () => {
  test('is between its neighbours of the file, evenly among others', () => {
    expect(placed([inFile('3', day(9)), undated('2'), inFile('1', day(7))])).toEqual({ 2: day(8) })
    const file = [inFile('5', day(9)), undated('4'), undated('3'), undated('2'), inFile('1', day(5))]
    expect(placed(file)).toEqual({ 4: day(8), 3: day(7), 2: day(6) })
  })

  test('is just beyond the only neighbour, and never ahead', () => {
    expect(placed([inFile('3', day(9)), undated('2'), undated('1')])).toEqual({
      ...{ 2: day(9) - MINUTE, 1: day(9) - 2 * MINUTE },
    })
    expect(placed([undated('3'), undated('2'), inFile('1', day(9))])).toEqual({
      ...{ 3: day(9) + 2 * MINUTE, 2: day(9) + MINUTE },
    })
    expect(placed([undated('3'), undated('2'), inFile('1', NOW - 30)])).toEqual({ 3: NOW - 10, 2: NOW - 20 })
  })

  test('in a file without any is before now, in order', () => {
    expect(placed([undated('3'), undated('2'), undated('1')])).toEqual({
      ...{ 3: NOW - MINUTE, 2: NOW - 2 * MINUTE, 1: NOW - 3 * MINUTE },
    })
  })

  test('has no place as a draft, and none beside what is ahead or a draft', () => {
    const draft = undated('4')
    draft.version = { ...draft.version, status: 'draft' }
    const hidden = undated('2', { status: 'draft' })
    expect(placed([draft, inFile('3', NOW + 9 * DAY), hidden, undated('1')])).toEqual({ 1: NOW - MINUTE })
  })

  test('is beside its neighbours as they are stored, if they are known there', () => {
    const published = { publishedAt: day(9), createdAt: day(3), dateKnown: true }
    expect(placed([undated('2', published), undated('1')])).toEqual({ 1: day(9) - MINUTE })
    const corrected = { publishedAt: day(9), dated: true, dateKnown: true, imported: 'date:0123456789abcdef' }
    expect(placed([inFile('2', day(2), corrected), undated('1')])).toEqual({ 1: day(9) - MINUTE })
  })

  test('of the same day as both neighbours has that day', () => {
    expect(placed([inFile('3', day(9)), undated('2'), inFile('1', day(9))])).toEqual({ 2: day(9) })
  })

  test('is below the one above it where dates run against the order', () => {
    const file = [inFile('3', day(5)), undated('2'), inFile('1', day(9))]
    expect(placed(file)).toEqual({ 2: day(5) - MINUTE })
    expect(momentsOfUndated(imported(file), NOW + DAY)).toEqual(momentsOfUndated(file, NOW))
  })
})

describe('a further import', () => {
  const file = [undated('0.9.3'), undated('0.9.2'), undated('0.9.1')]

  test('of the same file changes no place', () => {
    for (const one of [
      file,
      [inFile('5', day(9)), ...file, inFile('1', day(7))],
      [inFile('5', day(9)), ...file],
      [...file, inFile('1', day(9))],
      [inFile('5', 2), ...file, inFile('1', 1)],
      [...file, inFile('1', NOW)],
    ])
      for (const later of [NOW, NOW + 1, NOW + DAY])
        expect(momentsOfUndated(imported(one), later)).toEqual(momentsOfUndated(one, NOW))
  })

  test('puts new versions on top, at the bottom and in between where the file has them', () => {
    const [top, middle, bottom] = imported(file) as [ListedVersion, ListedVersion, ListedVersion]
    const later = NOW + DAY
    const all = [undated('0.9.12'), undated('0.9.4'), top, undated('0.9.2.1'), middle, bottom, undated('0.1')]
    expect(placed(all, later)).toEqual({
      ...{ '0.9.12': later - MINUTE, '0.9.4': later - 2 * MINUTE },
      ...{ '0.9.3': NOW - MINUTE, '0.9.2.1': NOW - 1.5 * MINUTE, '0.9.2': NOW - 2 * MINUTE },
      ...{ '0.9.1': NOW - 3 * MINUTE, '0.1': NOW - 4 * MINUTE },
    })
  })

  test('mends an order that is wrong, and keeps what is right', () => {
    const stored = [-1, -2, -1_000, -5].map((at, index) =>
      undated(String(9 - index), { publishedAt: NOW + at, dateKnown: true }),
    )
    expect(placed(stored, NOW + DAY)).toEqual({
      ...{ 9: NOW - 1, 8: NOW - 2, 7: NOW - 1_000, 6: NOW - 1_000 - MINUTE },
    })
  })

  test('has the time of a neighbour where there is no room between them: ids decide then', () => {
    const [top, next] = [NOW - 1, NOW - 2].map((publishedAt, at) => undated(String(9 - at), { publishedAt }))
    const file = [top, undated('8.5'), next] as ListedVersion[]
    expect(placed(file, NOW + DAY)).toEqual({ 9: NOW - 1, '8.5': NOW - 2, 8: NOW - 2 })
  })
})

import { describe, expect, test } from 'bun:test'
import { impliedStatuses } from '../../../../src/formats/keepachangelog/versions/status.ts'

const version = (label: string, title = label, date: number | null = null) => ({ label, title, date })

describe('a version without a date', () => {
  test.each([
    version('Unreleased'),
    version('next'),
    version('main'),
    version('1.2.0', '1.2.0 (TBD)'),
    version('1.2.0', '1.2.0 (unreleased)'),
    version('1.2.0', '1.2.0 (2024-xx-xx)'),
    version('Не выпущено'),
    version('Unveröffentlicht'),
    version('未发布'),
    version('Unreleased/Belum Dirilis'),
    version('لم يتم طرحه (Unreleased)'),
    version('1.2.0', '1.2.0 (non publié)'),
  ])('is a draft wherever it stands when it says so: %j', (one) => {
    const dated = version('1.1.0', '1.1.0', 1)
    for (const file of [[one], [one, dated], [dated, one]])
      expect(impliedStatuses(file)[file.indexOf(one)]).toBe('draft')
  })
})

describe('a version that does not say so', () => {
  const statuses = (...dates: (number | null)[]) =>
    impliedStatuses(dates.map((date, at) => version(`1.${at}.0`, `1.${at}.0`, date)))

  test('is a draft without a date above all that have one', () => {
    expect(statuses(null, null, 3, 2, 1)).toEqual(['draft', 'draft', 'published', 'published', 'published'])
  })

  test('is a draft below all that have one, if the file begins with the oldest', () => {
    expect(statuses(1, 2, 3, null)).toEqual(['published', 'published', 'published', 'draft'])
  })

  test('is published below one that has a date', () => {
    expect(statuses(3, null, 2, null, null)).toEqual(Array(5).fill('published'))
  })

  test('is published in a file where most have no date', () => {
    expect(statuses(null, null, 2)).toEqual(Array(3).fill('published'))
    expect(statuses(null)).toEqual(['published'])
  })
})

test('a version with a date is published, unless it says that it is not released', () => {
  expect(impliedStatuses([version('1.2.0', '1.2.0', 0)])).toEqual(['published'])
  expect(impliedStatuses([version('Unreleased', 'Unreleased', 0)])).toEqual(['draft'])
})

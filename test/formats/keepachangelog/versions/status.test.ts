import { describe, expect, test } from 'bun:test'
import { hasDates, impliedStatus } from '../../../../src/formats/keepachangelog/versions/status.ts'

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
  ])('is a draft in any file when it says so: %j', (one) => {
    expect([impliedStatus(one, true), impliedStatus(one, false)]).toEqual(['draft', 'draft'])
  })

  test.each([version('1.2.0'), version('1.2.0', 'The big one'), version('1.2.0', '1.2.0 [YANKED]')])(
    'is a draft where versions have dates, and published where they have none: %j',
    (one) => {
      expect([impliedStatus(one, true), impliedStatus(one, false)]).toEqual(['draft', 'published'])
    },
  )
})

test('a version with a date is published, unless it says that it is not released', () => {
  expect(impliedStatus(version('1.2.0', '1.2.0', 0), true)).toBe('published')
  expect(impliedStatus(version('Unreleased', 'Unreleased', 0), true)).toBe('draft')
})

test('a file has dates when at least half of its released versions do', () => {
  const dated = version('1.0.0', '1.0.0', 0)
  const undated = version('1.1.0')
  const unreleased = version('Unreleased')
  expect(hasDates([undated, dated])).toBe(true)
  expect(hasDates([undated, undated, dated])).toBe(false)
  expect(hasDates([unreleased, unreleased, unreleased, dated])).toBe(true)
  expect(hasDates([unreleased])).toBe(false)
})

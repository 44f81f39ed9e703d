import { describe, expect, test } from 'bun:test'
import { newId } from '../../../src/domain/id.ts'
import { VERSION_STATUSES, type Version } from '../../../src/domain/records.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { checkChange, checkName, checkVersion, dateOnCreation, knownDate } from '../../../src/domain/rules.ts'
import { shellWord } from '../../../src/domain/text/shell.ts'
import { publicationOnUpdate } from '../../../src/domain/time/schedule.ts'
import { parseDuration } from '../../../src/domain/time/time.ts'
import { NO_VERSION_PROPERTIES } from '../../../src/domain/versions/properties.ts'

const version = { label: '1', title: 'One', ...NO_VERSION_PROPERTIES }
const refused = (work: () => void) => expect(work).toThrow(Refusal)

describe('what may be written', () => {
  test('names, labels and titles say something, on one line where they must', () => {
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(201), 'a\0b', '\ud800']) refused(() => checkName(name))
    for (const label of ['', ' 1', '1 ', '1\n2', 'x'.repeat(129), newId('ver')])
      refused(() => checkVersion({ ...version, label }))
    for (const title of ['', ' \n', 'x'.repeat(1_001)]) refused(() => checkVersion({ ...version, title }))
    refused(() => checkVersion({ ...version, description: 'x'.repeat(1_000_001) }))
    for (const type of ['', 'Added', 'a b', 'x'.repeat(65)])
      refused(() => checkChange({ type, title: 'x', description: null }))
  })

  test('everything else is the author’s own business', () => {
    checkName('Ünïcode & “quotes” 🎉')
    for (const label of ['1.0.0', '@scope/name@1.2.0', '2021 Spring', 'v1'])
      checkVersion({ ...version, label })
    checkVersion({ ...version, title: '# markdown\nof *two* lines', description: 'x'.repeat(1_000_000) })
    checkChange({ type: 'bug-fixes', title: 'x', description: '' })
  })
})

describe('publishedAt', () => {
  test('is now for a version without a date, and the date for one with', () => {
    expect(dateOnCreation(null, 'draft', 7)).toEqual({ publishedAt: 7, dated: false, dateKnown: false })
    expect(dateOnCreation(null, 'published', 7)).toEqual({ publishedAt: 7, dated: false, dateKnown: true })
    for (const status of VERSION_STATUSES)
      expect(dateOnCreation(3, status, 7)).toEqual({ publishedAt: 3, dated: true, dateKnown: true })
  })
})

describe('the date that an export writes', () => {
  const fields = { id: 'ver_1', ...version }
  const dateOf = (version: Pick<Version, 'status' | 'publishedAt' | 'dated' | 'dateKnown' | 'createdAt'>) =>
    knownDate({ ...fields, ...version, scheduled: false })

  test('is the author’s, also of a draft', () => {
    for (const status of VERSION_STATUSES)
      for (const publishedAt of [5, 500])
        expect(dateOf({ status, publishedAt, dated: true, dateKnown: true, createdAt: 100 })).toBe(
          publishedAt,
        )
  })

  test('is that of publication, if the author gave none', () => {
    for (const publishedAt of [100, 500])
      expect(
        dateOf({ status: 'published', publishedAt, dated: false, dateKnown: true, createdAt: 100 }),
      ).toBe(publishedAt)
  })

  test('is none for a draft without a date', () => {
    const draft = { status: 'draft', publishedAt: 100, dated: false, dateKnown: false } as const
    expect(dateOf({ ...draft, createdAt: 100 })).toBeNull()
  })

  test('is none for a version that came without a date, so that a round trip invents none', () => {
    for (const [publishedAt, dateKnown] of [
      [50, false],
      [100, false],
      // As imports dated it before there was `dateKnown`.
      [99, true],
    ] as const) {
      const dates = { publishedAt, dated: false, dateKnown, createdAt: 100, scheduled: false }
      expect(dateOf({ ...dates, status: 'published' })).toBeNull()
      // Until it is published anew.
      const again = publicationOnUpdate({ ...dates, status: 'draft' }, { status: 'published' }, 300)
      expect(dateOf({ ...again, createdAt: 100 })).toBe(300)
    }
  })
})

test('durations are a number and a unit', () => {
  expect(['90m', '24h', '30d', '2w', '5s'].map(parseDuration)).toEqual([
    5_400_000, 86_400_000, 2_592_000_000, 1_209_600_000, 5_000,
  ])
  for (const text of ['', '5', 'h', '-1h', '1.5h', '1 h', '1y', '1H']) expect(parseDuration(text)).toBeNull()
})

test('a suggested command can be pasted, whatever the label', () => {
  expect(shellWord('1.0.0-rc.1')).toBe('1.0.0-rc.1')
  expect(shellWord(`it's $HOME`)).toBe(`'it'\\''s $HOME'`)
})

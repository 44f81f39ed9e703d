import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { slugOf } from '../../../../src/domain/versions/made-label.ts'
import {
  areEntries,
  hasNumber,
  isMadeFrom,
  labelsFrom,
  nextLabels,
  shownName,
} from '../../../../src/domain/versions/names.ts'
import { readNumber } from '../../../../src/domain/versions/number.ts'
import { isPrerelease } from '../../../../src/domain/versions/standing.ts'

const DAY = Date.UTC(2026, 10, 12)
const named = (label: string, title: string, dateKnown = true) =>
  shownName({ label, title, publishedAt: DAY, dateKnown })

test.each([
  ['4.0.0', 'v4.0.0 — Harbor Edge', 'Harbor Edge'],
  ['v4.0.0', '4.0.0: Harbor Edge', 'Harbor Edge'],
  ['v4.0.0', 'V4.0.0 Harbor', 'Harbor'],
  ['pkg@1.2.0', '1.2.0 - Harbor', 'Harbor'],
  ['4.0.0', '4.0.0', null],
  ['4.0.0', 'v4.0.0', null],
  ['4.0', '4.0.1 is broken', '4.0.1 is broken'],
  ['4.0.0', '4.0.0-rc.1 becomes final', '4.0.0-rc.1 becomes final'],
  ['4.0.0', '4.0.0 (Harbor)', '4.0.0 (Harbor)'],
  ['1', '1 million users', '1 million users'],
  ['4.0.0', 'Harbor 4.0.0', 'Harbor 4.0.0'],
  ['Sprint 12', 'Boards', 'Boards'],
  ['core-2', 'Boards', 'Boards'],
])('a number stands beside its title: %s, %s', (label, title, beside) => {
  expect(named(label, title)).toEqual({ label, title: beside })
})

test.each(['2026-11-12', 'November 12, 2026', '12.11.2026', '12 novembre 2026', '2026年11月12日'])(
  'the day %s is not shown beside the same date',
  (label) => {
    expect(named(label, 'Guests')).toEqual({ label: null, title: 'Guests' })
    expect(named(label, label)).toEqual({ label: null, title: null })
    expect(named(label, '2026-11-12')).toEqual({ label: null, title: null })
    expect(named(label, `${label} – Guests`)).toEqual({ label: null, title: 'Guests' })
    // Nothing else says it.
    expect(named(label, 'Guests', false)).toEqual({ label, title: 'Guests' })
  },
)

test('a day that is not the date is shown beside the title', () => {
  expect(named('2026-11-11', 'Guests')).toEqual({ label: '2026-11-11', title: 'Guests' })
})

test('a name is the title where there is none, and a label where the title does not say it', () => {
  expect(named('March update', 'March update')).toEqual({ label: null, title: 'March update' })
  expect(named('March update', 'March update: boards')).toEqual({
    label: null,
    title: 'March update: boards',
  })
  expect(named('Autumn update', 'Prices')).toEqual({ label: 'Autumn update', title: 'Prices' })
  expect(named('November 2026', 'November 2026')).toEqual({ label: null, title: 'November 2026' })
})

test.each([
  'guests-on-every-board',
  'guests-on-every-board-2',
  'bug-fixes-2',
  'entry-beta-2-is-here',
  'ゲストを招待',
  'ゲストを招待-2',
  'entry-version-2-0',
])('the label %s, made from a title, is not shown, also after the title has changed', (label) => {
  expect(named(label, 'Visitors')).toEqual({ label: null, title: 'Visitors' })
  expect(isPrerelease({ label })).toBe(false)
  expect(readNumber(label)).toBeNull()
})

test.each(['my-app-1-2-0', 'app-rc-1', 'core-2', 'jdk-21-ga', 'release-12', 'v2-beta-1', 'app-build-7'])(
  '%s is a number still',
  (label) => {
    expect(hasNumber(label)).toBe(true)
  },
)

const labels = (title: string, count: number): string[] => labelsFrom(title).take(count).toArray()

test.each([
  ['Guests on every board', ['guests-on-every-board', 'guests-on-every-board-2', 'guests-on-every-board-3']],
  ['What’s **new** in [Café](https://x.example/a_b) :sparkles:', ['whats-new-in-café']],
  ['ゲストを、どのボードにも', ['ゲストを-どのボードにも', 'ゲストを-どのボードにも-2']],
  ['हर बोर्ड पर मेहमान', ['हर-बोर्ड-पर-मेहमान']],
  ['ضيوف في كل لوحة', ['ضيوف-في-كل-لوحة']],
  ['🎉🎉', ['entry', 'entry-2']],
  ['Latest', ['entry-latest', 'entry-latest-2']],
  ['Pictures', ['entry-pictures']],
  ['Unreleased', ['entry-unreleased']],
  ['2026-11', ['entry-2026-11']],
  ['2026', ['entry-2026']],
  ['Version 2.0', ['entry-version-2-0']],
  ['A b', ['entry-a-b', 'entry-a-b-2']],
  ['Guests', ['guests', 'entry-guests-2']],
])('from the title %s come %p', (title, made) => {
  expect(labels(title, made.length)).toEqual(made)
})

test('a label made from any title is bounded, can be an address, is no number, and is not shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.nat(3), (title, at) => {
      const label = labels(title, at + 1).at(-1) ?? ''
      expect(label).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u)
      expect(label.length).toBeLessThan(80)
      expect(slugOf(label)).toBe(label)
      expect(encodeURIComponent(label)).toBeString()
      expect(hasNumber(label)).toBe(false)
      expect(isMadeFrom(title, label)).toBe(true)
      expect(named(label, 'Other words').label).toBeNull()
    }),
  )
  expect(labels('word '.repeat(300), 1)[0]).toHaveLength(59)
})

test('a changelog is one of entries if none of its newest versions has a number', () => {
  const all = (...names: string[]) => names.map((label) => ({ label }))
  expect(
    areEntries(all('2026-11-12', 'March update', 'guests-on-every-board-2', '2026-11', '2026-W45')),
  ).toBe(true)
  expect(areEntries(all('2026-11-12', '1.2.0'))).toBe(false)
  expect(areEntries(all())).toBe(false)
  expect(areEntries(all(...Array(20).fill('November 12, 2026'), '1.0.0'))).toBe(true)
})

test.each([
  ['1.2.9', ['1.2.10', '1.3.0', '2.0.0']],
  ['v2.0', ['v2.1', 'v3.0']],
  ['Sprint 12', ['Sprint 13']],
  ['2026.11.2', ['2026.11.3', '2026.12.0', '2027.0.0']],
  ['Harbor', []],
] as const)('after %s may come %p', (label, next) => expect(nextLabels(label)).toEqual([...next]))

test('a label that somebody chose is not made from the title', () => {
  expect(isMadeFrom('March update', 'beta')).toBe(false)
  expect(isMadeFrom('Guests', 'guests-of-2026')).toBe(false)
})

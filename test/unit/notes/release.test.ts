import { describe, expect, test } from 'bun:test'
import type { Change } from '../../../src/domain/records.ts'
import {
  clampGroups,
  firstChanges,
  groupChanges,
  ownHeading,
  showChange,
} from '../../../src/notes/release.ts'

const changes = (...all: [type: string, title: string][]): Change[] =>
  all.map(([type, title], at) => ({ id: `chg_${at}`, type, typeLabel: null, title, description: null }))

const times = (type: string, count: number): [string, string][] =>
  Array.from({ length: count }, (_, at) => [type, `${type} ${at}`])

const sizes = (groups: ReturnType<typeof groupChanges>) =>
  groups.map(({ heading, changes }) => `${heading} ${changes.length}`)

test('breaking changes come first, then security, and people and packages last', () => {
  const groups = groupChanges(
    changes(
      ['contributors', 'a'],
      ['fixed', 'b'],
      ['added', 'c'],
      ['security', 'd'],
      ['breaking-changes', 'e'],
      ['fixed', 'f'],
    ),
    ownHeading,
  )
  expect(sizes(groups)).toEqual(['Breaking changes 1', 'Security 1', 'Fixed 2', 'Added 1', 'Contributors 1'])
  expect(groups.map(({ isAside }) => isAside)).toEqual([false, false, false, false, true])
})

test('of a flat list, what says nothing of its kind comes last, before people', () => {
  const flat = changes(
    ['changed', 'chore: a'],
    ['changed', 'b'],
    ['other', 'c'],
    ['changed', 'fix: d'],
    ['deps', 'e'],
  )
  expect(sizes(groupChanges(flat.slice(0, 1).concat(flat.slice(3)), ownHeading))).toEqual([
    'Fixed 1',
    'Other 1',
    'Deps 1',
  ])
  // An author's own heading keeps its place.
  expect(sizes(groupChanges(flat.slice(2, 4), ownHeading))).toEqual(['Other 1', 'Fixed 1'])
})

test('the first changes of a release are the breaking ones, then those about security', () => {
  const all = changes(
    ['added', 'a'],
    ['fixed', 'Fix CVE-2026-1234'],
    ['removed', 'breaking: b'],
    ['contributors', 'c'],
  )
  const titles = (most: number) => firstChanges(all, most).map(({ title }) => title)
  expect(titles(2)).toEqual(['Removed: B', 'Fix CVE-2026-1234'])
  expect(titles(9)).toEqual(['Removed: B', 'Fix CVE-2026-1234', 'a'])
})

test('a removal away from its heading says that it is one, unless its words do', () => {
  const [shown] = firstChanges(changes(['removed', '`push`. Use `deploy`.']), 1)
  expect(shown?.title).toBe('Removed: `push`. Use `deploy`.')
  for (const title of ['Drop `push`', 'No longer sends mail', 'No more x', '`push` wurde entfernt'])
    expect(firstChanges(changes(['removed', title]), 1).map(({ title }) => title)).toEqual([title])
})

test.each<[string, string, string, string | null]>([
  ['Add a list', 'Add a list\n\nIt is long.', 'Add a list', 'It is long.'],
  ['Add a list', 'Add a list of\nall files.\n- one', 'Add a list of all files.', '- one'],
  ['Add a list of…', 'Add a list of all files.', 'Add a list of all files.', null],
  ['Add', 'Added more', 'Add', 'Added more'],
  ['', 'A text', '', 'A text'],
  ['Add', `Add ${'x'.repeat(6_000)}`, 'Add', `Add ${'x'.repeat(6_000)}`],
])('%s is said once', (title, description, shown, rest) => {
  const [change] = changes(['added', title]) as [Change]
  expect(showChange({ ...change, description })).toMatchObject({
    title: shown,
    source: { description: rest },
  })
})

test.each<[string, string, string?]>([
  ['**Breaking:** amounts are integers', 'Amounts are integers'],
  ['[Breaking] `amount` is an integer', '`amount` is an integer'],
  ['*(lexer)* [**breaking**] Spans are half-open', '*(lexer)* Spans are half-open'],
  ['**lexer:** [BREAKING CHANGE]: Spans are half-open', '**lexer:** Spans are half-open'],
  ['Breaking news', 'Breaking news'],
  ['[**breaking**]', '[**breaking**]'],
  ['[fix] crash', 'Crash'],
  ['fix(ai): retry twice', 'ai: Retry twice'],
  ['feat: iPhone support', 'iPhone support'],
  ['a1b2c3d: feat: add it', 'Add it', 'a1b2c3d'],
  ['chore (ai): add it', 'ai: Add it', ''],
  ['0560977: chore (ai): add it', 'ai: Add it', '0560977'],
  ['a1b2c3d: ### Add it', 'Add it', 'a1b2c3d'],
  ['20261119 fix: add it', '20261119 fix: add it', ''],
  ['#4001 a1b2c3d Thanks @mira! - Add it', 'Add it', '#4001 · a1b2c3d · @mira'],
  ['[`a1b2c3d`](y) Thanks [@a](z), [@b](w)! - add', 'Add', '[a1b2c3d](y) · [@a](z) · [@b](w)'],
  ['Add it (#7) ([1234567](y)), closes [#7](z) [#12](x)', 'Add it', '[#7](z) · [1234567](y) · [#12](x)'],
  ['Add it (#12)', 'Add it (#12)'],
  ['#12 and #13 are one', '#12 and #13 are one'],
  ['20260101 is its date', '20260101 is its date'],
  ['@mira found it', '@mira found it'],
  ['Faster[^1], [^2] and smaller[^a-note]', 'Faster, and smaller'],
  ['Match [^a-z]+ and `x[^1]`', 'Match [^a-z]+ and `x[^1]`'],
])('%s is read as %s', (title, shown, tail = '') => {
  const [change] = changes(['breaking', title]) as [Change]
  expect(showChange(change)).toMatchObject({ title: shown, tail })
})

test('the name of a heading is said once, and not in front of each change below it', () => {
  const named = ['a', 'b', 'c'].map((title): [string, string] => ['fixed', `**Command line:** ${title}`])
  const groups = groupChanges(
    changes(...named, ['fixed', '**core:** d'], ['fixed', '**Two words:** e']),
    ownHeading,
  )
  expect(groups.map(({ heading, changes }) => [heading, ...changes.map(({ title }) => title)])).toEqual([
    ['Fixed: Command line', 'a', 'b', 'c'],
    ['Fixed', '**core:** d', '**Two words:** e'],
  ])
})

describe('of many changes', () => {
  test('a list shows some of each heading, in the order of the author', () => {
    const groups = groupChanges(
      changes(...times('added', 21), ...times('changed', 2), ...times('fixed', 25)),
      ownHeading,
    )
    const clamped = clampGroups(groups, 12)
    expect(sizes(clamped)).toEqual(['Added 5', 'Changed 2', 'Fixed 5'])
    expect(clamped[2]?.changes.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4].map((at) => `fixed ${at}`))
  })

  test('those that break something or are about security are always among them', () => {
    const marked = changes(...times('added', 40), ['changed', 'feat!: new'], ...times('security', 14))
    const clamped = clampGroups(groupChanges(marked, ownHeading), 12)
    expect(sizes(clamped)).toEqual(['Security 14', 'Added 1'])
  })

  test('people and packages are shown only where there is room', () => {
    const all = changes(...times('dependencies', 30), ...times('fixed', 10))
    expect(sizes(clampGroups(groupChanges(all, ownHeading), 12))).toEqual(['Fixed 10', 'Dependencies 2'])
  })
})

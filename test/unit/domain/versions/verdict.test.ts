import { describe, expect, test } from 'bun:test'
import type { Change } from '../../../../src/domain/records.ts'
import { onlyUpdatesDependencies } from '../../../../src/domain/versions/marks.ts'
import {
  foldedOn,
  judgeUpgrade,
  type PassedRelease,
  type Step,
  withTextsAround,
} from '../../../../src/domain/versions/verdict.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

const change = (text: string): Change => {
  const [type = '', title = ''] = text.split(/: (.*)/s)
  return { id: text, type, typeLabel: null, title, description: null }
}

const release = (label: string, day: number | null, ...changes: string[]): PassedRelease => ({
  ...{ id: label, label, title: label, folded: null },
  date: day === null ? null : START + day * DAY,
  changes: changes.map(change),
})

const named = (steps: Step[]) =>
  steps.map(({ version, changes }) => [version.label, ...changes.map((each) => each.change.id)])

describe('the verdict of an upgrade', () => {
  test('counts majors, what breaks, what is about security and the time, by precedence and not by date', () => {
    const verdict = judgeUpgrade('2.3.1', START, [
      release('2.4.1', 430, 'security: A hole'),
      release('4.0.0', 426, 'breaking: E', 'removed: F', 'breaking: Fix CVE-2026-1234'),
      release('3.4.0', 300, 'changed: **Breaking:** D'),
      release('3.0.0', 170, 'breaking: B', 'breaking: C'),
      release('2.4.0', 30, 'breaking: A'),
    ])
    const { majors, breaking, security, span, unmarked } = verdict
    expect([majors, breaking, security.length, unmarked]).toEqual([2, 6, 2, []])
    expect(span).toEqual({ count: 14, unit: 'month' })
    expect(named(verdict.checklist)).toEqual([
      ['2.4.0', 'breaking: A'],
      ['3.0.0', 'breaking: B', 'breaking: C', 'changed: **Breaking:** D'],
      ['4.0.0', 'breaking: E', 'breaking: Fix CVE-2026-1234'],
    ])
    expect(named(verdict.lookFirst)).toEqual([['4.0.0', 'removed: F']])
    expect(verdict.releases.map(({ label }) => label)).toEqual(['2.4.0', '2.4.1', '3.0.0', '3.4.0', '4.0.0'])
  })

  test('names a major of which its author marks nothing, with what to look at first', () => {
    const changes = ['added: X', 'changed: Faster', 'deprecated: Y', 'changed: Other default', 'removed: Z']
    const { unmarked, lookFirst, majors, breaking } = judgeUpgrade('v1.9.0', null, [
      release('v5.0.0', null, 'changes: A', 'fixed: B', 'breaking: C'),
      release('v4.1.0', null, 'changed: Drop support for Node 12', 'breaking: Later'),
      release('v4.0.0', null, 'fixed: B'),
      release('v3.0.0', null, 'breaking: It'),
      release('v2.1.0', null, 'removed: Not of the major itself'),
      release('v2.0.0', null, ...changes),
      release('v1.10.0', null, 'removed: Of no new major'),
    ])
    expect([majors, breaking]).toEqual([4, 3])
    expect(unmarked.map(({ label }) => label)).toEqual(['v2.0.0', 'v4.0.0'])
    expect(named(lookFirst)).toEqual([
      ['v1.10.0', 'removed: Of no new major'],
      [
        'v2.0.0',
        'removed: Z',
        'removed: Not of the major itself',
        'changed: Faster',
        'changed: Other default',
        'deprecated: Y',
      ],
      ['v4.0.0', 'changed: Drop support for Node 12'],
    ])
    const silent = judgeUpgrade('1.0.0', null, [release('2.0.0', null, 'changes: A', 'fixed: B')])
    expect([silent.breaking, named(silent.lookFirst)]).toEqual([0, [['2.0.0', 'changes: A']]])
  })

  test('has under a release what only its pre-releases mark, once', () => {
    const folded = (label: string, ...changes: string[]) =>
      ({ ...release(label, 1, ...changes), folded: 'prerelease' }) as const
    const verdict = judgeUpgrade('1.0.0', START, [
      release('2.1.0', 4, 'added: B'),
      release('2.0.0', 3, 'breaking: Call `open()` first (#12)'),
      folded(
        '2.0.0-rc.1',
        'breaking: a1b2c3d: Call `open()` first ([#12](https://example.com/12))',
        'added: X',
      ),
      folded('2.0.0-beta.2', 'security: A hole', 'breaking: It throws'),
      folded('2.0.0-beta.1', 'breaking: It throws'),
    ])
    const texts = verdict.checklist.map(({ version, changes }) => [
      version.label,
      ...changes.map((each) => `${each.version.label} ${each.change.title}`),
    ])
    expect(texts).toEqual([['2.0.0', '2.0.0 Call `open()` first (#12)', '2.0.0-beta.1 It throws']])
    expect(verdict.security.map(({ version }) => version.label)).toEqual(['2.0.0-beta.2'])
    expect([verdict.breaking, verdict.changes.length, verdict.unmarked]).toEqual([2, 4, []])
  })

  test('lists what its author marks twice once, and takes a number alone for all of a major', () => {
    const { breaking, majors, unmarked } = judgeUpgrade('2', START, [
      release(
        '3.0.0',
        3,
        'breaking: No more Node 4 (#12)',
        'added: B',
        'breaking: No more Node 4 ([a1b2c3d](https://example.com/1))',
      ),
      release('2.0.1', 2, 'fixed: B'),
    ])
    expect([breaking, majors, unmarked]).toEqual([1, 1, []])
  })

  test('looks at the pre-releases and the notes on compatibility of a major of which nothing is marked', () => {
    const early = {
      ...release('2.0.0-rc.1', 1, 'changed: Other order', 'fixed: C'),
      folded: 'prerelease' as const,
    }
    const { lookFirst, changes } = judgeUpgrade('1.0.0', START, [
      release(
        '2.0.0',
        2,
        'changed: Fix a crash',
        'changed: Faster',
        'compatibility-notes: Paths are absolute',
      ),
      early,
    ])
    expect(named(lookFirst)).toEqual([
      ['2.0.0', 'compatibility-notes: Paths are absolute', 'changed: Faster', 'changed: Other order'],
    ])
    expect(changes).toHaveLength(3)
  })

  test.each([
    [13, 13, 'day'],
    [0.2, 1, 'day'],
    [21, 3, 'week'],
    [61, 2, 'month'],
    [731, 24, 'month'],
    [1_500, 4, 'year'],
  ] as const)('says %d days as %d %ss', (days, count, unit) => {
    expect(judgeUpgrade('1.0.0', START, [release('1.1.0', days)]).span).toEqual({ count, unit })
  })

  test('says no time without dates, and takes neither years nor other labels for majors', () => {
    const undated = judgeUpgrade('2024.1', START, [release('2026.3', null), release('2025.1', null)])
    expect([undated.span, undated.majors, undated.unmarked]).toEqual([null, 0, []])
    const nightly = judgeUpgrade('nightly-1', START, [release('nightly-3', 2), release('nightly-2', 1)])
    expect([nightly.majors, nightly.releases.map(({ label }) => label)]).toEqual([
      0,
      ['nightly-2', 'nightly-3'],
    ])
  })

  test('folds the pre-releases of a release, and what only updates dependencies', () => {
    const fold = (to: string, label: string, ...changes: string[]) =>
      foldedOn({ label: to }, { label, prerelease: null, description: null }, changes.map(change))
    expect(fold('2.0.0', '2.0.0-rc.1', 'added: X')).toBe('prerelease')
    expect(fold('2.0.0-rc.2', '2.0.0-rc.1', 'added: X')).toBeNull()
    expect(fold('2.0.0', '1.2.3', 'changed: Bump a from 1.0 to 1.1')).toBe('dependencies')
    expect(fold('2.0.0', '2.0.0', 'changed: Updated dependencies')).toBeNull()
    const folded = { ...release('2.0.0-rc.1', 1, 'breaking: X'), folded: 'prerelease' as const }
    const verdict = judgeUpgrade('1.0.0', START, [release('2.0.0', 2, 'breaking: X'), folded])
    expect([verdict.breaking, verdict.releases.length, verdict.folded.length]).toEqual([1, 1, 1])
  })

  test('takes what the texts around changes say of what breaks for a change, unless it only announces those below', () => {
    const version = { id: 'v', description: 'New.\n\n## Breaking changes\n\nCall `open()` first.' }
    expect(withTextsAround(version, [])).toMatchObject([
      { type: 'breaking', title: 'Breaking changes', description: 'Call `open()` first.' },
    ])
    const announced = { id: 'v', description: 'This release contains breaking changes.' }
    expect(withTextsAround(announced, [change('breaking: A')])).toHaveLength(1)
  })
})

describe('a release only updates dependencies', () => {
  const isSo = (changes: string[], introduction: string | null = null) =>
    onlyUpdatesDependencies(changes.map(change), introduction)
  const LINK = '[1.2.0](https://github.com/acme/core/compare/core@1.1.0...core@1.2.0)'

  test.each([
    'changed: Bump lodash from 4.17.20 to 4.17.21',
    'changed: chore(deps): update dependency vite to v7',
    'patch-changes: Updated dependencies [a1b2c3d]',
    'dependencies: lodash 4.17.21',
    'other: **Note:** Version bump only for package @acme/core',
    'changed: Update `esbuild` to 0.25.1',
    'changed: Update `eslint` from `8.0.0` to `8.1.0`',
    'bug-fixes: **deps:** update dependency through2 to v4 ([#657](https://example.com))',
  ])('%s', (each) => {
    expect(isSo([each])).toBe(true)
    expect(isSo([each, 'added: Search'])).toBe(false)
    expect(isSo([each, 'contributors: @mira'])).toBe(true)
    expect(isSo([each], 'The last one of its line.')).toBe(false)
    expect(isSo([each], LINK) && isSo([], `**Note:** Version bump only for core\n\n${LINK}`)).toBe(true)
  })

  test.each([
    'changed: Update the documentation',
    'changed: Upgrade to the new client',
    'changed: Bump the limit to 100 requests',
    'changed: Bump timeout from 10 to 30',
    'changed: Update the REST API from v1 to v2',
    'changed: Update payments to v3',
    'changed: Bump undici from 5.0.0 to 5.28.4 to fix CVE-2024-30260',
    'contributors: @mira',
  ])('not with %s', (each) => {
    expect(isSo([each])).toBe(false)
  })
})

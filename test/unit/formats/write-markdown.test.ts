import { describe, expect, test } from 'bun:test'
import { parseMarkdown } from '../../../src/formats/lines/read.ts'
import type { ParsedVersion } from '../../../src/formats/parsed.ts'
import { parseReleases } from '../../../src/formats/releases/read.ts'
import { writeMarkdown } from '../../../src/formats/write-markdown.ts'
import { contentOf } from './outline.ts'

// What is read from a file survives an export: cases.test.ts tries that with all of its files.

type Version = Omit<ParsedVersion, 'line'>
const version = (more: Partial<Version>): Version => ({
  ...{ label: '1.0.0', title: '1.0.0', date: Date.parse('2024-01-02'), status: 'published' },
  ...{ description: null, changes: [] },
  ...more,
})
const change = (title: string, type = 'added') => ({ type, title, description: null })

const readBack = (...versions: Version[]): Version[] =>
  parseMarkdown(writeMarkdown(null, versions)).versions.map(contentOf)

test('a scheduled version says so in a comment, and is read back as one', () => {
  const scheduled = version({ status: 'draft', scheduled: true, date: Date.parse('2099-12-01T09:00:00Z') })
  expect(writeMarkdown(null, [scheduled])).toBe('## [1.0.0] - 2099-12-01 <!-- scheduled 09:00:00.000Z -->\n')
  for (const one of [scheduled, { ...scheduled, date: Date.parse('2099-12-01') }])
    expect(readBack(one)).toEqual([one])
  const titled = { ...scheduled, title: 'x <!-- scheduled -->', scheduled: false }
  expect(readBack(titled)[0]).toMatchObject({ title: titled.title, status: 'draft' })
  expect(readBack(titled)[0]).not.toHaveProperty('scheduled')
})

test('the newest version of an export stays on top, though its number is lower than the next one', () => {
  const [patch, major] = ['1.9.1', '2.0.0'].map((label) => version({ label, title: label, date: null }))
  const text = writeMarkdown('Ours.', [patch as Version, major as Version])
  expect(parseMarkdown(text)).toMatchObject({ isNewestFirst: true, preamble: 'Ours.' })
  expect(parseMarkdown(writeMarkdown('Ours.', [major as Version, patch as Version]))).not.toHaveProperty(
    'isNewestFirst',
  )
})

describe('the written file', () => {
  test('is a clean Keep a Changelog', async () => {
    const file = new URL('./cases/files/keep-a-changelog.md', import.meta.url)
    const parsed = parseMarkdown(await Bun.file(file).text())
    expect(writeMarkdown(parsed.preamble, parsed.versions)).toBe(`# Changelog

All notable changes to this project are documented in this file.

[0.9.0]: https://example.com/releases/0.9.0

## [Unreleased]

### Added

- A dark theme.

## [1.1.0] - 2024-02-03 [YANKED]

A release that went wrong.

### Fixed

- The export no longer forgets [drafts](https://example.com/docs/drafts).

- Long names wrap.

  They used to run out of the box:

  | name | width |
  |------|-------|
  | long | 400   |

### Security

- Sessions end after a day.

## [1.0.0] - 2024-01-02 - The big one

### Added

- Everything.

[Unreleased]: https://example.com/compare/v1.1.0...HEAD
[1.1.0]: https://example.com/compare/v1.0.0...v1.1.0
`)
  })

  test('of nothing is empty', () => {
    expect(writeMarkdown(null, [])).toBe('')
  })
})

describe('these read back the same', () => {
  test.each<[string, Partial<Version>]>([
    ['a draft with a date', { status: 'draft' }],
    ['a draft without one', { status: 'draft', date: null }],
    ['a published version without a date', { date: null }],
    ['Unreleased that is published', { label: 'Unreleased', title: 'Unreleased', date: null }],
    ['a time of day', { date: Date.parse('2024-01-02T03:04:05.678Z') }],
    ['a title that is a date', { title: 'July 30, 2021', date: null }],
    ['a title with a day in eight digits', { title: 'Release 20260102:', date: null }],
    ['a title that ends like a heading', { title: 'C #' }],
    ['a title that begins with a dash', { title: '- dashed' }],
    ['a title that ends with a comment of ours', { title: 'x <!-- draft -->' }],
    ['a title with half a comment', { title: 'x <!-- y', status: 'draft' }],
    ['a label with marks in it', { label: 'a]b[*c*_d_`<e>&amp;\\', title: 'x' }],
    ['a label that is a word', { label: 'nightly', title: 'nightly', date: null }],
    ['a description with a heading', { description: '## 0.9.0\n\ntext' }],
    ['a description with a number behind a mark of headings', { description: 'x\n##0.9.0\ny' }],
    ['a description that begins with a date', { description: '2024-01-02 • x', date: null }],
    [
      'a description whose first line is a time',
      { description: 'Tue, 06 Oct 2026 00:04:37 GMT\nx', date: null },
    ],
    ['a description that quotes a date', { description: '> 10 June 2018', date: null }],
    ['a description with a list', { description: 'See:\n\n- this\n- that' }],
    ['a description with an open fence', { description: '```\n## 0.9.0' }],
    ['a description with an open comment', { description: '<!-- x' }],
    ['a description that is a date', { description: '2024-01-02', date: null }],
    ['a description that is a version', { description: '0.9.0 - 2024-01-02' }],
    [
      'a description that ends as a version begins',
      { description: 'x\n\n**1.2.0** <small>_May 2, 2020_</small>' },
    ],
    [
      'a link whose label is also a word in brackets',
      { description: '[1.0.0](https://example.com)', changes: [change('as in [1.0.0]')] },
    ],
    [
      'changes whose types come and go',
      { changes: ['fixed', 'added', 'fixed'].map((type) => change('x', type)) },
    ],
  ])('%s', (_, more) => {
    const one = version({ changes: [change('x')], ...more })
    expect(readBack(one, version({ label: '0.1.0', title: '0.1.0' }))[0]).toEqual(one)
  })

  test.each([
    ...[
      '# x',
      '- x',
      '1. x',
      '> x',
      '```',
      '~~~ x',
      '---',
      '* * *',
      '[x]: y',
      '<!-- x',
      '<!-- description -->',
    ],
    ...['<pre>x', '[ ] todo', '<b>x</b>', '<div>', '&amp; \\* x'],
  ])('a change called %s', (title) => {
    const changes = [{ ...change(title), description: '```\nopen' }, change('y')]
    expect(readBack(version({ changes }))[0]?.changes).toEqual(changes)
  })

  test.each(['added', 'bug-fixes', 'unreleased', 'v7', '2024-01-02', '1-2-0', 'ß', 'исправлено', '日本語'])(
    'a change of type %s',
    (type) => {
      const changes = [change('x', type)]
      expect(readBack(version({ changes, date: null }))[0]?.changes).toEqual(changes)
    },
  )

  test.each(['1. <pre>\n\tx', '1. <pre>\n   \tx', '- ```\n\t\tx\n  ```'])(
    'HTML or code in a list that a tab indents: %j',
    (text) => {
      const releases = JSON.stringify([{ tag_name: 'x', body: `## 1.1.0\n${text}` }])
      const read = parseReleases(releases, 'github').versions
      expect(readBack(...read)[0]?.changes).toEqual(read[0]?.changes)
    },
  )

  test('a preamble that looks like a version', () => {
    const { preamble, versions } = parseMarkdown(writeMarkdown('# 3.0.0\n\nwords', [version({})]))
    expect(preamble).toBe('# 3.0.0\n\nwords')
    expect(versions.map(({ label }) => label)).toEqual(['1.0.0'])
  })
})

test('a description that may be a section stays one above a closing text, and code above a change code', () => {
  const again = (text: string) => {
    const { preamble, versions } = parseMarkdown(text)
    return writeMarkdown(preamble, versions)
  }
  const written = writeMarkdown(null, [version({ date: null, description: 'Fixed:', closing: 'More.' })])
  expect(again(written)).toBe(written)
  const code = again('[code]: https://x.org\n\n## [1.0]\n\n#### words\n\n      [code]\n-\t')
  expect(code).toContain('        [code]')
  expect(again(code)).toBe(code)
})

import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { parseMarkdown } from '../../../src/formats/keepachangelog/read.ts'
import { writeMarkdown } from '../../../src/formats/keepachangelog/write.ts'
import type { ParsedVersion } from '../../../src/formats/parsed.ts'
import { parseReleases } from '../../../src/formats/releases/read.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)

function version(more: Partial<ParsedVersion>): ParsedVersion {
  return {
    label: '1.0.0',
    title: '1.0.0',
    date: Date.parse('2024-01-02'),
    status: 'published',
    description: null,
    changes: [],
    line: 1,
    ...more,
  }
}

function readBack(...versions: ParsedVersion[]): Omit<ParsedVersion, 'line'>[] {
  return parseMarkdown(writeMarkdown(null, versions)).versions.map(({ line: _, ...rest }) => rest)
}

test('a scheduled version says so in a comment, and is read back as one', () => {
  const scheduled = version({
    status: 'draft',
    scheduled: true,
    date: Date.parse('2099-12-01T09:00:00Z'),
  })
  expect(writeMarkdown(null, [scheduled])).toBe('## [1.0.0] - 2099-12-01 <!-- scheduled 09:00:00.000Z -->\n')
  for (const date of ['2099-12-01T09:00:00Z', '2099-12-01']) {
    const { line: _, ...wanted } = { ...scheduled, date: Date.parse(date) }
    expect(readBack({ ...scheduled, date: Date.parse(date) })).toEqual([wanted])
  }
  const titled = { ...scheduled, title: 'x <!-- scheduled -->', scheduled: false }
  expect(readBack(titled)[0]).toMatchObject({ title: titled.title, status: 'draft' })
  expect(readBack(titled)[0]).not.toHaveProperty('scheduled')
})

describe('the written file', () => {
  test('is a clean Keep a Changelog', async () => {
    const parsed = parseMarkdown(await Bun.file(new URL('keep-a-changelog.md', fixtures)).text())
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

  test.each(readdirSync(fixtures).filter((name) => /\.(md|txt)$/.test(name)))(
    'of %s reads back the same',
    async (name) => {
      const first = parseMarkdown(await Bun.file(new URL(name, fixtures)).text())
      const second = parseMarkdown(writeMarkdown(first.preamble, first.versions))
      const content = ({ versions, preamble }: typeof first) => [
        preamble,
        versions.map((one) => ({ ...one, line: 0 })),
      ]
      expect(content(second)).toEqual(content(first))
    },
  )

  test('of nothing is empty', () => {
    expect(writeMarkdown(null, [])).toBe('')
  })
})

describe('these read back the same', () => {
  test.each<[string, Partial<ParsedVersion>]>([
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
    ['a description with a list', { description: 'See:\n\n- this\n- that' }],
    ['a description with an open fence', { description: '```\n## 0.9.0' }],
    ['a description with an open comment', { description: '<!-- x' }],
    ['a description that is a date', { description: '2024-01-02', date: null }],
    ['a description that is a version', { description: '0.9.0 - 2024-01-02' }],
  ])('%s', (_, more) => {
    const one = version({ changes: [{ type: 'added', title: 'x', description: null }], ...more })
    const other = version({ label: '0.1.0', title: '0.1.0' })
    const { line: _line, ...expected } = one
    expect(readBack(one, other)[0]).toEqual(expected)
  })

  test.each([
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
    '<pre>x',
    '[ ] todo',
    '<b>x</b>',
    '<div>',
    '&amp; \\* x',
  ])('a change called %s', (title) => {
    const changes = [
      { type: 'added', title, description: '```\nopen' },
      { type: 'added', title: 'y', description: null },
    ]
    expect(readBack(version({ changes }))[0]?.changes).toEqual(changes)
  })

  test.each(['added', 'bug-fixes', 'unreleased', 'v7', '2024-01-02', '1-2-0', 'ß', 'исправлено', '日本語'])(
    'a change of type %s',
    (type) => {
      const changes = [{ type, title: 'x', description: null }]
      expect(readBack(version({ changes, date: null }))[0]?.changes).toEqual(changes)
    },
  )

  test.each(['1. <pre>\n\tx', '1. <pre>\n   \tx', '- ```\n\t\tx\n  ```'])(
    'HTML or code in a list that a tab indents: %j',
    (text) => {
      const read = parseReleases(
        JSON.stringify([{ tag_name: 'x', body: `## 1.1.0\n${text}` }]),
        'github',
      ).versions
      expect(readBack(...read)[0]?.changes).toEqual(read[0]?.changes)
    },
  )

  test('changes whose types come and go keep their order', () => {
    const changes = ['fixed', 'added', 'fixed'].map((type) => ({ type, title: 'x', description: null }))
    expect(readBack(version({ changes }))[0]?.changes).toEqual(changes)
  })

  test('a link whose label is also a word in brackets stays a link of the heading only', () => {
    const changes = [{ type: 'added', title: 'as in [1.0.0]', description: null }]
    const one = version({ description: '[1.0.0](https://example.com)', changes })
    const { line: _, ...expected } = one
    expect(readBack(one)[0]).toEqual(expected)
  })

  test('a preamble that looks like a version', () => {
    const written = writeMarkdown('# 3.0.0\n\nwords', [version({})])
    const { preamble, versions } = parseMarkdown(written)
    expect(preamble).toBe('# 3.0.0\n\nwords')
    expect(versions.map(({ label }) => label)).toEqual(['1.0.0'])
  })
})

test('a description that may be a section stays one above a closing text, and code above a change code', () => {
  const again = (text: string) => {
    const { preamble, versions } = parseMarkdown(text)
    return writeMarkdown(preamble, versions)
  }
  const version = { label: '1.0', title: '1.0', date: null, status: 'published', changes: [] } as const
  const written = writeMarkdown(null, [{ ...version, changes: [], description: 'Fixed:', closing: 'More.' }])
  expect(again(written)).toBe(written)
  const code = again('[code]: https://x.org\n\n## [1.0]\n\n#### words\n\n      [code]\n-\t')
  expect(code).toContain('        [code]')
  expect(again(code)).toBe(code)
})

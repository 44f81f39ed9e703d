import { describe, expect, test } from 'bun:test'
import { checkChange, checkVersion } from '../../../src/domain/rules.ts'
import { parseMarkdown } from '../../../src/formats/keepachangelog/read.ts'
import { writeMarkdown } from '../../../src/formats/keepachangelog/write.ts'
import { onePerCause, type ParsedVersion } from '../../../src/formats/parsed.ts'

const fixture = (name: string) => Bun.file(new URL(`../../fixtures/${name}`, import.meta.url)).text()
const day = (iso: string) => Date.parse(`${iso}T00:00:00Z`)

function only(text: string): ParsedVersion {
  const { versions } = parseMarkdown(text)
  expect(versions).toHaveLength(1)
  return versions[0] as ParsedVersion
}

describe('a version heading', () => {
  test.each([
    ['## [1.2.0] - 2024-01-02', '1.2.0', '1.2.0'],
    ['## 1.2.0 (2024-01-02)', '1.2.0', '1.2.0'],
    ['## v1.2.0 - 2024-01-02', 'v1.2.0', 'v1.2.0'],
    ['# 1.2.0 2024-01-02', '1.2.0', '1.2.0'],
    ['### 1.2.0 / 2024-01-02', '1.2.0', '1.2.0'],
    ['## **1.2.0** — January 2, 2024', '1.2.0', '1.2.0'],
    ['## 1.2.0, 2nd Jan 2024', '1.2.0', '1.2.0'],
    ['## 1.2.0 (Tue Jan 02 2024)', '1.2.0', '1.2.0'],
    ['## 1.2.0 (released on 2024-01-02)', '1.2.0', '1.2.0'],
    ['## <small>1.2.0 (2024-01-02)</small>', '1.2.0', '1.2.0'],
    ['## Version 1.2.0 (2024/01/02)', '1.2.0', 'Version 1.2.0'],
    ['## Product 1.2.0 (2024-01-02)', '1.2.0', 'Product 1.2.0'],
    ['## 2024-01-02, Version 1.2.0 (Current), @someone', '1.2.0', 'Version 1.2.0 (Current), @someone'],
    ['## @scope/name@1.2.0 - 2024-01-02', '@scope/name@1.2.0', '@scope/name@1.2.0'],
    ['## 1.2.0-rc.1+build.5 - 2024-01-02', '1.2.0-rc.1+build.5', '1.2.0-rc.1+build.5'],
    ['## [1.2.0] - 2024-01-02 [YANKED]', '1.2.0', '1.2.0 [YANKED]'],
    ['## 1.2.0 - 2024-01-02 - The *big* one', '1.2.0', 'The *big* one'],
    ['## 1.2.0 "The big one" (2024-01-02)', '1.2.0', '"The big one"'],
    ['## [nightly] - 2024-01-02', 'nightly', 'nightly'],
    ['1.2.0 / 2024-01-02\n==================', '1.2.0', '1.2.0'],
    ['1.2.0 - January 2, 2024', '1.2.0', '1.2.0'],
  ])('%s has label, title and date', (heading, label, title) => {
    const version = only(`${heading}\n\n- a change\n`)
    expect(version).toMatchObject({ label, title, date: day('2024-01-02'), status: 'published' })
    expect(version.changes.map((change) => change.title)).toEqual(['a change'])
  })

  test('with a link keeps it at the end of the description', () => {
    const text = '## [1.2.0](https://example.com/compare) (2024-01-02)\n\nWords.\n\n- a change\n'
    expect(only(text).description).toBe('Words.\n\n[1.2.0](https://example.com/compare)')
  })

  test('without brackets gets the link that is defined for its label', () => {
    const text = '## 1.2.0 - 2024-01-02\n\n- a change\n\n[1.2.0]: https://example.com/compare\n'
    expect(only(text).description).toBe('[1.2.0](https://example.com/compare)')
  })

  test('inside code or inside an item is text', () => {
    const version = only('## 1.2.0\n\n- a change\n\n  ## 1.1.0\n\n  ```\n  ## 1.0.0\n  ```\n')
    expect(version.changes[0]?.description).toBe('## 1.1.0\n\n```\n## 1.0.0\n```')
  })

  test('inside a comment is no version', () => {
    expect(parseMarkdown('<!--\n## 1.0.0\n-->\n\n## 1.1.0\n').versions.map(({ label }) => label)).toEqual([
      '1.1.0',
    ])
  })

  test('that is about a version is a section', () => {
    const version = only('## 2.0.0 - 2024-01-02\n\n### 2.0 migration\n\n- read this\n')
    expect(version.changes[0]?.type).toBe('2-0-migration')
  })

  test('has an indented list below it, which is no code', () => {
    const text =
      '## 1.1.0\n    - one\n      more\n    - two\n\n**1.0.0**\n\n\t* three\n\n```\n# x\n    - y\n```\n'
    const { versions } = parseMarkdown(text)
    expect(versions.map(({ changes }) => changes.map(({ title }) => title))).toEqual([
      ['one more', 'two'],
      ['three'],
    ])
    expect(versions[1]?.changes[0]?.description).toBe('```\n# x\n    - y\n```')
  })

  test.each([
    ['days', ['2013.9.16', '2013.9.3', '2013.8.21'], ['2013-09-16', '2013-09-03', '2013-08-21']],
    ['numbers in a row', ['2021.4.15', '2021.4.14', '2021.4.13'], []],
    ['numbers that are no days', ['2021.4.15', '2021.4.0'], []],
    ['numbers early in their months', ['2021.5.2', '2021.4.6'], []],
  ])('may be a label of %s', (_, labels, days) => {
    const { versions } = parseMarkdown(labels.map((label) => `## ${label}\n\n- x\n`).join('\n'))
    const dates = versions.flatMap(({ date }) =>
      date === null ? [] : new Date(date).toISOString().slice(0, 10),
    )
    expect(versions.map(({ label }) => label)).toEqual(labels)
    expect(dates).toEqual(days)
  })

  test.each([
    ...['2024-02-31', '2026-13-45', '2026/11/31', '2026.11.31', '31.04.2024', '04/31/2024', '31-Apr-2024'],
    ...['31 April 2024', '31. April 2024', 'April 31, 2024', 'Wed, 31 April 2024', '2026-11-30 25:00'],
  ])('with %s has no date, keeps that as a remark and reports its line', (text) => {
    for (const heading of [`## [1.2.0] - ${text}`, `## 1.2.0 (${text})`, `## v1.2.0 / ${text}`]) {
      const { versions, warnings } = parseMarkdown(`# Changelog\n\n${heading}\n\n- x\n`)
      const label = heading.includes('v1') ? 'v1.2.0' : '1.2.0'
      expect(versions).toMatchObject([{ label, title: `${label} (${text})`, date: null, falseDate: text }])
      expect(warnings[0]).toMatchObject({
        ...{ line: 3, message: `${text} is not a date: there is no such day or time, kept as text` },
      })
      const again = parseMarkdown(writeMarkdown(null, versions)).versions
      expect(again).toMatchObject([{ label, title: `${label} (${text})`, date: null }])
    }
  })

  test.each([
    ...['2026-11-3l', '2026-11-1O', '2O26-11-30', '2026-111-01', '20226-11-01', '20261131', '26-11-31'],
    ...['0000-00-00', '2026–11–31', '2026_11_31', 'Feburary 3, 2024', '3 Feburary 2024'],
    ...['2026 - 11 - 31', 'Nov 31', '31 November', '31/11/26'],
  ])('with the mistyped date %s has no title, and reports it', (text) => {
    for (const heading of [`## [1.2.0] - ${text}`, `## 1.2.0 - Released ${text}`]) {
      const { versions, warnings } = parseMarkdown(`${heading}\n\n- x\n`)
      expect(versions).toMatchObject([{ title: `1.2.0 (${text})`, date: null, falseDate: text }])
      expect(warnings[0]?.message).toStartWith(`${text} is not a date`)
    }
  })

  test.each([
    ['2026-11-31 (yanked)', '(2026-11-31) (yanked)'],
    ['2026-11-3l [YANKED]', '(2026-11-3l) [YANKED]'],
    ['Released 2026-11-31', '(2026-11-31)'],
    ['**2025-02-29**', '(2025-02-29)'],
    ['2026-11-10-', '(2026-11-10)'],
  ])('with %s has no title either', (text, remark) => {
    expect(only(`## [1.2.0] - ${text}\n\n- x\n`)).toMatchObject({ title: `1.2.0 ${remark}`, date: null })
  })

  test.each([
    ...[
      '24/7/365',
      '1-2-3',
      '2026 roadmap',
      '10-20-30 rule',
      '20201120 build',
      'Summer 3, 2024',
      'Update 3 2024',
    ],
    ...['Part 3', 'Over 9000-10-10 things', 'Solo-ll-oI', 'The 2026-11-3l typo', '12345678'],
  ])('with the title %s keeps it', (title) => {
    expect(only(`## [1.2.0] - ${title}\n\n- x\n`)).toMatchObject({ title, date: null })
    expect(only(`## [1.2.0] - ${title}\n\n- x\n`).falseDate).toBeUndefined()
  })

  test('with dashes of another kind between the parts of its date has that date', () => {
    for (const date of ['2026–11–10', '2026—11—10', '2026‑11‑10', '2026−11−10'])
      expect(only(`## [1.2.0] - ${date}\n\n- x\n`)).toMatchObject({
        ...{ title: '1.2.0', date: Date.UTC(2026, 10, 10) },
      })
  })

  test('with such a text and a title keeps both; within a title it is no attempt at a date', () => {
    const { versions, warnings } = parseMarkdown('## 1.2.0 - 2026-11-31 - Big one\n\n- x\n')
    expect(versions[0]).toMatchObject({ title: '2026-11-31 - Big one', date: null })
    expect(warnings[0]?.message).toStartWith('2026-11-31 is not a date')
    expect(only('## 1.2.0 - Handle 2024-02-30 gracefully\n').falseDate).toBeUndefined()
    expect(only('## 1.2.0 - 12.34.5678\n').falseDate).toBeUndefined()
  })

  test('with such a text below it, or instead of it, says so too', () => {
    const below = parseMarkdown('## 1.2.0\n\n*Released 2026-02-30*\n\n- x\n')
    expect(below.versions[0]).toMatchObject({ date: null, description: '*Released 2026-02-30*' })
    expect(below.warnings[0]?.message).toStartWith('2026-02-30 is not a date')
    const { warnings } = parseMarkdown('## 2026-11-30\n\n- x\n\n## 2026-11-31\n\n- y\n')
    expect(warnings).toMatchObject([
      {
        ...{ line: 5 },
        message: '"2026-11-31" is not a date, so it begins no version, kept as a part of version 2026-11-30',
      },
    ])
  })

  test('with a date that can be read in two ways says so', () => {
    const { versions, warnings } = parseMarkdown('## 1.2.0 (03/04/2024)\n')
    expect(versions[0]?.date).toBe(day('2024-03-04'))
    expect(warnings).toMatchObject([
      { line: 1, message: 'the date may be day/month or month/day, read as month/day' },
    ])
  })
})

describe('drafts', () => {
  test('are Unreleased, whatever its spelling, and versions whose date is still to come', () => {
    const { versions } = parseMarkdown('## unreleased\n\n## 1.1.0 (TBD)\n\n## 1.0.0 - 2024-01-02\n')
    expect(versions.map(({ label, status }) => [label, status])).toEqual([
      ['Unreleased', 'draft'],
      ['1.1.0', 'draft'],
      ['1.0.0', 'published'],
    ])
  })

  test('are versions without a date above all that have one, each with a line to look at', () => {
    const text = '## 1.2.0\n\n- x\n\n## 1.1.0 - 2024-01-02\n\n## 1.0.1\n\n## 1.0.0 - 2024-01-01\n'
    const { versions, warnings } = parseMarkdown(text)
    expect(versions.map(({ status }) => status)).toEqual(['draft', 'published', 'published', 'published'])
    expect(warnings).toEqual([
      { line: 1, message: 'no date, kept as a draft' },
      { line: 7, message: 'no date, published without one' },
    ])
  })

  test('are not all versions of a file that has no dates', async () => {
    const { versions, warnings } = parseMarkdown(await fixture('changesets.md'))
    expect(versions.map(({ status }) => status)).toEqual(['published', 'published'])
    expect(onePerCause(warnings)).toMatchObject([
      { message: expect.stringContaining('published without one (2 times') },
    ])
  })
})

describe('content', () => {
  test('of any form can be stored: nothing refuses a file', () => {
    const lines = [
      '### ** NOTICE **',
      '### __ x __',
      '### \u00a0',
      '### a\u0007b',
      '- \u00a0',
      `- ${'x'.repeat(1_000_001)}`,
    ]
    const headings = ['## 1.0.0 \u0007', `## [ver_${'0'.repeat(26)}]`, '## [a\u0007b]', '## [\tx]']
    for (const line of lines)
      for (const heading of headings)
        for (const version of parseMarkdown(`${heading}\n\n${line}\n\n- x\n`).versions) {
          checkVersion(version)
          for (const change of version.changes) checkChange(change)
        }
    expect(only('## 1.0.0\n\n### ** NOTICE **\n\n- x\n').changes).toMatchObject([{ typeLabel: 'NOTICE' }])
  })

  test('in brackets with a colon is text unless it has an address', () => {
    expect(only('## 1.0.0\n\n- [B]: Breaking\n- [A] added\n').changes).toMatchObject([
      { title: '[B]: Breaking' },
      { title: '[A] added' },
    ])
  })

  test('of a heading keeps the address of a link without text', () => {
    expect(only('## [](https://example.com/compare) 1.0.0\n\n- x\n').description).toBe(
      '[1.0.0](https://example.com/compare)',
    )
    expect(only('# [](https://example.com/compare) (2018-01-02)\n\n- x\n')).toMatchObject({
      ...{ label: '2018-01-02', description: '[2018-01-02](https://example.com/compare)' },
    })
  })

  test('of a heading keeps its emoji', () => {
    expect(only('## 🌈 1.15.0 `2026-04-27`\n\n- x\n')).toMatchObject({
      ...{ label: '1.15.0', title: '🌈 1.15.0', date: day('2026-04-27') },
    })
  })

  test('of a heading with a link is one change, and no type as well', () => {
    const text = '## 1.0.0\n\n#### [#12](https://example.com/12) : 📝 corrections\n\n- x\n'
    expect(only(text).changes).toEqual([
      { type: 'changed', title: '[#12](https://example.com/12) : 📝 corrections', description: null },
      { type: 'changed', title: 'x', description: null },
    ])
  })
})

describe('headings inside a version', () => {
  test('are sections, unless the file has versions there', () => {
    const dated = (number: string) => `## ${number} - 2024-01-02\n\n- x\n\n`
    const many = ['4.0', '3.5', '3.4', '3.3', '3.2'].map(dated).join('')
    const inside = '#### 2.4 In Overview\n\n- y\n\n#### G2 version 3.2.8\n\n- z\n\n#### 3.1\n\n- w\n\n'
    const { versions, warnings } = parseMarkdown(many + inside)
    expect(versions.map(({ label }) => label)).toEqual(['4.0', '3.5', '3.4', '3.3', '3.2'])
    expect(onePerCause(warnings)).toMatchObject([
      {
        message:
          'a line holds a version number but begins no version, kept as text (3 times, lines 21, 25, 29)',
      },
    ])
    const nested = '## 2.0\n\n### 2.0.1\n\n- x\n\n### 2.0.0\n\n- y\n\n## 1.0\n\n### 1.0.1\n\n- z\n'
    expect(parseMarkdown(nested).versions.map(({ label }) => label)).toEqual([
      '2.0',
      '2.0.1',
      '2.0.0',
      '1.0',
      '1.0.1',
    ])
  })

  test('about a difference are no versions, in brackets either', () => {
    expect(only('# 3.2.0 - 2024-01-02\n\n## [diff to 3.1.0]\n\n- x\n').label).toBe('3.2.0')
  })
})

test.each([
  ['# v.0.19.0 - 2018-01-14', 'v0.19.0', day('2018-01-14')],
  ['## Overview of changes in GLib 2.74.6', '2.74.6', null],
  ['### Changes between 3.0.21 and 3.0.22 [2 Jan 2024]', '3.0.22', day('2024-01-02')],
])('%s begins a version', (heading, label, date) => {
  expect(only(`${heading}\n\n- x\n`)).toMatchObject({ label, date })
})

test.each(['1.2.1 + dev', '1.2.1 (not yet released)', '1.2.1 (dev version, unpublished)'])(
  '%s is a draft',
  (heading) => {
    expect(only(`## ${heading}\n\n- x\n`)).toMatchObject({ label: '1.2.1', status: 'draft' })
  },
)

describe('a section', () => {
  test.each([
    ['### Added', 'added', undefined],
    ['### 🐛 Bug fixes', 'bug-fixes', '🐛 Bug fixes'],
    ['#### :rocket: API & *CLI* / Node.js', 'api-cli-node-js', ':rocket: API & *CLI* / Node.js'],
    ["## What's Changed", 'whats-changed', "What's Changed"],
    ['### Исправлено', 'исправлено', undefined],
    ['### ADDED', 'added', 'ADDED'],
    ['**Performance**', 'performance', undefined],
    ['**Bug Fixes:**', 'bug-fixes', 'Bug Fixes'],
    ['Bug fixes:', 'bug-fixes', undefined],
    ['Refactors', 'refactors', undefined],
    ['Other Changes', 'other-changes', 'Other Changes'],
    ['fixes:', 'fixes', 'fixes'],
    ['Ajouts :', 'ajouts', undefined],
    ['修复：', '修复', undefined],
    ['新增功能', '新增功能', undefined],
    ['**追加したファイル**：', '追加したファイル', undefined],
    ['### :zap:', 'zap', ':zap:'],
    ['### ✨', 'added', '✨'],
    ['### 🏷️', 'other', '🏷️'],
  ])(
    '%s gives its changes a type, and a heading if that is not the usual one',
    (heading, type, typeLabel) => {
      const [change] = only(`# 1.0.0\n\n${heading}\n\n- x\n`).changes
      expect(change).toEqual({ type, title: 'x', description: null, ...(typeLabel && { typeLabel }) })
    },
  )

  test('inside a section is put in front of the titles', () => {
    const { changes } = only('# 1.0.0\n\n## Features\n\n### core\n\n- x\n\n### cli\n\n- y\n')
    expect(changes.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'features **core:** x',
      'features **cli:** y',
    ])
  })

  test('with a known name gives the type even inside another one', () => {
    const { changes } = only('# 1.0.0\n\n## Server\n\n### Fixed\n\n- x\n')
    expect(changes).toEqual([{ type: 'fixed', title: '**Server:** x', description: null }])
  })

  test('without a list is one change', () => {
    const { changes } = only('# 1.0.0\n\n## Breaking\n\nThe old way is gone.\n\nUse the new one.\n')
    expect(changes).toEqual([
      { type: 'breaking', title: 'The old way is gone.', description: 'Use the new one.' },
    ])
  })

  test('that is a table is one change named after it', () => {
    const table = '| a | b |\n|---|---|\n| c | d |'
    const { changes } = only(`# 1.0.0\n\n## Commits\n\n${table}\n`)
    expect(changes).toEqual([{ type: 'commits', title: 'Commits', description: table }])
  })

  test('too long to be a type is a change by itself', () => {
    const heading = `A heading of ${'many '.repeat(15)}words`
    const { changes } = only(`# 1.0.0\n\n## ${heading}\n\n- x\n`)
    expect(changes.map(({ type, title }) => [type, title])).toEqual([
      ['changed', heading],
      ['changed', 'x'],
    ])
  })

  test('left empty by a template is reported, and any other empty one kept', () => {
    const { versions, warnings } = parseMarkdown('# 1.0.0\n\n## Added\n\n## Thanks to all\n')
    expect(versions[0]?.changes).toEqual([
      { type: 'thanks-to-all', title: 'Thanks to all', description: null },
    ])
    expect(warnings.map(({ line }) => line)).toEqual([1, 3, 5])
  })
})

describe('an item', () => {
  test('keeps nested lists, code and tables as written, moved to the margin', async () => {
    const { versions } = parseMarkdown(await fixture('keep-a-changelog.md'))
    expect(versions[1]?.changes[1]?.description).toBe(
      'They used to run out of the box:\n\n| name | width |\n|------|-------|\n| long | 400   |',
    )
  })

  test('has its reference links resolved, with their titles and inside other marks', () => {
    const text = '# 1.0.0\n\n- **[a][b]**, [b], ![c][B]\n  - [b][]\n\n[b]: <https://example.com/x y> "T"\n'
    const target = '(<https://example.com/x%20y> "T")'
    expect(only(text).changes[0]).toEqual({
      type: 'changed',
      title: `**[a]${target}**, [b]${target}, ![c]${target}`,
      description: `- [b]${target}`,
    })
  })

  test('on several lines has a title on one', () => {
    expect(only('# 1.0.0\n\n- one\n  two\nthree\n').changes[0]?.title).toBe('one two three')
  })

  test('longer than a title keeps the whole in its description', () => {
    const long = 'word '.repeat(300).trim()
    const { changes } = only(`# 1.0.0\n\n- ${long}\n\n  more\n`)
    expect(changes[0]?.title.length).toBeLessThanOrEqual(1000)
    expect(changes[0]?.title.endsWith('word…')).toBe(true)
    expect(changes[0]?.description).toBe(`${long}\n\nmore`)
  })

  test('that begins with code is named after its first words', () => {
    const { changes } = only('# 1.0.0\n\n- ```js\n  run()\n  ```\n- - deep\n')
    expect(changes.map(({ title }) => title)).toEqual(['`run()`', 'deep'])
    expect(changes.map(({ description }) => description)).toEqual(['```js\nrun()\n```', null])
  })

  test('followed by code that lacks its indentation gets it, with a line to look at', async () => {
    const { versions, warnings } = parseMarkdown(await fixture('prose-and-sections.md'))
    expect(versions[2]?.changes[1]?.description).toContain('code that lacks its indentation')
    expect(warnings).toMatchObject([
      { line: 13, message: 'numbered list under "Old", kept as text' },
      { line: 43, message: 'code after an item, kept in its description' },
    ])
  })
})

describe('a file', () => {
  test('may have a byte order mark, carriage returns and tabs', async () => {
    const version = only(await fixture('windows.md'))
    expect(version.changes).toEqual([
      { type: 'added', title: 'Tabs and carriage returns', description: '    code' },
    ])
  })

  test('keeps the text before its first version, and links that nothing uses', async () => {
    const { preamble } = parseMarkdown(await fixture('keep-a-changelog.md'))
    expect(preamble).toBe(
      '# Changelog\n\nAll notable changes to this project are documented in this file.\n\n[0.9.0]: https://example.com/releases/0.9.0',
    )
  })

  test('keeps comments in the description and drops the anchors of headings', async () => {
    const cliff = parseMarkdown(await fixture('git-cliff.md'))
    expect(cliff.versions[0]?.description).toBe('<!-- generated by git-cliff -->')
    const standard = parseMarkdown(await fixture('standard-version.md'))
    expect(JSON.stringify(standard)).not.toContain('<a name')
    expect(standard.versions.map(({ label }) => label)).toEqual(['2.0.0', '1.1.0', '1.0.1'])
  })

  test('with a label twice keeps both apart', async () => {
    const { versions, warnings } = parseMarkdown(await fixture('monorepo.md'))
    expect(versions.map(({ label }) => label)).toEqual([
      '@scope/one@1.2.0',
      '@scope/two@1.2.0',
      '3.0.0',
      '3.0.0 (2)',
    ])
    expect(warnings).toMatchObject([
      { line: 15, message: '"3.0.0" is already in line 11, kept as "3.0.0 (2)"' },
    ])
  })

  test('without versions has none, and all of it is preamble', () => {
    expect(parseMarkdown('See the website.\n')).toEqual({
      versions: [],
      warnings: [],
      preamble: 'See the website.',
    })
    expect(parseMarkdown('')).toEqual({ versions: [], warnings: [], preamble: null })
  })

  test.each([
    ['auto.md', ['release-notes', 'enhancement', 'bug-fix', 'authors-1']],
    ['release-please.md', ['breaking-changes', 'features', 'bug-fixes', 'miscellaneous-chores']],
    ['git-cliff.md', ['features', 'miscellaneous-tasks']],
    ['standard-version.md', ['features', 'performance-improvements', 'bug-fixes']],
    ['changesets.md', ['major-changes', 'patch-changes', 'patch-changes']],
    ['underlined.txt', ['changed', 'changed', 'changed', 'changed']],
    ['plain-lines.md', ['changed', 'changed', 'changed', 'changed']],
    ['prose-and-sections.md', ['new', 'old', 'added', 'engine', 'notes', 'changed', 'changed']],
    ['reversed.md', ['changed', 'changed']],
  ])('%s is read into changes of these types', async (name, types) => {
    const { versions } = parseMarkdown(await fixture(name))
    expect(versions.flatMap(({ changes }) => changes.map(({ type }) => type))).toEqual(types)
  })
})

describe('a long file', () => {
  const filler = (n: number) =>
    `${'Some words to fill the space between one thing and the next.\n\n'.repeat(n)}`

  test('is read like a short one: code and comments across any distance stay whole', () => {
    const code = `\`\`\`\n${filler(2000)}## 9.9.9\n\`\`\``
    const text = `## 1.1.0\n\n${code}\n\n<!--\n\n${filler(2000)}## 8.8.8\n\n-->\n\n## 1.0.0\n\n- x\n`
    const { versions } = parseMarkdown(text)
    expect(versions.map(({ label, line }) => [label, line])).toEqual([
      ['1.1.0', 1],
      ['1.0.0', text.split('\n').indexOf('## 1.0.0') + 1],
    ])
    expect(versions[0]?.description?.startsWith(code)).toBe(true)
  })

  test('has links resolved wherever they are defined, and not those that only seem to be', () => {
    const text = `[near]: u1\n\n## 1.0.0\n\n- [near] [far] [code]\n\n${filler(2000)}\n    [code]: u3\n\n[far]: u2\n`
    expect(parseMarkdown(text).versions[0]?.changes[0]?.title).toBe('[near](u1) [far](u2) [code]')
  })

  test('has its lines counted as the author sees them', () => {
    const text = `[a]: u\n\ttext below a definition\n\n<a name="x"/>\n## 1.1.0\n\n${filler(2000)}## 1.0.0\n`
    const { versions } = parseMarkdown(text)
    expect(versions.map(({ line }) => line)).toEqual([5, text.split('\n').indexOf('## 1.0.0') + 1])
  })
})

describe('what follows the changes', () => {
  const read = (body: string) => parseMarkdown(`## [1.0.0] - 2026-01-02\n\n${body}`)
  const first = (body: string) => read(body).versions[0]

  test('is the closing text, not part of the introduction', () => {
    expect(first('Hello.\n\n### Added\n\n- a\n\n**Full Changelog**: https://x.y/z\n')).toMatchObject({
      description: 'Hello.',
      closing: '**Full Changelog**: https://x.y/z',
      changes: [{ title: 'a', description: null }],
    })
    expect(first('- a\n\nThe end.\n')).toMatchObject({ description: null, closing: 'The end.' })
    expect(first('Only words.\n')).toMatchObject({ description: 'Only words.' })
    expect(first('Only words.\n')).not.toHaveProperty('closing')
  })

  test('may be sections that list no changes', () => {
    const checksums = '### Checksums\n\n```\nabc  file\n```\n\n### Downloads\n\nFrom [here](https://x.y).'
    expect(first(`### Fixed\n\n- a\n\n${checksums}\n`)).toMatchObject({
      closing: checksums,
      changes: [{ type: 'fixed', title: 'a' }],
    })
  })

  test('has no part of what is between two sections, nor of sections of people', () => {
    const { versions } = read('### Checksums\n\nabc\n\n### Fixed\n\n- a\n\n### Contributors\n\n- @a\n')
    expect(versions[0]?.changes.map(({ type }) => type)).toEqual(['checksums', 'fixed', 'contributors'])
  })

  test.each([
    ['with changes', '- a\n\n**Full Changelog**: https://x.y/z\n'],
    ['that looks like something else', '- a\n\nSee:\n\n    code\n\n| a |\n|---|\n| b |\n'],
    ['of sections', '### Added\n\n- a\n\n### Checksums\n\n- abc\n- def\n'],
    ['without changes', '- <!-- closing -->\n\n  Nothing but this.\n'],
    ['of a closed list', '- a\n\n<details>\n<summary>All</summary>\n\n- b\n\n</details>\n'],
  ])('is written and read again: %s', (_, body) => {
    const { versions, preamble } = read(body)
    expect(versions[0]?.closing).toBeTruthy()
    expect(parseMarkdown(writeMarkdown(preamble, versions)).versions).toMatchObject(
      versions.map(({ line: __, ...version }) => version),
    )
  })
})

describe('below a heading', () => {
  const read = (body: string) => parseMarkdown(`## [1.0.0] - 2026-01-02\n\n${body}`)
  const changesOf = (body: string) => read(body).versions[0]?.changes

  test('a table, a numbered list and <details> stay as they are, under the name of the section, and are reported', () => {
    const table = '| Key | Action |\n|---|---|\n| a | b |'
    expect(changesOf(`### Shortcuts\n\n${table}\n`)).toEqual([
      { type: 'shortcuts', title: 'Shortcuts', description: table },
    ])
    expect(changesOf(`### Added\n\n${table}\n\n- c\n`)).toEqual([
      { type: 'added', title: 'Added', description: table },
      { type: 'added', title: 'c', description: null },
    ])
    expect(changesOf('### Upgrading\n\n1. stop it\n2. start it\n')).toEqual([
      { type: 'upgrading', title: 'Upgrading', description: '1. stop it\n2. start it' },
    ])
    expect(read('### Upgrading\n\n1. stop it\n2. start it\n').warnings).toMatchObject([
      { line: 5, message: 'numbered list under "Upgrading", kept as text' },
    ])
    const details = '<details>\n<summary>All <b>of</b> it</summary>\n\n- d\n- e\n\n</details>'
    expect(changesOf(`### Added\n\n- c\n\n${details}\n\n### Fixed\n\n- f\n`)).toEqual([
      { type: 'added', title: 'c', description: null },
      { type: 'added', title: 'All of it', description: details },
      { type: 'fixed', title: 'f', description: null },
    ])
  })

  test('a numbered list directly below a version lists its changes', () => {
    expect(changesOf('1. a\n2. b\n')?.map(({ title }) => title)).toEqual(['a', 'b'])
  })
})

describe('what authors write in their own way', () => {
  test('items that name a kind and hold the changes are sections', () => {
    const kinds = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n${text}`).versions[0]?.changes.map(({ type, title }) => `${type}: ${title}`)
    expect(kinds('- Added\n  - a\n  - b\n- Fixed:\n  - c\n')).toEqual(['added: a', 'added: b', 'fixed: c'])
    expect(kinds('- Added\n  - a\n- Faster now\n  - b\n')).toEqual(['added: a', 'changed: Faster now'])
    expect(kinds('### Other\n\n- Added\n  - a\n')).toEqual(['added: **Other:** a'])
    expect(kinds('- **Feat:**\n  - a\n  - b\n- Server:\n  - c\n- Build changes:\n  - d\n')).toEqual([
      'feat: a',
      'feat: b',
      'server: c',
      'build-changes: d',
    ])
    expect(kinds('- Server:\n  - a\n- Fixes:\n  - b\n')).toEqual(['changed: **Server:** a', 'fixes: b'])
    expect(kinds('- **Build script changes**\n  - a\n- **Bug fixes** (thanks @b)\n  - b\n')).toEqual([
      'build-script-changes: a',
      'bug-fixes-thanks-b: b',
    ])
    expect(kinds('- **Fixed the lamp**\n  - a\n')).toEqual(['changed: **Fixed the lamp**'])
  })

  test('one word above a list is a section, and so is a heading without a blank', () => {
    const kinds = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n${text}`).versions[0]?.changes.map(({ type, title }) => `${type}: ${title}`)
    expect(kinds('- a\n\nLamps\n\n- b\n\nDoors\n- c\n')).toEqual(['changed: a', 'lamps: b', 'doors: c'])
    expect(kinds('jane_doe:\n- a\n')).toEqual(['jane-doe: a'])
    expect(kinds('Some lamps\n\n- b\n')).toEqual(['changed: b'])
    expect(kinds('###Lamps and doors\n\n- a\n\n##Fixes:\n\n- b\n')).toEqual([
      'lamps-and-doors: a',
      'fixes: b',
    ])
    expect(kinds('- a\n\n#12 and ##lamp\n\n- b\n')).toHaveLength(3)
  })

  test('sentences with code behind what breaks belong to it', () => {
    const code = '```\nlamp()\n```'
    const text = `* a\n\nBefore:\n\n${code}\n\nAfter:\n\n${code}\n\n* b\n`
    const titles = (heading: string) =>
      parseMarkdown(`## 1.0.0\n\n### ${heading}\n\n${text}`).versions[0]?.changes.map(({ title }) => title)
    expect(titles('BREAKING CHANGES')).toEqual(['a', 'b'])
  })

  test('between items, sentences that refer to what is above belong to it, and others are changes', () => {
    const changes = (text: string, heading = 'Features') =>
      parseMarkdown(`## 1.0.0\n\n### ${heading}\n\n- a\n\n${text}\n\n- b\n`).versions[0]?.changes
    for (const text of ['See the guide.', 'https://x.org/1', 'This is for lamps only.'])
      expect(changes(text)).toMatchObject([{ title: 'a', description: text }, { title: 'b' }])
    expect(changes('Mend the lamp.')).toHaveLength(3)
    expect(changes('Mend the lamp.', 'BREAKING CHANGES')).toHaveLength(2)
    const last = parseMarkdown('## 1.0.0\n\n- a\n\nSee the guide.\n').versions[0]
    expect(last).toMatchObject({ changes: [{ title: 'a', description: null }], closing: 'See the guide.' })
  })

  test('lines that begin with a dash are items, if no item has a blank behind it', () => {
    const titles = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n${text}`).versions[0]?.changes.map(({ title }) => title)
    expect(titles('-Add a\n-Fix b\n')).toEqual(['Add a', 'Fix b'])
    expect(titles('- Add a\n-Fix b\n')).toEqual(['Add a -Fix b'])
  })

  test('lines that begin with a tag are items, if some are right below each other', () => {
    const titles = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n${text}\n## 0.9.0\n\n- x\n`).versions[0]?.changes.map(({ title }) => title)
    expect(titles('[bug #1] Mend the door\n  for good\n[new] Add a lamp\n[bug] Mend it\n')).toEqual([
      '[bug #1] Mend the door for good',
      '[new] Add a lamp',
      '[bug] Mend it',
    ])
    expect(titles('Fixed: the door\nAdded: a lamp\n')).toEqual(['Fixed: the door', 'Added: a lamp'])
    expect(titles('FIX: the door\nCHG: the lamp\n')).toEqual(['FIX: the door', 'CHG: the lamp'])
    expect(titles('feat(lamp): add it\nfix!: the door\n')).toHaveLength(2)
    for (const text of ['[bug] Mend the door\n', '[a](b) is\n[c](d)\n', '```\nFIX: a\nFIX: b\n```\n'])
      expect(titles(`${text}\nAnd more.\n`)).toEqual([])
  })

  test('paragraphs are changes in a file without lists, but for notes, links and long texts', () => {
    const read = (text: string) => parseMarkdown(`# 1.1.0\n\n${text}\n\n# 1.0.0\n\nFirst release.\n`).versions
    expect(read('Mend the door,\nwhich was open.\n\n**Breaking:** Sell the lamp.')).toMatchObject([
      {
        description: null,
        changes: [{ title: 'Mend the door, which was open.' }, { title: '**Breaking:** Sell the lamp.' }],
      },
      { description: null, changes: [{ title: 'First release.' }] },
    ])
    expect(read('Add a lamp.\n\nExample:\n\n```\nlamp()\n```')[0]?.changes).toEqual([
      { type: 'changed', title: 'Add a lamp.', description: 'Example:\n\n```\nlamp()\n```' },
    ])
    for (const text of [
      '**Note:** Version bump only',
      '[All changes](https://x.org)',
      'word '.repeat(300).trim(),
      '> quoted',
    ])
      expect(read(text)[0]).toMatchObject({ description: text, changes: [] })
    expect(read('### Fixes\n\nMend the door.\n\nMend the lamp.')[0]?.changes).toHaveLength(2)
    expect(read('### The lamp\n\nIt is new.\n\nIt is red.')[0]?.changes).toHaveLength(1)
    const both = 'Mend the door.\n\nSell the lamp.'
    expect(read(`${both}\n\n# 1.0.1\n\n- Sell it.`)[0]?.description).toBe(both)
  })

  test('the descriptions of an export without changes stay descriptions', () => {
    const { versions } = parseMarkdown('## [1.1.0]\n\nMend the door.\n\n## [1.0.0]\n\nFirst release.\n')
    expect(versions).toMatchObject([
      { description: 'Mend the door.', changes: [] },
      { description: 'First release.', changes: [] },
    ])
    expect(parseMarkdown(writeMarkdown(null, versions)).versions).toEqual(versions)
  })

  test.each([
    ['bullets that markdown does not know', '• a\n・b\n① c\n\n', ['a', 'b', 'c']],
    ['dashes and large bullets line below line', '— a\n— b\n\n●c\n●d\n', ['a', 'b', 'c', 'd']],
    ['points of East Asia', '1、a\n2、b\n\n（1）c\n（2）d\n', ['a', 'b', 'c', 'd']],
    ['points without a blank', '1.添加 a\n2.Add b\n', ['添加 a', 'Add b']],
  ])('%s are items', (_, text, titles) => {
    const [version] = parseMarkdown(`## 1.0.0\n\n${text}`).versions
    expect(version?.changes.map(({ title }) => title)).toEqual(titles)
  })

  test('lines that begin with a dash are items beside others, if they are right below each other and below no item', () => {
    const titles = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n- x\n\n## 0.9.0\n${text}`).versions[1]?.changes.map(({ title }) => title)
    expect(titles('-添加 a\n-修复 b\n')).toEqual(['添加 a', '修复 b'])
    expect(titles('-[!] Fix a\n-[+] Add b\n')).toEqual(['[!] Fix a', '[+] Add b'])
    expect(titles('- Add a\n-Fix b\n-Fix c\n')).toEqual(['Add a -Fix b -Fix c'])
  })

  test('the only sentence of a version is its change, unless it says that there is none', () => {
    const first = (text: string) => parseMarkdown(`## 1.1.0\n\n${text}\n\n## 1.0.0\n\n- b\n`).versions[0]
    expect(first('Mend the door.')).toMatchObject({
      description: null,
      changes: [{ title: 'Mend the door.' }],
    })
    for (const text of [
      'No changes.',
      'Full Changelog: [a...b](https://x.y)',
      'A version bump only.',
      'There were no changes in it.',
      'Before 1.0.9 - see the log',
      ':sparkles:',
      'One.\n\nTwo.',
    ])
      expect(first(text)).toMatchObject({ description: text, changes: [] })
    expect(parseMarkdown('## [1.0.0]\n\nMend the door.\n').versions[0]).toMatchObject({ changes: [] })
  })

  test.each(['— Jane\n\nBye.', '1.x is no more\n\nBye.', '■ Note\n\nBye.', '```\n• a\n```'])(
    '%j is the description of a version, no item',
    (text) => {
      const [version] = parseMarkdown(`## 1.1.0\n\n${text}\n\n## 1.0.0\n\n- b\n`).versions
      expect(version).toMatchObject({ description: text, changes: [] })
    },
  )

  test('a label right below an item begins a section', () => {
    const types = (text: string) =>
      parseMarkdown(`## 1.0.0\n\n${text}`).versions[0]?.changes.map(({ type, title }) => `${type}: ${title}`)
    const expected = ['added: a', 'fixed: b', 'removed: c']
    expect(types('**Added**\n- a\n**Fixed**\n- b\n\n**Removed**\n\n- c\n')).toEqual(expected)
    expect(types('Added:\n- a\nFixed:\n- b\n\nRemoved:\n- c\n')).toEqual(expected)
    expect(types('新增：\n- a\n修复：\n- b\n')).toEqual(['新增: a', '修复: b'])
    expect(types('- a in the\nlast line:\n- b\n')).toEqual(['changed: a in the last line:', 'changed: b'])
  })

  test('below words for a kind of change, a numbered list and, without any list, each paragraph are changes', () => {
    const titles = (text: string) => parseMarkdown(text).versions[0]?.changes.map(({ title }) => title)
    const other = '\n## 0.9.0\n\n- x\n'
    expect(titles(`## 1.0.0\n\n### 修复\n\n1. a\n2. b\n${other}`)).toEqual(['a', 'b'])
    expect(titles(`## 1.0.0\n\n### Fixed\n\n- a\n\nSo:\n\n1. b\n2. c\n\n- d\n`)).toHaveLength(3)
    expect(titles('## 1.0.0\n\n### Fixed\n\nThe door.\n\nThe window.\n')).toEqual([
      'The door.',
      'The window.',
    ])
    expect(titles(`## 1.0.0\n\n### Fixed\n\nThe door.\n\nIt was ajar.\n${other}`)).toEqual(['The door.'])
  })

  test('a date below the changes is that of the version', () => {
    const text = (date: string) => `## 1.0.0\n\n- x\n\n_Released by [Jane](https://x.org) on ${date}._\n`
    const [version] = parseMarkdown(text('2018-09-05')).versions
    expect(version).toMatchObject({ date: Date.UTC(2018, 8, 5), closing: expect.stringContaining('Jane') })
    expect(parseMarkdown(text('a Monday')).versions[0]?.date).toBeNull()
  })

  test('a name may stand right before a number with three parts', () => {
    const labels = (text: string) => parseMarkdown(text).versions.map(({ label }) => label)
    expect(labels('## 1.0.0\n\n- x\n\n## door1.2.0 / 2017-04-15\n\n- y\n')).toEqual(['1.0.0', '1.2.0'])
  })

  test('a letter and a number name a version among others, or with a date', () => {
    const labels = (text: string) => parseMarkdown(text).versions.map(({ label }) => label)
    expect(labels('# 13.4.9\n\n- x\n\n# r12\n\n- y\n')).toEqual(['13.4.9', 'r12'])
    expect(labels('## 1.0.0\n\n- x\n\n## b2 - 2012-02-06\n\n- y\n')).toEqual(['1.0.0', 'b2'])
    expect(labels('## 1.0.0\n\n- x\n\n## B2 storage\n\n- y\n')).toEqual(['1.0.0'])
  })

  test('a title may follow V and a number', () => {
    const { versions } = parseMarkdown('## V 3.1.4:\n\n- x\n\n## V 3.1.3: Naming\n\n- y\n')
    expect(versions.map(({ label }) => label)).toEqual(['3.1.4', '3.1.3'])
  })

  test('the title of an older file within another is no section', () => {
    const [first, ...others] = parseMarkdown(
      '# 1.1.0\n\n### Fixed\n\n- x\n\n# Change Log\n\nAll notable changes.\n\n## 1.0.0\n\n- y\n\n## Changelog\n\n## 0.9.0\n\n- z\n',
    ).versions
    expect(first).toMatchObject({
      changes: [{ title: 'x' }],
      closing: '# Change Log\n\nAll notable changes.',
    })
    expect(others.map(({ changes }) => changes.length)).toEqual([1, 1])
  })
  test.each(['# 更新日志', '# 変更履歴', '## История изменений', '# Journal des modifications'])(
    'the title %s within a file is no section either',
    (title) => {
      const [version] = parseMarkdown(`## 1.1.0\n\n- a\n\n${title}\n\n## 1.0.0\n\n- b\n`).versions
      expect(version).toMatchObject({ changes: [{ title: 'a' }], closing: title })
    },
  )

  test('below the last version, a heading as high as its own begins something else', () => {
    const versions = '## 1.2.0\n\n- x\n\n## 1.1.0\n\n- y\n\n## 1.0.0\n\n- z\n\n'
    const last = (text: string) => parseMarkdown(text).versions.at(-1)
    expect(last(`${versions}## Usage\n\n- a\n- b\n`)).toMatchObject({
      changes: [{ title: 'z' }],
      closing: '## Usage\n\n- a\n- b',
    })
    expect(last(`${versions}## Fixed\n\n- a\n`)?.changes).toHaveLength(2)
    expect(last(`${versions}## Early 2019\n\n- a\n`)?.changes).toHaveLength(2)
    expect(
      last(versions.replace('- y', '## Parts\n\n- y').concat('## Usage\n\n- a\n'))?.changes,
    ).toHaveLength(2)
  })
})

test('an item that only names something is put in front of the changes listed inside of it', () => {
  const titles = (text: string) => parseMarkdown(text).versions[0]?.changes.map(({ title }) => title)
  const below = (list: string) => titles(`## 1.2.0 (2024-01-02)\n\n#### Words\n\n${list}`)
  expect(
    below('- `core`, `cli`\n  - Add a flag\n    - and one more\n- `core` is faster\n  - by half\n'),
  ).toEqual(['`core`, `cli`: Add a flag', '`core` is faster'])
  expect(
    below('* **center:**\n  * a\n  * b\n* **line**\n  *  c\n* **line** is faster\n  * by half\n'),
  ).toEqual(['**center:** a', '**center:** b', '**line:** c', '**line** is faster'])
  expect(
    below('- tls:\n  - a\n- Other\n  - b\n- Updated dependencies:\n  - foo@1.2.0\n- Mend it all:\n  - c\n'),
  ).toEqual(['**tls:** a', '**Other:** b', 'Updated dependencies:', 'Mend it all:'])
  expect(parseMarkdown('## 1.2.0\n\n### Words\n\n- Fixed:\n  - a\n').versions[0]?.changes).toMatchObject([
    { type: 'fixed', title: '**Words:** a' },
  ])
  const many = ['one', 'two', 'three'].map((name) => `\`a-package-of-a-long-name-${name}\``).join(', ')
  expect(parseMarkdown(`## 1.2.0\n\n- ${many}\n  - Mend\n\n    it\n`).versions[0]?.changes).toMatchObject([
    { title: 'Mend', description: `it\n\n${many}` },
  ])
})

test('an item that has a description in an export is one change, whatever its title is', () => {
  const change = { type: 'fixed', title: '**center:**', description: '* a\n* b' }
  const version = {
    label: '1.2.0',
    title: '1.2.0',
    date: null,
    status: 'published',
    description: null,
  } as const
  const written = writeMarkdown(null, [{ ...version, changes: [change] }])
  expect(parseMarkdown(written).versions[0]?.changes).toMatchObject([change])
  expect(parseMarkdown(written.replace('\n\n  *', '\n  *')).versions[0]?.changes).toHaveLength(2)
})

test('an item that is nothing but a list has the changes of that', () => {
  const titles = (text: string) => parseMarkdown(text).versions[0]?.changes.map(({ title }) => title)
  expect(titles('## 1.0.0\n\n- - a\n  - b\n- c\n')).toEqual(['a', 'b', 'c'])
  expect(titles('## 1.0.0\n\n- 1. a\n  2. b\n')).toEqual(['a', 'b'])
})

test('points are items where code is right behind their number', () => {
  expect(
    parseMarkdown('## 1.0.0\n1.`New` a.\n2.`Fix` b.\n').versions[0]?.changes.map(({ title }) => title),
  ).toEqual(['`New` a.', '`Fix` b.'])
})

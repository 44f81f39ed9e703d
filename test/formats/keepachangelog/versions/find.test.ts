import { describe, expect, test } from 'bun:test'
import { MarkdownDocument } from '../../../../src/formats/keepachangelog/markdown/source.ts'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'
import { findVersions } from '../../../../src/formats/keepachangelog/versions/find.ts'

const labels = (text: string) => parseMarkdown(text).versions.map(({ label }) => label)
const warnings = (text: string) =>
  parseMarkdown(text).warnings.filter(({ message }) => message.includes('version number'))

describe('where headings are versions, another version is', () => {
  test.each([
    [
      'a line with a date above a heading',
      '**1.2.0** <small>May 2, 2020</small>\n\n### Fixes\n\n- a\n\n## 1.1.0\n\n- b\n',
    ],
    [
      'a bold line with a date and a link above a heading',
      '**1.2.0** <small>_May 2, 2020_</small> - [Diff](https://example.com)\n\n### Fixes\n\n- a\n\n## 1.1.0\n\n- b\n',
    ],
    [
      'a line with a date above text',
      '## 1.3.0\n\n- a\n\n== 1.2.0 / 2015-03-16\n\nWords.\n\n## 1.1.0\n\n- b\n',
    ],
    [
      'a line with a number of three parts above a list',
      '## 1.3.0\n\n- a\n\n1.2.0\n\n- b\n\n## 1.1.0\n\n- b\n',
    ],
    [
      'a heading of another depth, with a title',
      '## 1.3.0\n\n- a\n\n### 1.2.0 - REGRESSED\n\n- b\n\n## 1.1.0\n',
    ],
    ['an outer heading with a name', '## 1.3.0\n\n- a\n\n# Apollo Client 1.2.0\n\n- b\n\n## 1.1.0\n'],
  ])('%s', (_, text) => {
    expect(labels(text)).toContain('1.2.0')
    expect(labels(text)).toContain('1.1.0')
    expect(warnings(text)).toEqual([])
  })

  test.each([
    ['a line of a short number', '## 1.3.0\n\n1.2\n\nWords.\n'],
    ['a section with the number of a version', '## 1.3.0\n\n### 1.3.0 - Breaking\n\n- a\n'],
    ['a title of the file', '# Product 1.2.0\n\n## 1.3.0\n\n- a\n'],
    ['a part with a name of its own', '## 1.3.0\n\n### Apollo Utilities 1.2.0\n\n- a\n'],
  ])('but not %s', (_, text) => {
    expect(labels(text)).toEqual(['1.3.0'])
  })
})

test('lines in bold above a list are versions, with a title or words for changes too', () => {
  const read = (text: string) => parseMarkdown(text).versions.map(({ label, title }) => [label, title])
  expect(
    read('**v5.1.0**\n* a\n\n**v5.0.0** Major update\n* b\n\n**v3.0.1 to v3.0.4**\n* c\n\n**Note**\n* d\n'),
  ).toEqual([
    ['v5.1.0', 'v5.1.0'],
    ['v5.0.0', 'Major update'],
    ['v3.0.4', 'v3.0.1 to v3.0.4'],
  ])
  expect(
    read("## Log\n\n**What's New in 1.1.0 (latest)**\n\n* a\n\n**What's New in 1.0.0**\n\n* b\n"),
  ).toEqual([
    ['1.1.0', "What's New in 1.1.0 (latest)"],
    ['1.0.0', "What's New in 1.0.0"],
  ])
  expect(
    read('**Version 1.1.0** (2016-11-07)\n\nFaster.\n\n**Version 1.0.0** (2016-11-01)\n\nFirst.\n'),
  ).toEqual([
    ['1.1.0', 'Version 1.1.0'],
    ['1.0.0', 'Version 1.0.0'],
  ])
})

test.each([
  ['a deeper heading', '## 1.2.0\n### 2013.9.6\n- a\n## 1.1.0\n### 2013.8.14\n- b\n'],
  ['a line', '## 1.2.0\n\n`2013.9.6`\n\n- a\n\n## 1.1.0\n\n`2013.8.14`\n\n- b\n'],
])('%s of numbers with dots right below a version is its date', (_, text) => {
  const days = parseMarkdown(text).versions.map(({ label, date }) => [
    label,
    new Date(date ?? 0).toISOString().slice(0, 10),
  ])
  expect(days).toEqual([
    ['1.2.0', '2013-09-06'],
    ['1.1.0', '2013-08-14'],
  ])
})

test('versions are numbered by dates where those stand alone', () => {
  expect(labels('## 2013.9.6\n- a\n### 2013.8.14\n- b\n')).toEqual(['2013.9.6', '2013.8.14'])
})

test('a number in brackets behind a name, with a date, is a version', () => {
  expect(
    labels('## extract-tool [1.2.0] - 2026-09-10\n- a\n## extract-tool [1.1.0] - 2026-01-13\n- b\n'),
  ).toEqual(['1.2.0', '1.1.0'])
})

describe('a heading that holds a version number and begins no version is reported', () => {
  test.each([
    [
      '## 1.3.0\n\n### Apollo Utilities 1.2.0\n\n- a\n',
      3,
      '"Apollo Utilities 1.2.0"',
      'kept as a part of version 1.3.0',
    ],
    ['## 1.3.0\n\n- a\n\n#### Upgrading from 1.2\n\n- a\n', 5, '"Upgrading from 1.2"', 'version 1.3.0'],
    ['# Product v1.2\n\n## 1.3.0\n\n- a\n', 1, '"Product v1.2"', 'kept in the text above the first version'],
    ['## 1.3.0\n\nWords:\n\n1.2\n\nWords.\n', 5, '"1.2"', 'kept as a part of version 1.3.0'],
  ])('%j in line %d', (text, line, quoted, became) => {
    expect(warnings(text)).toMatchObject([{ line, message: expect.stringContaining(quoted) }])
    expect(warnings(text)[0]?.message).toEndWith(became)
  })

  test.each([
    '## 1.3.0\n\n### Added\n\n- see 1.2.0\n',
    '## 1.3.0\n\n### 50.5% faster\n\n- a\n',
    '## 1.3.0\n\n### ES2015\n\n- a\n',
  ])('unlike %j', (text) => {
    expect(warnings(text)).toEqual([])
  })
})

test('a text with more versions than are wanted is refused at the first one too many', () => {
  let blocks = 0
  class Counted extends MarkdownDocument {
    override *blocks() {
      for (const block of super.blocks()) {
        blocks++
        yield block
      }
    }
  }
  const text = (count: number) => Array.from({ length: count }, (_, at) => `## 1.${at}.0\n\n- x\n\n`).join('')
  expect(findVersions(new Counted(text(10)), 10).starts).toHaveLength(10)
  blocks = 0
  expect(() => findVersions(new Counted(text(1000)), 10)).toThrow('more than 10 versions')
  expect(blocks).toBe(21)
})

test('a number is a heading without a blank before it, and a symbol, links and a separator may be around its date', () => {
  const commits = '📝 [Commits](https://example.com)'
  const text = `<a name="1.2.0"></a>\n##1.2.0\n🗓\n2024-02-26 • ${commits}\n\n- a\n\n## 1.1.0\n\n🗓 2024-02-16 • ${commits}\n\n- b\n\n# 1.0.0\n\n🗓 2024-02-06\n\n- c\n`
  expect(parseMarkdown(text).versions).toMatchObject([
    { label: '1.2.0', date: Date.UTC(2024, 1, 26), description: commits },
    { label: '1.1.0', date: Date.UTC(2024, 1, 16), description: commits },
    { label: '1.0.0', date: Date.UTC(2024, 1, 6), description: null },
  ])
  for (const code of ['```\n##1.0.0\n```', '````\n```\n##1.0.0\n````', '~~~~\n##1.0.0\n~~~']) {
    const { versions } = parseMarkdown(`## 1.1.0\n\n${code}\n`)
    expect(versions).toMatchObject([{ label: '1.1.0', description: code }])
  }
})

test('an item that is a heading begins a version', () => {
  expect(labels('- ## v1.1.0\n\n- a\n\n- ## v1.0.0\n\n- b\n')).toEqual(['v1.1.0', 'v1.0.0'])
})

test('a date before a number is a heading without a blank too', () => {
  expect(labels('##2015-11-25 - 7.0.0\n- a\n##2015-10-10 - 6.1.0\n- b\n')).toEqual(['7.0.0', '6.1.0'])
})

test('an underlined number right below a list begins a version', () => {
  const text = '1.1.0 / 2023-02-23\n===\n * a\n1.0.1 / 2022-05-17\n===\n * b\n1.0.0\n---\n * c\n'
  expect(parseMarkdown(text).versions).toMatchObject([
    { label: '1.1.0', changes: [{ title: 'a' }] },
    { label: '1.0.1', date: Date.UTC(2022, 4, 17), changes: [{ title: 'b' }] },
    { label: '1.0.0', line: 7, changes: [{ title: 'c' }] },
  ])
  const code = '```\nx\n1.0.0\n---\n```'
  expect(parseMarkdown(`## 1.1.0\n\n${code}\n`).versions).toMatchObject([{ description: code }])
})

test('a version that is struck out is one', () => {
  expect(
    parseMarkdown('## [1.1.0] - 2015-06-02\n\n- a\n\n## ~~[1.0.0] - 2015-06-01~~\n\n- b\n').versions,
  ).toMatchObject([{ label: '1.1.0' }, { label: '1.0.0', title: '1.0.0', date: Date.UTC(2015, 5, 1) }])
})

test('changes to a product in a release are a version', () => {
  expect(
    labels('## Changes to FOO in release 6.4.1\n\nx\n\n## Changes to FOO in release 6.4.0\n\ny\n'),
  ).toEqual(['6.4.1', '6.4.0'])
})

test('a colon may end a line that begins a version', () => {
  expect(labels('Version 1.2.0\n---\n\n* a\n\nVersion 1.1.1:\n\n* b\n\nVersion 1.1.0\n---\n\n* c\n')).toEqual(
    ['1.2.0', '1.1.1', '1.1.0'],
  )
})

test('a part of the product in front of the number belongs to the label', () => {
  expect(
    labels('# 2013-05-22, Version web/0.1.4\n\n- a\n\n# 2013-05-21, Version web/0.1.3b\n\n- b\n'),
  ).toEqual(['web/0.1.4', 'web/0.1.3b'])
})

test('numbered points of a section are changes if all lists of the file are numbered', () => {
  const version = (number: string) => `## ${number}\n\n### News\n\n1. one\n2. two\n\n`
  const text = ['1.2.0', '1.1.0', '1.0.0'].map(version).join('')
  const count = (file: string) => parseMarkdown(file).versions[0]?.changes.length
  expect(count(text)).toBe(2)
  expect(count(`${text}- three\n`)).toBe(1)
})

test.each([
  [
    'a name, a number and a date behind @',
    '### Foo 1.1.0 @ 2022.11.04\n- a\n\n### Foo 1.0.0 @ 2022.8.26\n- b\n',
    ['1.1.0', '1.0.0'],
  ],
  [
    'what gitchangelog has for the next version',
    '%%version%% (unreleased)\n------------------------\n- a\n\n1.0.0 (2022-08-26)\n------------------\n- b\n',
    ['%%version%%', '1.0.0'],
  ],
  [
    'changes in a number that is unreleased',
    '## Changes in 1.1.0\n- a\n\n## Changes in 1.0.1 UNRELEASED\n- b\n\n## Changes in 1.0.0\n- c\n',
    ['1.1.0', '1.0.1', '1.0.0'],
  ],
])('%s is a version', (_, text, expected) => {
  expect(labels(text)).toEqual(expected)
})

test('two numbers joined are the newer one, and both are its title', () => {
  expect(parseMarkdown('### 2.4.13 & 2.4.14 (30.06.2016)\n\n- a\n').versions).toMatchObject([
    { label: '2.4.14', title: '2.4.13 & 2.4.14' },
  ])
})

test('a date in bold right below a version is its date', () => {
  const { versions } = parseMarkdown(
    '## v1.1.0\n**June 27, 2015**\n\n* a\n\n## v1.0.0\n**June 25, 2015**\n\n* b\n',
  )
  expect(versions.map(({ label, date }) => [label, date])).toEqual([
    ['v1.1.0', Date.UTC(2015, 5, 27)],
    ['v1.0.0', Date.UTC(2015, 5, 25)],
  ])
})

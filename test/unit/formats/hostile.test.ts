import { describe, expect, spyOn, test } from 'bun:test'
import { checkChange, checkVersion } from '../../../src/domain/rules.ts'
import { cut } from '../../../src/domain/text/cut.ts'
import { changeFromText } from '../../../src/formats/changelog/changes.ts'
import { withItemsFirst } from '../../../src/formats/lines/entries.ts'
import * as blocks from '../../../src/formats/markdown/blocks.ts'
import { onePerCause, type ParsedVersion } from '../../../src/formats/parsed.ts'
import { readReleaseBody } from '../../../src/formats/releases/body.ts'
import { writeMarkdown } from '../../../src/formats/write-markdown.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'

const read = (text: string, name = 'CHANGELOG.md') =>
  parseChangelog(name, text, 'keepachangelog').parsed.versions
const labels = (text: string, name?: string) => read(text, name).map(({ label }) => label)
const repeat = (count: number, block: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => block(index)).join('')
/** A version of a long text keeps its content in one string. */
const content = ({ label, title, date, status, description, closing, changes }: ParsedVersion) => ({
  ...{ label, title, date, status, description, closing: closing || null, changes },
})

describe('a long text', () => {
  const version = (at: number) => `## [1.${at}.0] - 2024-01-02

Words, \`code\` and [links](u)
on two lines${' that are long'.repeat(90)}.

### Added

- one **bold** thing, see [${at}]
  - nested

### Under the hood

- another

  with a second paragraph

\`\`\`
## code
\`\`\`

<!--

## comment
-->

Name | Value
--- | ---
a | b

> quoted
lazily

    code

`
  const COUNT = 40
  const LINES = version(0).split('\n').length - 1
  const definitions = repeat(COUNT, (at) => `[${at}]: https://example.com/${at}\n`)
  /** One block that is longer than the part of a text that is parsed at once. */
  const code = (lines: number) =>
    `\`\`\`\n${`## 9.9.9${', and words to fill the line'.repeat(18)}\n\n`.repeat(lines)}\`\`\``

  test.each([
    ['parsed in parts', 1, 120],
    ['and whose versions are packed', 3, 1_400],
  ])('%s is read as each of its versions is', (_, blocks, lines) => {
    const last = repeat(blocks, (at) => `## [0.${9 - at}.0] - 2023-01-02\n\n${code(lines)}\n\n`)
    const found = read(`${repeat(COUNT, version)}${last}${definitions}`)
    for (const at of [0, 1, 31, COUNT - 1]) {
      const [expected] = read(version(at) + definitions)
      expect(content(found[at] as ParsedVersion)).toEqual(content(expected as ParsedVersion))
    }
    expect(found.slice(0, COUNT + 1).map(({ line }) => line)).toEqual(
      Array.from({ length: COUNT + 1 }, (_, at) => 1 + at * LINES),
    )
    expect(found.slice(COUNT).map(({ description }) => description)).toEqual(Array(blocks).fill(code(lines)))
  })

  test.each([
    ['an item', `- ${'words of a long item\n  '.repeat(2_500)}`],
    ['a list', `- an item${' of many words'.repeat(10)}\n`.repeat(500)],
    ['a comment', `<!--\n${'## 9.9.9\n\n'.repeat(6_000)}-->`],
  ])('may be of nothing but %s', (_, block) => {
    expect(labels(`## 1.1.0\n\ntext\n\n${block}\n\n## 1.0.0\n\n- x\n`)).toEqual(['1.1.0', '1.0.0'])
  })

  test('of more versions than are wanted is refused before their texts are read', () => {
    const text = (count: number) => repeat(count, (at) => `## 1.${at}.0\n\n- x\n\n`)
    const options = { mostVersions: 10 }
    expect(parseChangelog('x.md', text(10), 'keepachangelog', options).parsed.versions).toHaveLength(10)
    for (const many of [text(11), text(11).replaceAll(/## (\S+)/g, '## [$1]')]) {
      const parse = spyOn(blocks, 'partsOf')
      expect(() => parseChangelog('x.md', many, 'keepachangelog', options)).toThrow('more than 10 versions')
      expect(parse).not.toHaveBeenCalled()
      parse.mockRestore()
    }
  })
})

/** Texts for which a parser may need a time that grows faster than they do. */
test.each([
  ['lists in one line', '- '.repeat(10_000)],
  ['quotes in one line', '> '.repeat(10_000)],
  ['lists and quotes', '- > 1. '.repeat(2_500)],
  ['lists below each other', repeat(300, (level) => `${'  '.repeat(level)}- x\n`)],
  ['lists below each other, with tabs', repeat(300, (level) => `${'\t'.repeat(level)}- x\n`)],
  ['a long table', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(2_500)}`],
  ['stars and underscores', '*_'.repeat(10_000)],
  ['open brackets', '['.repeat(10_000)],
  ['open links', '[a]('.repeat(5_000)],
  ['HTML that does not end', 'a <!-- '.repeat(2_500)],
  ['code fences in items', '- ```\n'.repeat(2_500)],
  ['definitions without an empty line', '[a]: u\ntext\n'.repeat(1_000)],
  ['a title of a definition that does not end', `[a]: u "x\n${'y\n'.repeat(10_000)}`],
  ['a long quote with a reference', `[a]: u\n\n${'> words *and* [a]\n'.repeat(5_000)}`],
  ['a heading of many lines', `${'x\n'.repeat(10_000)}===`],
  ['empty items', '-\n'.repeat(5_000)],
  ['empty lines', '\n'.repeat(100_000)],
])('%s are read, and end with their version', (_, nasty) => {
  const versions = read(`## 1.0.0\n\n${nasty}\n\n## 0.9.0\n\n- last\n`)
  expect(versions.map(({ label }) => label)).toEqual(['1.0.0', '0.9.0'])
  expect(versions[1]?.changes.map(({ title }) => title)).toEqual(['last'])
})

/** A step whose work grows with the square of the text would take hours. */
describe('of 100,000 blocks,', () => {
  const COUNT = 100_000
  const times = (block: string) => Array(COUNT).fill(block).join('\n\n')
  /** Without a difference of very many lines. */
  const expectText = (text: string | null | undefined, expected: string) => {
    expect(text?.slice(0, 200)).toBe(expected.slice(0, 200))
    expect(text === expected).toBe(true)
  }

  test('unused definitions are all kept, in a change and in a release', () => {
    const text = `It\n\n${repeat(COUNT, (at) => `[a${at}]: http://x/${at}\n`)}`
    const links = Array.from({ length: COUNT }, (_, at) => `[a${at}](http://x/${at})`).join('\n\n')
    expectText(changeFromText(text, { type: 'added' })?.description, links)
    expectText(readReleaseBody(text, '1.0.0').texts.closing, links)
  })

  test('headings with the name of the file above a list are sections', () => {
    const [version] = read(`# Changes\n\n# 1.0.0\n\n${times('# Changelog')}\n\n- x\n`)
    expect(version?.closing).toBeNull()
    expect(version?.changes.map(({ title }) => title)).toEqual([...Array(COUNT - 1).fill('Changelog'), 'x'])
  })

  test('comments above the first list are a description', () => {
    const [version] = read(`## 1.0.0\n\n${times('<!---->')}\n\n- x\n`)
    expect(version?.changes.map(({ title }) => title)).toEqual(['x'])
    expectText(version?.description, times('<!---->'))
  })
})

test('days without entries are looked at a few times each', () => {
  const days = Array<string>(2_000).fill('2026-01-02')
  let reads = 0
  const get = (target: string[], name: string, self: unknown) => {
    reads++
    return Reflect.get(target, name, self)
  }
  expect([...withItemsFirst(new Proxy(days, { get }))]).toEqual(days)
  expect(reads).toBeLessThan(20 * days.length)
})

test('entries of the same days have labels of their own, each looked up a few times', () => {
  const lookups = spyOn(Set.prototype, 'has')
  const found = labels('## Week 1, 2026 – Week 2, 2026\n- a\n'.repeat(500))
  const { length } = lookups.mock.calls
  lookups.mockRestore()
  expect(new Set(found).size).toBe(500)
  expect(length).toBeLessThan(20 * 500)
})

test('a line of 500,000 tags that do not end is read once', () => {
  const text = `## 2026-01-02 – A\n\n- a\n\n${'{% update '.repeat(500_000)}\n\n## 2026-01-01 – B\n\n- b\n`
  expect(labels(text)).toEqual(['2026-01-02', '2026-01-01'])
})

test('a run of 200,000 blanks is read once', () => {
  const blanks = ' '.repeat(200_000)
  const [version] = read(`## 1.0.0\n\n### *a*${blanks}b${blanks}##${blanks}\n\n- x\n`)
  expect(version?.changes).toEqual([{ type: 'a-b', title: 'x', description: null }])
  expect(cut(`a${blanks}b`, 200_000)).toBe(`a…`)
})

test('details with 100,000 summaries that do not end have no name', () => {
  const [version] = read(`## 1.0.0\n\n### Added\n\n<details>${'<summary>'.repeat(100_000)}\n\n- x\n`)
  expect(version?.changes.map(({ title }) => title)).toEqual(['Details', 'x'])
})

test.each([
  ['digits and letters', `1.1${'a'.repeat(1900)}!`, []],
  ['names of packages', `${'a@'.repeat(900)}!`, []],
  ['words before a number', `${'a '.repeat(900)}1.1.1!`, []],
  ['parts of a number', `${'1.'.repeat(900)}!`, []],
  ['separators', `1.1 ${'- '.repeat(900)}!`, ['1.1']],
  ['words for a date', `1.1 ${'on '.repeat(600)}!`, ['1.1']],
  ['brackets', `1.1 ${'[x] '.repeat(450)}!`, ['1.1']],
  ['tags', `${'a-v'.repeat(600)}1.0!`, []],
  ['numbers and slashes', `${'1.0/'.repeat(450)}!`, ['1.0/1.0']],
  ['stages', `1.0${' beta'.repeat(350)}!`, ['1.0']],
  ['marks', `${'=~'.repeat(900)}!`, []],
  ['2000 characters', `1.2.0 ${'x'.repeat(2000 - '## 1.2.0 '.length)}`, ['1.2.0']],
  ['2001 characters', `1.2.0 ${'x'.repeat(2001 - '## 1.2.0 '.length)}`, []],
])('a heading of %s is read to its end', (_, heading, expected) => {
  expect(labels(`## ${heading}\n\n- x\n\n## 0.9.0\n\n- y\n`)).toEqual([...expected, '0.9.0'])
})

test.each([
  ['addresses behind a number', `1.0 ${'http://'.repeat(27)} x`],
  ['digits in bold', `**1.${'1'.repeat(30_000)}`],
  ['numbers behind words for what changed', `Changes since 1${'.1'.repeat(15_000)}!`],
])('a line of nothing but %s is read to its end', (_, line) => {
  const found = labels(`${line}\n\n1.1.0\n\n- a\n\n1.0.0\n\n- b\n`, 'NEWS')
  expect(found).toEqual(expect.arrayContaining(['1.1.0', '1.0.0']))
})

test.each([
  ['nested deeper than a parser should follow', `- x\n  ${'- '.repeat(200)}[a]`],
  ['full of marks', `- ${'w_ords* '.repeat(3_000)}[a]`],
])('a description that is %s stays as it is', (_, block) => {
  const written = writeMarkdown(null, [
    { label: '1.0.0', title: '1.0.0', date: 0, status: 'published', description: block, changes: [] },
  ])
  expect(read(written)).toMatchObject([{ description: block, changes: [] }])
})

test('what is read can be stored, whatever its form', () => {
  const lines = ['### ** NOTICE **', '### __ x __', '### \u00a0', '### a\u0007b', '- \u00a0']
  const headings = ['## 1.0.0 \u0007', `## [ver_${'0'.repeat(26)}]`, '## [a\u0007b1]', '## [\tx1]']
  for (const line of [...lines, `- ${'x'.repeat(1_000_001)}`])
    for (const heading of headings)
      for (const version of read(`${heading}\n\n${line}\n\n- x\n`)) {
        checkVersion(version)
        for (const change of version.changes) checkChange(change)
      }
})

test('warnings of one cause are one warning, with its first lines', () => {
  const { warnings } = parseChangelog(
    'CHANGELOG.md',
    repeat(7, (at) => `## 1.${at}.0\n- x\n`),
    'keepachangelog',
  ).parsed
  expect(warnings).toHaveLength(7)
  expect(onePerCause(warnings)).toEqual([
    {
      line: 1,
      code: 'published',
      message: 'no date, published without one (7 times, lines 1, 3, 5, 7, 9 …)',
    },
  ])
})

test('a text with more than 40,000 versions is refused, before its versions are read', () => {
  expect(() => read('## 1.2.0\n'.repeat(40_001))).toThrow('more than 40,000 versions')
})

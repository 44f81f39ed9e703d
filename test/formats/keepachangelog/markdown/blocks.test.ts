import { describe, expect, test } from 'bun:test'
import type { Block, Phrases } from '../../../../src/formats/keepachangelog/markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../../../../src/formats/keepachangelog/markdown/source.ts'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'

const blocks = (text: string): Block[] => [...new MarkdownDocument(text).blocks()]
const types = (text: string): string[] => blocks(text).map(({ type }) => type)
const phrases = (text: string): string[] => (blocks(text)[0] as Phrases).children.map(({ type }) => type)
const repeat = (count: number, block: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => block(index)).join('')

const SAMPLE = `## [1.0.0] - 2024-01-02

Words, \`code\` and [links](u)
on two lines.

### Added

- one **bold** thing
  - nested
- another

  with a second paragraph

---

  * indented
  * by two

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

Title
=====

<br />

[1.0.0]: https://example.com
`
const SAMPLE_TYPES = [
  ...['heading', 'paragraph', 'heading', 'list', 'thematicBreak', 'list', 'code', 'html'],
  ...['table', 'blockquote', 'code', 'heading', 'html', 'definition'],
]

test('a text has the blocks that its author sees', () => {
  expect(types(SAMPLE)).toEqual(SAMPLE_TYPES)
})

test('a long text has the same blocks at the same places, though it is parsed in parts', () => {
  const count = 2000
  const once = blocks(SAMPLE).map(({ type, start, end }) => ({ type, start, end }))
  const expected = Array.from({ length: count }, (_, index) =>
    once.map(
      ({ type, start, end }) => `${type} ${start + index * SAMPLE.length} ${end + index * SAMPLE.length}`,
    ),
  )
  const found = blocks(SAMPLE.repeat(count)).map(({ type, start, end }) => `${type} ${start} ${end}`)
  expect(found.join('\n')).toBe(expected.flat().join('\n'))
})

test.each([
  ['an item', `- ${'words of a long item\n  '.repeat(20_000)}`],
  ['a list', '- an item\n'.repeat(20_000)],
  ['a comment', `<!--\n${'## not a heading\n\n'.repeat(20_000)}-->`],
])('%s longer than a part is one block', (_, block) => {
  const text = `text\n\n${block}\n\n# end\n`
  expect(types(text)).toHaveLength(3)
  expect(types(text).at(-1)).toBe('heading')
})

test('text right below a definition is what it would be below an empty line', () => {
  expect(types('[a]: u\n2. x\n')).toEqual(['definition', 'list'])
  expect(types('[a]: u\n[b]: u\nwords\n')).toEqual(['definition', 'definition', 'paragraph'])
  expect(types('[^1]: note\n')).toEqual(['paragraph'])
})

test('a heading right below an anchor is a heading', () => {
  expect(types('<a name="1.2.0"></a>\n# 1.2.0\n')).toEqual(['paragraph', 'heading'])
  expect(types('<a name="1.2.0"/>\n# 1.2.0\n')).toEqual(['html', 'heading'])
  expect(types('<a name="1.2.0">\n# 1.2.0\n')).toEqual(['html', 'heading'])
})

describe('brackets', () => {
  test('are links only to definitions of the text, wherever those are', () => {
    expect(phrases('[a] and [b]\n')).toEqual(['text'])
    expect(phrases('[a] and [b]\n\n[A]: u\n')).toEqual(['linkReference', 'text'])
    expect(phrases(`[a]\n\n${'words\n\n'.repeat(20_000)}[a]: u\n`)).toEqual(['linkReference'])
    expect(phrases('[a][b] [c][] ![d]\n\n[b]: u\n[c]: u\n[d]: u\n')).toEqual([
      ...['linkReference', 'text', 'linkReference', 'text', 'imageReference'],
    ])
  })

  test('that are no link do not keep those around them from being one', () => {
    expect(phrases('[[1.2.0]](https://example.com)\n')).toEqual(['link'])
    expect(phrases('[**[core]** words](https://example.com)\n')).toEqual(['link'])
  })
})

/** Texts for which a parser may need a time that grows faster than they do. */
const NASTY: Record<string, string> = {
  'lists in one line': '- '.repeat(10_000),
  'quotes in one line': '> '.repeat(10_000),
  'lists and quotes': '- > 1. '.repeat(2_500),
  'lists below each other': repeat(300, (level) => `${'  '.repeat(level)}- x\n`),
  'lists below each other, with tabs': repeat(300, (level) => `${'\t'.repeat(level)}- x\n`),
  'a long table': `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(2_500)}`,
  'stars and underscores': '*_'.repeat(10_000),
  'open brackets': '['.repeat(10_000),
  'open links': '[a]('.repeat(5_000),
  'HTML that does not end': 'a <!-- '.repeat(2_500),
  'code fences in items': '- ```\n'.repeat(2_500),
  'definitions without an empty line': '[a]: u\ntext\n'.repeat(1_000),
  'a title of a definition that does not end': `[a]: u "x\n${'y\n'.repeat(10_000)}`,
  'a long quote with a reference': `[a]: u\n\n${'> words *and* [a]\n'.repeat(20_000)}`,
  'a heading of many lines': `${'x\n'.repeat(10_000)}===`,
  'empty items': '-\n'.repeat(5_000),
  'empty lines': '\n'.repeat(300_000),
}

test.each(Object.entries(NASTY))('%s are read, and end with their version', (_, nasty) => {
  const { versions } = parseMarkdown(`## 1.0.0\n\n${nasty}\n\n## 0.9.0\n\n- last\n`)
  expect(versions.map(({ label }) => label)).toEqual(['1.0.0', '0.9.0'])
  expect(versions[1]?.changes.map(({ title }) => title)).toEqual(['last'])
})

test.each([
  ['nested deeper than a parser should follow', `- x\n  ${'- '.repeat(200)}[a]`],
  ['full of marks', `- ${'w_ords* '.repeat(3_000)}[a]`],
])('what is %s stays as it is written', (_, block) => {
  const source = new MarkdownSource(new MarkdownDocument(`text\n\n${block}\n`))
  expect(source.blocks(source.nodes)).toBe(`text\n\n${block}`)
})

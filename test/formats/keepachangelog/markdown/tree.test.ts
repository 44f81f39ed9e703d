import { afterAll, beforeAll, beforeEach, describe, expect, mock, test } from 'bun:test'
import type { Paragraph } from 'mdast'
import * as parser from 'mdast-util-from-markdown'
import { ParserBudget } from '../../../../src/formats/keepachangelog/markdown/bounds.ts'
import { Definitions } from '../../../../src/formats/keepachangelog/markdown/definitions.ts'
import { MarkdownSource } from '../../../../src/formats/keepachangelog/markdown/source.ts'
import { parseTree } from '../../../../src/formats/keepachangelog/markdown/tree.ts'
import { parseMarkdown } from '../../../../src/formats/keepachangelog/read.ts'

/** The parser itself, with a count of the characters it is given. */
const { fromMarkdown } = parser
const given: number[] = []
const total = () => given.reduce((sum, length) => sum + length, 0)

beforeAll(() => {
  const counting = (...[text, ...options]: Parameters<typeof fromMarkdown>) => {
    given.push(text.length)
    return fromMarkdown(text, ...options)
  }
  mock.module('mdast-util-from-markdown', () => ({ fromMarkdown: counting }))
})
afterAll(() => {
  mock.module('mdast-util-from-markdown', () => ({ fromMarkdown }))
})
beforeEach(() => {
  given.length = 0
})

const repeat = (count: number, block: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => block(index)).join('')
const tree = (text: string) =>
  parseTree(text, { labels: new Definitions(text).labels, budget: new ParserBudget(text.length) })
const types = (text: string): string[] => tree(text).nodes.map(({ type }) => type)

describe('a text that is plain', () => {
  test('needs no parser: headings, items, paragraphs, definitions, rules, code and comments', () => {
    const text = `## [1.0.0] - 2024-01-02

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

[1.0.0]: https://example.com
`
    const block = [
      'heading',
      'paragraph',
      'heading',
      'list',
      'thematicBreak',
      'list',
      'code',
      'html',
      'definition',
    ]
    expect(types(text)).toEqual(block)
    expect(types(text.repeat(2))).toEqual([...block, ...block])
    expect(given).toEqual([])
  })

  test('has the inline markup of a paragraph parsed once it is asked for', () => {
    const text = 'one **bold** thing'
    const [paragraph] = tree(`${text}\n`).nodes as [Paragraph]
    expect(given).toEqual([])
    expect(paragraph.children.map(({ type }) => type)).toEqual(['text', 'strong', 'text'])
    expect(given).toEqual([text.length])
  })
})

describe('any other text', () => {
  test('is parsed in chunks, each by itself', () => {
    const block = 'Name | Value\n--- | ---\na | b\n\n> quoted\n> text\n\n    code\n\nTitle\n=====\n\n'
    expect(types(block.repeat(50))).toHaveLength(200)
    expect(Math.max(...given)).toBeLessThan(40)
    expect(total()).toBeLessThan(block.length * 50)
  })

  test('gives each chunk only those definitions that it refers to', () => {
    const text = repeat(100, (index) => `> [label ${index}]\n\n[label ${index}]: u\n\n`)
    tree(text)
    expect(total()).toBeLessThan(text.length)
  })

  test('finds the end of code that begins inside a chunk, and of HTML that goes on to an empty line', () => {
    const code = `> quoted\n\`\`\`\n\n${'## not a heading\n\n'.repeat(100)}\`\`\`\n\n# heading\n`
    expect(types(code)).toEqual(['blockquote', 'code', 'heading'])
    expect(types(`<div>\n${'## not a heading\n'.repeat(100)}\n# heading\n`)).toEqual(['html', 'heading'])
    expect(total()).toBeLessThan(3 * code.length)
  })

  test('that lacks empty lines is parsed again a few times only, however many it lacks', () => {
    const text = `${repeat(100, (index) => `> [${index}]: u\n> text below a definition\n>\n`)}`
    expect(tree(text).addedLines).toHaveLength(100)
    expect(given.length).toBeLessThanOrEqual(12)
  })
})

/** Texts that would take the parser a time that grows faster than they do. */
const NASTY: Record<string, (size: number) => string> = {
  'lists in one line': (size) => '- '.repeat(size),
  'quotes in one line': (size) => '> '.repeat(size),
  'lists and quotes': (size) => '- > 1. '.repeat(size / 4),
  'lists below each other': (size) => repeat(Math.sqrt(size), (level) => `${'  '.repeat(level)}- x\n`),
  'lists below each other, with tabs': (size) =>
    repeat(Math.sqrt(size), (level) => `${'\t'.repeat(level)}- x\n`),
  'a long quote': (size) => '> text\n'.repeat(size / 4),
  'a long table': (size) => `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(size / 4)}`,
  'a long item with a definition': (size) => `- x\n\n  [a]: u\n${'  - y\n'.repeat(size / 4)}`,
  'a long item with tabs': (size) => `- x\n${'\t- y\n'.repeat(size / 4)}`,
  'stars and underscores': (size) => '*_'.repeat(size),
  'open brackets': (size) => '['.repeat(size),
  'open links': (size) => '[a]('.repeat(size / 2),
  'HTML that does not end': (size) => 'a <!-- '.repeat(size / 4),
  'code fences in items': (size) => '- ```\n'.repeat(size / 4),
  'definitions without an empty line': (size) => '[a]: u\ntext\n'.repeat(size / 8),
  'anchors above headings': (size) => '<a name="x"/>\n# x\n'.repeat(size / 8),
  'empty items': (size) => '-\n'.repeat(size / 2),
  'lazy lines': (size) => `> x\n${'y\n'.repeat(size / 2)}`,
}

describe.each(Object.entries(NASTY))('%s', (_, write) => {
  const body = (size: number) => `## 1.0.0\n\n${write(size)}\n\n## 0.9.0\n\n- last\n`

  test('cost the parser no more than so much for each character, and none is lost', () => {
    const costs = [10_000, 20_000].map((size) => {
      given.length = 0
      const text = body(size)
      const { versions } = parseMarkdown(text)
      expect(versions.map(({ label }) => label)).toEqual(['1.0.0', '0.9.0'])
      return total() / text.length
    })
    expect(Math.max(...costs)).toBeLessThan(30)
    expect(Math.max(...given)).toBeLessThan(100_000)
    expect(costs[1]).toBeLessThanOrEqual(1.2 * (costs[0] ?? 0) + 0.1)
  })
})

test.each([
  ['deeper than 32 levels', `- x\n  ${'- '.repeat(32)}[a]`],
  ['more than 2000 lines', `> x\n${'> y\n'.repeat(2000)}> [a]`],
  ['a paragraph of more than 300 marks', `- ${'w_ords '.repeat(301)}[a]`],
])('what is %s is kept as text, with a warning that names the line', (words, block) => {
  const text = `text\n\n${block}\n\n[a]: u\n`
  const source = new MarkdownSource(text)
  const line = words.startsWith('deeper') ? 4 : 3
  expect(source.warnings).toEqual([{ line, message: expect.stringMatching(/kept as text$/) }])
  expect(source.blocks(source.nodes)).toBe(`text\n\n${block}`)
})

describe('a text that would take the parser too long as a whole', () => {
  const QUOTE = '> quoted\nlazily\n\n'
  const FEW = 100
  const MANY = 20_000
  const changelog = (quotes: number) => `## 2.0.0\n\n${QUOTE.repeat(quotes)}## *1.0.0*\n\n- last\n`

  test('is parsed up to a point, and from there on kept as text, with one warning', () => {
    parseMarkdown(changelog(FEW))
    const callsEach = given.length / FEW
    given.length = 0
    const { versions, warnings } = parseMarkdown(changelog(MANY))
    expect(given.length).toBeLessThan((callsEach * MANY) / 2)
    expect(warnings.filter(({ message }) => message.includes('kept as text'))).toEqual([
      {
        line: expect.any(Number),
        message: 'too much markup to parse: from here on, whatever is not plain is kept as text',
      },
    ])
    expect(versions[0]?.description?.match(/^> quoted\nlazily$/gm)).toHaveLength(MANY)
  })

  test('keeps its versions and items where they are not plain', () => {
    const text = `${changelog(MANY)}- <b>bold</b>\n\n*0.9*\n===\n\n- older\n`
    const { versions } = parseMarkdown(text)
    expect(versions.map(({ label }) => label)).toEqual(['2.0.0', '1.0.0', '0.9'])
    expect(versions.map(({ changes }) => changes.map(({ title }) => title))).toEqual([
      [],
      ['last', '<b>bold</b>'],
      ['older'],
    ])
  })

  test('loses no definition-like line of an item', () => {
    const text = `${changelog(MANY)}- one\n\n  text\\\n  [a]: u\n`
    const { versions } = parseMarkdown(text)
    expect(versions.at(-1)?.changes.at(-1)?.description).toBe('text\\\n\\[a]: u')
  })
})

import { describe, expect, test } from 'bun:test'
import { plainText, renderBlocks } from '../../../../src/notes/html/render.ts'

const LENGTH = 60_000
const blocks = (source: string, level = 3) => renderBlocks(source, level, LENGTH).html.trim()

describe('renderBlocks', () => {
  test('characters that no page may have are left out', () => {
    expect(blocks('a\u0008b\u0085c &#11;&#x1b;&#xFFFE;d `\u000c`')).toBe('<p>abc d <code></code></p>')
    expect(blocks('a\u0000 &#0;')).toBe('<p>a\uFFFD \uFFFD</p>')
  })

  test('headings begin at the level asked for, and none is skipped', () => {
    expect(blocks('##### a\n# b\n#### c\n###### d\n#').match(/<h\d/g)).toEqual(['<h3', '<h3', '<h4', '<h5'])
    expect(blocks('# a\n### b\n## c\n###### d', 2).match(/<h\d/g)).toEqual(['<h2', '<h3', '<h3', '<h4'])
    expect(blocks('# a\n## b\n### c\n#### d', 5).match(/<h\d/g)).toEqual(['<h5', '<h6', '<h6', '<h6'])
  })

  test('the headings of one text do not depend on those of another', () => {
    expect(blocks('# a\n## b')).toBe(blocks('# a\n## b'))
  })

  test('a table can be scrolled by keyboard, and its alignment needs no style', () => {
    const table = blocks('| a | b |\n|:-:|--:|\n| 1 | 2 |')
    expect(table).toStartWith('<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>')
    expect(table).toEndWith('</table></div>')
    expect(table).toContain('<th class="center">a</th><th class="right">b</th>')
  })

  test('a cell above a column is no heading without words', () => {
    const table = blocks('| | b |\n|--:|---|\n| 1 | 2 |')
    expect(table).toContain('<tr><td class="right"></td><th>b</th></tr>')
  })

  test('a box of a task list says whether it is done', () => {
    const list = blocks('- [x] a\n- [ ] b')
    expect([...list.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
      'done',
      'not done',
    ])
  })

  test('a text that is too long to render at once is cut at the end of a line', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)
    const rendered = blocks(lines.join('\n\n'))
    expect(rendered).toEndWith('<p>…</p>')
    expect(rendered.length).toBeLessThan(120_000)
    expect(rendered).not.toContain('line 19999')
    expect(blocks('x'.repeat(100_000))).toBe(`<p>${'x'.repeat(60_000)}</p>\n<p>…</p>`)
  })
})

describe('plainText', () => {
  test.each([
    ['**bold** & `a < b` "q"', 'bold & a < b "q"'],
    ['[link](https://x.test/?a&b)', 'link'],
    ["it's <x>", "it's <x>"],
    ['&amp;lt;', '&lt;'],
    ['Press <kbd>K</kbd>, &nbsp;x', 'Press K, \u00A0x'],
    ['One<br>two', 'One two'],
    ['[x] :bug: Done', '🐛 Done'],
    ['<img src="https://x.test/a.png" alt="a > b">c', 'c'],
  ])('of %p is %p', (source, expected) => {
    expect(plainText(source)).toBe(expected)
  })
})

test.each([
  ['lists', (depth: number) => `${'  '.repeat(depth)}- item ${depth}`],
  ['numbered lists', (depth: number) => `${'   '.repeat(depth)}1. item ${depth}`],
  ['lists and quotes', (depth: number) => `${'  '.repeat(depth)}- > item ${depth}\n`],
  ['quotes', (depth: number) => `${'> '.repeat(depth)}item ${depth}\n`],
])('%s that lines nest are 16 deep at most, and keep every word in valid HTML', (_, line) => {
  const html = blocks(Array.from({ length: 100 }, (_, depth) => line(depth)).join('\n'))
  const open: string[] = []
  let deepest = 0
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)(ul|ol|li|blockquote)\b[^>]*>/g)) {
    if (slash) expect(open.pop()).toBe(name)
    else {
      if (name === 'li') expect(open.at(-1)).toMatch(/^[uo]l$/)
      open.push(name)
    }
    deepest = Math.max(deepest, open.filter((each) => each !== 'li').length)
  }
  expect(open).toEqual([])
  expect(deepest).toBe(16)
  const items = html.match(/item \d+/g)
  expect(items?.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, depth) => `item ${depth}`))
})

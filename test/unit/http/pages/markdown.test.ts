import { describe, expect, test } from 'bun:test'
import { plainText, renderBlocks, renderInline } from '../../../../src/http/pages/markdown/render.ts'

const LENGTH = 60_000
const blocks = (source: string, level = 3) => renderBlocks(source, level, LENGTH).html.trim()

describe('renderBlocks', () => {
  test.each([
    ['**bold** `a < b`', '<p><strong>bold</strong> <code>a &lt; b</code></p>'],
    ['<u>raw</u>', '<p>&lt;u&gt;raw&lt;/u&gt;</p>'],
    ['<form>\nraw\n</form>', '<p>&lt;form&gt;\nraw\n&lt;/form&gt;</p>'],
    [
      '[a](https://x.test/?a=1&b=2)',
      '<p><a href="https://x.test/?a=1&amp;b=2" rel="nofollow noopener">a</a></p>',
    ],
    ['[a](/docs?b#x)', '<p><a href="/docs?b#x" rel="nofollow noopener">a</a></p>'],
    ['[a](#x)', '<p><a href="#x" rel="nofollow noopener">a</a></p>'],
    // Paths of the repository that the text is from.
    ['[a](../docs#x)', '<p><a>a</a></p>'],
    ['[a](docs/guide.md)', '<p><a>a</a></p>'],
    ['[a](?b)', '<p><a>a</a></p>'],
    ['[a](mailto:a@b.test)', '<p><a href="mailto:a@b.test" rel="nofollow noopener">a</a></p>'],
    ['[a](javascript:alert(1))', '<p><a>a</a></p>'],
    ['[a](data:text/html,x)', '<p><a>a</a></p>'],
    ['[a](vbscript:x)', '<p><a>a</a></p>'],
    ['[a](file:///etc/passwd)', '<p><a>a</a></p>'],
    ['[](https://x.test/)', '<p><a href="https://x.test/" rel="nofollow noopener">https://x.test/</a></p>'],
    ['https://x.test', '<p><a href="https://x.test" rel="nofollow noopener">https://x.test</a></p>'],
    [
      'See <https://x.test/?a=1&b=2>.',
      '<p>See <a href="https://x.test/?a=1&amp;b=2" rel="nofollow noopener">https://x.test/?a=1&amp;b=2</a>.</p>',
    ],
    ['<a@x.test>', '<p><a href="mailto:a@x.test" rel="nofollow noopener">a@x.test</a></p>'],
    ['`<https://x.test>`', '<p><code>&lt;https://x.test&gt;</code></p>'],
    ['<javascript:alert(1)>', '<p>&lt;javascript:alert(1)&gt;</p>'],
    [
      '[<https://x.test>](https://y.test)',
      '<p><a href="https://y.test" rel="nofollow noopener">&lt;https://x.test&gt;</a></p>',
    ],
    [
      '![<https://x.test>](https://x.test/a.png "> <https://x.test>")',
      '<p><img class="wide" src="https://x.test/a.png" alt="&lt;https://x.test&gt;" title="&gt; &lt;https://x.test&gt;" loading="lazy" decoding="async" referrerpolicy="no-referrer" /></p>',
    ],
    ['![a](http://x.test/a.png)', '<p>a</p>'],
    ['![a](a.png)', '<p>a</p>'],
    ['![a](//x.test/a.png)', '<p>a</p>'],
    ['![<b>](javascript:x)', '<p>&lt;b&gt;</p>'],
    [
      '![](https://x.test/a.png)',
      '<p><img class="wide" src="https://x.test/a.png" alt="Image" loading="lazy" decoding="async" referrerpolicy="no-referrer" /></p>',
    ],
    ['```js\nx\n```', '<pre tabindex="0"><code>x\n</code></pre>'],
    ['a\u0008b\u0085c &#11;&#x1b;&#xFFFE;d `\u000c`', '<p>abc d <code></code></p>'],
    ['a\u0000 &#0;', '<p>a\uFFFD \uFFFD</p>'],
  ])('%s becomes %s', (source, expected) => {
    expect(blocks(source)).toBe(expected)
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

describe('renderInline', () => {
  test.each([
    ['Plain words', 'Plain words'],
    ['**bold** & `code`', '<strong>bold</strong> &amp; <code>code</code>'],
    ['# not a heading', '# not a heading'],
    ['- not a list', '- not a list'],
    ['1. not a list', '1. not a list'],
    ['> not a quotation', '&gt; not a quotation'],
    ['```not code', '```not code'],
    ['[x]: https://x.test', '[x]: <a href="https://x.test" rel="nofollow noopener">https://x.test</a>'],
    ['https://x.test first', '<a href="https://x.test" rel="nofollow noopener">https://x.test</a> first'],
    ['_first_ word', '<em>first</em> word'],
    ['two\n\nlines', 'two lines'],
    ['| a |\n|---|', '| a | |---|'],
    ['    indented', 'indented'],
    ['[a](javascript:alert(1)) <x>', '<a>a</a> &lt;x&gt;'],
    ['', ''],
  ])('%p becomes %p', (source, expected) => {
    expect(renderInline(source)).toBe(expected)
  })
})

describe('plainText', () => {
  test.each([
    ['**bold** & `a < b` "q"', 'bold & a < b "q"'],
    ['[link](https://x.test/?a&b)', 'link'],
    ["it's <x>", "it's <x>"],
    ['&amp;lt;', '&lt;'],
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

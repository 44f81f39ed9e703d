import { describe, expect, test } from 'bun:test'
import { plainText, renderBlocks, renderInline } from '../../../../../src/http/pages/markdown/render.ts'

const blocks = (source: string): string => renderBlocks(source, 3, 20_000).html.trim()
const IMAGE = 'loading="lazy" decoding="async" referrerpolicy="no-referrer"'

describe('HTML that GitHub renders', () => {
  test.each([
    ['Press <kbd>Ctrl</kbd>', '<p>Press <kbd>Ctrl</kbd></p>'],
    ['a<br>b<br/>c', '<p>a<br>b<br>c</p>'],
    ['H<sub>2</sub>O 2<sup>16</sup>', '<p>H<sub>2</sub>O 2<sup>16</sup></p>'],
    [
      '<b>a</b> <i>b</i> <s>c</s> <ins>d</ins> <mark>e</mark> <small>f</small>',
      '<p><b>a</b> <i>b</i> <s>c</s> <ins>d</ins> <mark>e</mark> <small>f</small></p>',
    ],
    ['<p align="center">a</p>', '<p class="center">a</p>'],
    ['<div style="color:red" class="x" id="y">a</div>', '<div>a</div>'],
    [
      '<details>\n<summary>Two</summary>\n\n- a\n- b\n\n</details>',
      '<details>\n<summary>Two</summary>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</details>',
    ],
    ['<details open><summary>x</summary>y</details>', '<details open=""><summary>x</summary>y</details>'],
    ['<h1>a</h1><h3>b</h3>', '<h3>a</h3><h4>b</h4>'],
    [
      '<img src="https://x.test/a.png" width="600" height="40px" onload="x()" alt="A">',
      `<img src="https://x.test/a.png" width="600" height="40" alt="A" ${IMAGE}>`,
    ],
    ['<img src="http://x.test/a.png" alt="A <b>">', 'A &lt;b&gt;'],
    [
      '<img src="https://x.test/a.png" width="100%">',
      `<img src="https://x.test/a.png" alt="Image" ${IMAGE}>`,
    ],
    [
      '<picture><source media="(prefers-color-scheme: dark)" srcset="https://x.test/d.png"><img src="https://x.test/a.png" alt="A"></picture>',
      `<p><picture><source media="(prefers-color-scheme: dark)" srcset="https://x.test/d.png"><img class="wide" src="https://x.test/a.png" alt="A" ${IMAGE}></picture></p>`,
    ],
    [
      '<picture><source srcset="http://x.test/d.png"><img src="https://x.test/a.png" alt="A"></picture>',
      `<p><picture><img class="wide" src="https://x.test/a.png" alt="A" ${IMAGE}></picture></p>`,
    ],
    [
      '<a href="https://x.test" target="_blank">x</a>',
      '<p><a href="https://x.test" rel="nofollow noopener">x</a></p>',
    ],
    ['<a href="javascript:alert(1)">x</a>', '<p><a>x</a></p>'],
    ['<a name="1.0"></a>\n\nText', '<p>Text</p>'],
  ])('%s', (source, expected) => {
    expect(blocks(source)).toBe(expected)
  })

  test('a table keeps its cells that span others', () => {
    const table = blocks('<table><tr><td colspan="2" align="right">a</td></tr></table>')
    expect(table).toContain('<td colspan="2" class="right">a</td>')
  })

  test.each([
    ['<!-- generated -->\n\nText', '<p>Text</p>'],
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['<!--\n- a\n- b\n<script>\n-->', ''],
  ])('comments disappear: %p', (source, expected) => {
    expect(blocks(source)).toBe(expected)
  })
})

describe('other HTML is shown as text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<script>alert(1)</script> <b>x</b>',
    '<iframe src="https://x.test"></iframe> <b>x</b>',
    '<svg onload=alert(1)><b>x</b></svg>',
    '<style>a{}</style> <b>x</b>',
    '<textarea><b>x</b></textarea>',
    '<video src="https://x.test/v.mp4"></video> <b>x</b>',
    'Vec<Option<T>> and <b>x</b>',
    '<body onload=alert(1)> <b>x</b>',
    '<?php x ?> <b>x</b>',
    '<!DOCTYPE html> <b>x</b>',
    'a < b > c &lt;d&gt; <b>x</b>',
    '<plaintext> <b>x</b>',
    '<template><b>x</b></template>',
    '<select><option><b>x</b></select>',
  ])('%s', (source) => {
    const html = blocks(source)
    expect(html.match(/<(?!\/)[a-z]+/g)?.filter((tag) => tag !== '<p' && tag !== '<b') ?? []).toEqual([])
    const shown = Bun.escapeHTML(source.replace('&lt;', '<').replace('&gt;', '>'))
      .replace('&lt;b&gt;x&lt;/b&gt;', source.includes('<b>x</b>') ? '<b>x</b>' : '$&')
      .replaceAll('&quot;', '"')
    expect(html.replaceAll('&quot;', '"').replace(/^<p>|<\/p>$/g, '')).toBe(shown)
  })
})

test('a tag whose name only begins like a known one is shown as text', () => {
  expect(blocks('<div>\n<b\u00A0x>y</b\u00A0x>\n</div>')).toBe(
    '<div>\n&lt;b&nbsp;x&gt;y&lt;/b&nbsp;x&gt;\n</div>',
  )
})

describe('a title', () => {
  test.each([
    ['Press <kbd>K</kbd> in `<kbd>`', 'Press <kbd>K</kbd> in <code>&lt;kbd&gt;</code>'],
    ['One line<br>two', 'One line<br>two'],
    ['<details><summary>a</summary></details> <h1>b</h1>', 'a b'],
    ['a <!-- hidden --> b', 'a  b'],
    ['<p align="center"><b>x</b></p>', '<b>x</b>'],
    ['<script>x</script> <b>y</b>', '&lt;script&gt;x&lt;/script&gt; <b>y</b>'],
    ['`Vec<T>` of Map<K, V>', '<code>Vec&lt;T&gt;</code> of Map&lt;K, V&gt;'],
    ['[x] Done', '<input type="checkbox" checked="" disabled="" aria-label="done"> Done'],
    ['[ ] `To do`', '<input type="checkbox" disabled="" aria-label="not done"> <code>To do</code>'],
  ])('%s becomes %s', (source, expected) => {
    expect(renderInline(source)).toBe(expected)
  })

  test.each([
    ['Press <kbd>K</kbd>, &nbsp;x', 'Press K, \u00A0x'],
    ['One<br>two', 'One two'],
    ['[x] Done', 'Done'],
    ['<img src="https://x.test/a.png" alt="a > b">c', 'c'],
  ])('%s is read as %s', (source, expected) => {
    expect(plainText(source)).toBe(expected)
  })
})

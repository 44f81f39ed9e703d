import { expect, test } from 'bun:test'
import { createMark } from '../../../../src/http/html/mark.ts'

test.each([
  [['export'], 'Boards can be exported', 'Boards can be <mark>exported</mark>'],
  [
    ['export'],
    '<em>Exports</em> and re-exports',
    '<em><mark>Exports</mark></em> and re-<mark>exports</mark>',
  ],
  [['lient'], 'createClient()', 'createC<mark>lient</mark>()'],
  [['a', 'amp'], 'x &amp; b', 'x &amp; b'],
  [['a&b'], 'the A&amp;B test', 'the <mark>A&amp;B</mark> test'],
  [['<b'], 'a &lt;b&gt; c', 'a <mark>&lt;b</mark>&gt; c'],
  [
    ['title', 'docs'],
    '<a href="/docs" title="docs > title">docs</a>',
    '<a href="/docs" title="docs > title"><mark>docs</mark></a>',
  ],
  [['.*', '('], 'f(x) .*', 'f<mark>(</mark>x) <mark>.*</mark>'],
  [[], 'nothing', 'nothing'],
] as const)('%p in %p', (words, html, marked) => {
  expect(createMark(words)(html)).toBe(marked)
})

test('a text with very many of the words has only so many marks', () => {
  expect(createMark(['a'])('a '.repeat(10_000)).split('<mark>')).toHaveLength(501)
})

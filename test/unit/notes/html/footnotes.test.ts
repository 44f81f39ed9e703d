import { expect, test } from 'bun:test'
import { renderBlocks } from '../../../../src/notes/html/render.ts'

const blocks = (source: string): string => renderBlocks(source, 3, 20_000).html.trim()
const text = (source: string): string => blocks(source).replace(/<[^>]*>/g, '')

test('footnotes follow the text, numbered as they are used, and lead there and back', () => {
  const html = blocks('A[^b] and B[^a], again[^b].\n\n[^a]: *First*\n[^b]: Second\n\n    and more.\n\nEnd.')
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id as string)
  const hrefs = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id as string)
  expect(new Set(ids).size).toBe(4)
  expect(new Set(hrefs)).toEqual(new Set(ids))
  expect(
    text('A[^b] and B[^a], again[^b].\n\n[^a]: *First*\n[^b]: Second\n\n    and more.\n\nEnd.')
      .trim()
      .split(/\s+/),
  ).toEqual('A1 and B2, again1. End. Second and more. ↩ First ↩'.split(' '))
  expect(html).toContain('<em>First</em>')
})

test('the notes of two texts have different ids', () => {
  const ids = (source: string) => blocks(source).match(/ id="[^"]*"/g) ?? []
  expect(new Set([...ids('A[^1]\n\n[^1]: x'), ...ids('B[^1]\n\n[^1]: x')]).size).toBe(4)
})

test.each([
  ['that nothing refers to', 'A\n\n[^1]: Note'],
  ['of one word that is no link', 'A\n\n[^1]: https://x.test'],
  ['without a definition', 'A[^1]'],
])('a footnote %s is text', (_, source) => {
  expect(text(source)).toBe(source.replace('\n\n', '\n'))
})

test('in code they are as written', () => {
  expect(blocks('`[^1]` and\n\n```\n[^1]: code\n```')).toContain('<code>[^1]: code\n</code>')
  expect(text('`[^1]`\n\n[^1]: Kept')).toContain('Kept')
})

test.each([
  ['a longer fence', '````\n```\n[^1]: code\n````'],
  ['a fence with words behind a second mark', '```\n```js\n[^1]: code\n```'],
  ['an item', '- ```\n  [^1]: code\n  ```'],
  ['a quote, which ends with it', '> ```\n\n```\n[^1]: code\n```'],
  ['a note, below which it begins', '[^2]: Note[^2]\n```\n[^1]: code\n```'],
])('in code they are as written: %s', (_, code) => {
  expect(blocks(`A[^1]\n\n${code}`)).toContain('[^1]: code\n</code>')
})

test('a note below code is a note, whatever the code shows', () => {
  const html = blocks('A[^1]\n\n```\n~~~\n```\n\n[^1]: Note')
  expect(html).toContain('<code>~~~\n</code>')
  expect(html).toMatch(/<li id="note-[^"]*"><p>Note/)
})

import { expect, test } from 'bun:test'
import { oddities } from '../../../../src/desk/editing/checks.ts'

const NOW = Date.parse('2026-11-19T12:00:00Z')
const OWN = `${'0'.repeat(32)}-640x400`
const OTHER = `${'1'.repeat(32)}-640x400`
const PICTURES = new Set([OWN])
const found = (text: string, day = '') =>
  oddities(
    { label: '1.0.0', title: '', day, text },
    { now: NOW, isPublished: false, pictures: PICTURES },
  ).map(({ code, line, about }) => [code, line, about])

test('what is odd is named with its line', () => {
  expect(
    found(
      '## Added\n\n- Search\n\n## Infra\n\n- search\n- [Moved]()\n- [Gone](# )\n- ![Shot](<>)\n\n```sh\ncode',
    ),
  ).toEqual([
    ['otherKind', 5, 'Infra'],
    ['repeated', 7, '3'],
    ['emptyLink', 8, 'Moved'],
    ['emptyLink', 9, 'Gone'],
    ['emptyLink', 10, ''],
    ['openCode', 12, ''],
  ])
})

test('a date ahead is odd until the version is published', () => {
  expect(found('- A', '2026-12-24')).toEqual([['dateAhead', null, '2026-12-24']])
  expect(found('- A', '2026-11-18')).toEqual([])
})

test('code that ends, links with a target and known headings are not odd', () => {
  expect(found('## Fixed\n\n- [One](https://a.example)\n\n~~~~\n~~~\n~~~~\n\n## Notes\n\nText')).toEqual([])
})

test.each([
  ['a quote', '> ```\n> code\n> ```', false],
  ['an item', '- ```\n  code\n  ```', false],
  ['more blanks than a fence may have', '```\ncode\n    ```', true],
  ['words behind the mark', '~~~\ncode\n~~~ sh', true],
])('code ends where the page ends it: %s', (_, text, isOpen) => {
  expect(found(text)).toEqual(isOpen ? [['openCode', 1, '']] : [])
})

test('a picture that no page can show is named', () => {
  const text = [
    `![Own](pictures/${OWN}.webp) ![Web](https://a.example/b.png) ![Site](/b.png)`,
    '`![Code](shot.png)` and ![Sending…]()',
    `- Other\n\n  ![Other](pictures/${OTHER}.webp "Title")`,
    '[![Shot](./shot.png)](https://a.example)',
    '<img src="docs/shot.png" alt="">',
  ].join('\n\n')
  expect(found(text)).toEqual([
    ['emptyLink', 3, ''],
    ['noPicture', 7, `pictures/${OTHER}.webp`],
    ['noPicture', 9, './shot.png'],
    ['noPicture', 11, 'docs/shot.png'],
  ])
})

test('the first eight are named, in the order of the text', () => {
  const lines = Array.from({ length: 9 }, (_, at) => `- [Link ${at}]()`)
  expect(found(lines.join('\n')).map(([, line]) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('a text of 200,000 characters is checked, and a longer one is not', () => {
  const longest = `- [Moved]()\n\n${'x'.repeat(200_000 - 13)}`
  expect(found(longest)).toEqual([['emptyLink', 1, 'Moved']])
  expect(found(`${longest}x`)).toEqual([])
})

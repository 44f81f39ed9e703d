import { expect, test } from 'bun:test'
import { oddities } from '../../../../src/desk/editing/checks.ts'

const NOW = Date.parse('2026-11-19T12:00:00Z')
const found = (text: string, day = '') =>
  oddities({ label: '1.0.0', title: '', day, text }, NOW, false).map(({ code, line, about }) => [
    code,
    line,
    about,
  ])

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

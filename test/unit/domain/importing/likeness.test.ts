import { describe, expect, test } from 'bun:test'
import { pairAlike } from '../../../../src/domain/importing/match-changes.ts'

const titled = (titles: readonly string[]) => titles.map((title) => ({ title, type: 'added' }))
const pairs = (known: string[], wanted: string[]) => pairAlike(titled(known), titled(wanted))

describe('a change is paired with its edit', () => {
  test.each([
    ['a number at its end', 'Login', 'Login (#12)'],
    ['a link and a name', 'Dark mode', 'Dark mode by @someone in https://github.com/acme/app/pull/12'],
    ['a corrected word', 'Fix crash of the parser on emtpy lines', 'Fix crash of the parser on empty lines'],
    ['another case', 'B', 'b'],
    ['more words', 'Import from GitLab', 'Import from GitLab, with its labels'],
    ['a prefix', 'Search by tag', '**core:** Search by tag'],
  ])('that has %s', (_, before, after) => {
    expect(pairs([before], [after])).toEqual([0])
    expect(pairs([after], [before])).toEqual([0])
  })
})

describe('a change is not paired', () => {
  test.each([
    ['with one that shares only common words', 'Fix the crash', 'Fix the typo'],
    [
      'with one that only links to the same place',
      'Login ([#1](https://github.com/acme/app/1))',
      'Search ([#2](https://github.com/acme/app/1))',
    ],
    ['with one that shares half of its words', 'Parser crash', 'Parser typo'],
    ['with a much longer one', 'Login', 'Ask for the password again before a login with an old session'],
    ['with nothing', 'Login', '!!'],
  ])('%s', (_, before, after) => {
    expect(pairs([before], [after])).toEqual([null])
  })
})

test('the most alike are paired first, and each only once', () => {
  expect(pairs(['Login page', 'Login page for teams'], ['Login page for all teams', 'Login page'])).toEqual([
    1, 0,
  ])
  expect(pairs(['Login page'], ['Login pages page', 'Login page'])).toEqual([null, 0])
})

test('of equally alike ones that of the same type is meant', () => {
  const known = [
    { title: 'Login', type: 'fixed' },
    { title: 'Login', type: 'added' },
  ]
  expect(pairAlike(known, [{ title: 'Login!', type: 'added' }])).toEqual([1])
})

test('thousands of changes that share their words are compared with few', () => {
  const titles = (end: string) => Array.from({ length: 5000 }, (_, at) => `word other third ${at} ${end}`)
  expect(pairs(titles('before'), titles('after'))).toEqual(titles('').map((_, at) => at))
  expect(pairs(Array(5000).fill('same words'), Array(5000).fill('same words!'))).toEqual(
    Array(5000).fill(null),
  )
})

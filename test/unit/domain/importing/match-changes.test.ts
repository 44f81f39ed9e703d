import { describe, expect, test } from 'bun:test'
import { changeFields, corrected } from '../../../../src/domain/importing/imported.ts'
import { matchChanges, pairAlike, pairMisspelled } from '../../../../src/domain/importing/match-changes.ts'
import type { Change } from '../../../../src/domain/records.ts'

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

test('a word in more than 32 titles leads to no comparison, and only the first 64 words of a title count', () => {
  const login = (count: number) => Array.from({ length: count }, () => 'login')
  expect(pairs(login(32), ['Login!'])).toEqual([0])
  expect(pairs(login(33), ['Login!'])).toEqual([null])
  const filler = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`)
  const long = (from: number, last: string) => [...filler(from, 63), last].join(' ')
  expect(pairs([long(0, 'login')], [long(100, 'login')])).toEqual([null])
  expect(pairs([long(0, 'login')], ['login word0 word1 word2 word3'])).toEqual([null])
  expect(pairs([`login ${filler(0, 2).join(' ')}`], [`login ${filler(0, 2).join(' ')} a b`])).toEqual([0])
  expect(pairs([[...filler(0, 64), 'login'].join(' ')], [filler(0, 64).join(' ')])).toEqual([0])
  // 24 of 64 and 31 words are just more than half.
  expect(pairs([[...filler(0, 64), 'login'].join(' ')], [filler(40, 31).join(' ')])).toEqual([0])
  const [one, other] = [filler(0, 64), filler(100, 64)]
  expect(pairs([[...one, 'login'].join(' ')], [[...other, 'login'].join(' ')])).toEqual([null])
})

test('a title within one three times as long is the same, and more than half of the words, but not half', () => {
  expect(pairs(['Login'], ['Login page teams'])).toEqual([0])
  expect(pairs(['Login'], ['Login page teams again'])).toEqual([null])
  expect(pairs(['Login page teams'], ['Login page owners'])).toEqual([0])
  expect(pairs(['Login page'], ['Login owners'])).toEqual([null])
})

test('common words weigh a quarter of others', () => {
  expect(pairs(['Fix the login'], ['Improve login so that it can be used'])).toEqual([null])
  expect(pairs(['Login fix update'], ['Login add remove'])).toEqual([0])
})

test('a share may be demanded', () => {
  const known = titled(['Login page teams'])
  expect(pairAlike(known, titled(['Login page owners']), 0.6)).toEqual([0])
  expect(pairAlike(known, titled(['Login page owners']), 2 / 3)).toEqual([0])
  expect(pairAlike(known, titled(['Login page owners']), 0.7)).toEqual([null])
})

test('of equally alike ones the first is meant, also if only the other has the type of another', () => {
  expect(pairs(['Login page', 'Login page'], ['Login page!', 'Login page?'])).toEqual([0, 1])
  expect(pairs(['two three four other', 'one two three other'], ['one two three four'])).toEqual([0])
})

test('a more similar title is meant, also if a less similar one has the type', () => {
  const known = [
    { title: 'Login page teams', type: 'added' },
    { title: 'Login page owners', type: 'fixed' },
  ]
  expect(pairAlike(known, [{ title: 'Login page owners!', type: 'added' }])).toEqual([1])
})

test('targets of links and addresses do not count, however many there are', () => {
  const linked = (word: string) => `${word} [${word}1](docs/x/y) [${word}2](docs/z/v/w)`
  expect(pairs([linked('Login')], [linked('Export')])).toEqual([null])
  const bare = (word: string) => `${word} https://a.org/one/two https://a.org/three/four`
  expect(pairs([bare('Login')], [bare('Export')])).toEqual([null])
  expect(pairs(['[Login](https://a.org)page'], ['Login page'])).toEqual([0])
  expect(pairs(['(Login)'], ['!!'])).toEqual([null])
})

describe('titles that differ in the spelling of one word are paired', () => {
  const misspelled = (known: string[], wanted: string[]) => pairMisspelled(titled(known), titled(wanted))
  test.each([
    ['a letter too few', 'Add kyboard', 'Add keyboard', 0],
    ['a swap and another letter', 'Add keybaord', 'Add keyboart', 0],
    ['two swapped and one other', 'Add keybaord', 'Add keyboards', 0],
    ['three errors', 'Add kybaords', 'Add keyboard', null],
    ['short words', 'Add key', 'Add kez', null],
    ['a short word in place of a long one', 'Add key', 'Add keys', null],
    ['words with other characters', 'Add key1board', 'Add key2board', null],
    ['another character at the end', 'Add keyboard1', 'Add keyboard', null],
    ['another character at the beginning', 'Add 1keyboard', 'Add keyboard', null],
    ['two words', 'Adds kyboard', 'Addz keyboard', null],
    ['one word more', 'Add keyboard', 'Add keyboard again', null],
    ['one word more, and a letter too few', 'Add kyboard', 'Add keyboard again', null],
    ['nothing', 'Add keyboard', 'Add keyboard', null],
  ] as const)('or not: %s', (_, before, after, expected) => {
    expect(misspelled([before], [after])).toEqual([expected])
  })

  test('each only once, and among 32 titles at the most', () => {
    expect(misspelled(['keybord', 'keyboad'], ['keyboard', 'keyboard', 'keyboard'])).toEqual([0, 1, null])
    const many = (count: number) => ['keybord', ...Array.from({ length: count - 1 }, (_, at) => `${at}`)]
    expect(misspelled(many(32), ['keyboard'])).toEqual([0])
    expect(misspelled(many(33), ['keyboard'])).toEqual([null])
    expect(misspelled(['keybord'], ['keyboard', ...many(32).slice(1)])[0]).toBe(0)
    expect(misspelled(['keybord'], ['keyboard', ...many(33).slice(1)])[0]).toBe(null)
  })
})

describe('the changes of a file are', () => {
  const change = (id: string, fields: Partial<Change>): Change => ({
    ...{ id, type: 'added', title: 'Login', description: null, typeLabel: null, imported: null },
    ...fields,
  })
  const edited = (before: Change, fields: Partial<Change>): Change => {
    const after = { ...before, ...fields }
    return { ...after, imported: corrected(null, changeFields(before), changeFields(after)) }
  }
  const matched = (known: Change[], wanted: Change[]) => matchChanges(known, wanted).map((each) => each?.id)

  test('the equal ones, in their order, if others are like them', () => {
    const known = [change('a', { type: 'fixed' }), change('b', {}), change('c', { description: 'More' })]
    expect(matched(known, [change('', {}), change('', { description: 'More' })])).toEqual(['b', 'c'])
    expect(matched([change('a', {}), change('b', {})], [change('', {}), change('', {})])).toEqual(['a', 'b'])
    expect(matched([change('a', {})], [change('', {}), change('', {})])).toEqual(['a', undefined])
  })

  test('those that were equal when they were imported, before those with the same title', () => {
    const rewritten = edited(change('a', { title: 'Sign in by mail' }), { title: 'Passwords' })
    const other = change('b', { title: 'Sign in by mail', type: 'fixed', description: 'More' })
    expect(matched([other, rewritten], [change('', { title: 'Sign in by mail' })])).toEqual(['a'])
  })

  test('those whose title was the same when they were imported, before those with the same title', () => {
    const rewritten = edited(change('a', { title: 'Sign in by mail' }), { title: 'Passwords' })
    const other = change('b', { title: 'Sign in by mail', type: 'fixed' })
    const wanted = change('', { title: 'Sign in by mail', description: 'Other' })
    expect(matched([rewritten], [wanted])).toEqual(['a'])
    expect(matched([rewritten, other], [wanted, wanted])).toEqual(['a', 'b'])
  })

  test('those with the same title, then similar ones, then misspelled ones', () => {
    const known = [
      change('a', { title: 'Keybord' }),
      change('b', { title: 'Dark mode' }),
      edited(change('c', { title: 'Search' }), { title: 'Export' }),
    ]
    const wanted = ['Export', 'Dark mode (#12)', 'Keyboard', 'Nothing'].map((title) => change('', { title }))
    expect(matched(known, wanted)).toEqual(['c', 'b', 'a', undefined])
  })

  test('all new, if there are none or only others', () => {
    expect(matched([], [change('', {})])).toEqual([undefined])
    expect(matched([change('a', {})], [])).toEqual([])
    expect(matched([change('a', {})], [change('', { title: 'Import' })])).toEqual([undefined])
  })
})

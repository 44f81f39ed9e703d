import { describe, expect, test } from 'bun:test'
import { differing } from '../../../../src/domain/importing/merge.ts'
import { mergeChanges } from '../../../../src/domain/importing/merge-changes.ts'
import type { Change, ChangeDraft } from '../../../../src/domain/records.ts'

const draft = (title: string, fields: Partial<ChangeDraft> = {}): ChangeDraft => ({
  type: 'added',
  title,
  description: null,
  ...fields,
})

/** Known changes with these titles, whose ids are 1, 2, 3 … */
const known = (...titles: string[]): Change[] =>
  titles.map((title, at) => ({ ...draft(title), id: `${at + 1}` }))

/** The merge in short: each wanted change as `title:id`, and the ids that go. */
function merged(before: readonly Change[], ...wanted: (string | ChangeDraft)[]) {
  const drafts = wanted.map((each) => (typeof each === 'string' ? draft(each) : each))
  const merge = mergeChanges(before, drafts)
  return merge && [merge.changes.map(({ title, id }) => `${title}:${id ?? 'new'}`), merge.removed]
}

describe('the changes of a version, merged with those of a file', () => {
  test('are left alone if nothing differs', () => {
    expect(merged([])).toBeNull()
    expect(merged(known('a', 'b'), 'a', 'b')).toBeNull()
  })

  test('keep their ids wherever they move', () => {
    expect(merged(known('a', 'b', 'c'), 'c', 'a', 'b')).toEqual([['c:3', 'a:1', 'b:2'], []])
  })

  test('keep their ids when they are edited', () => {
    expect(merged(known('a', 'b', 'c'), 'a', 'B', 'C')).toEqual([['a:1', 'B:2', 'C:3'], []])
    for (const edit of [draft('a', { type: 'fixed' }), draft('a', { description: 'more' })])
      expect(merged(known('a', 'b'), edit, 'b')).toEqual([['a:1', 'b:2'], []])
  })

  test('keep what says the same before any edit is looked for', () => {
    // Not the new one as the edit of a: a is still there, behind it.
    expect(merged(known('Log in', 'b'), 'Log in (#1)', 'Log in')).toEqual([
      ['Log in (#1):new', 'Log in:1'],
      ['2'],
    ])
  })

  test('are paired with what says nearly the same, wherever that is, and not with what is new', () => {
    expect(merged(known('Login', 'Logout'), 'New', 'Login (#1)', 'Logout (#2)')).toEqual([
      ['New:new', 'Login (#1):1', 'Logout (#2):2'],
      [],
    ])
    expect(merged(known('a', 'b', 'c'), 'x')).toEqual([['x:new'], ['1', '2', '3']])
  })

  test('are added where the file has more', () => {
    expect(merged(known('a'), 'new', 'a', 'newer')).toEqual([['new:new', 'a:1', 'newer:new'], []])
    expect(merged([], 'a', 'b')).toEqual([['a:new', 'b:new'], []])
  })

  test('are removed where the file has fewer', () => {
    expect(merged(known('a', 'b', 'c'), 'b')).toEqual([['b:2'], ['1', '3']])
    expect(merged(known('a', 'b'))).toEqual([[], ['1', '2']])
  })

  test('are told apart by type and description too', () => {
    const fixed = draft('a', { type: 'fixed' })
    const described = draft('a', { description: 'more' })
    const before = [draft('a'), fixed, described].map((each, at) => ({ ...each, id: `${at + 1}` }))
    expect(merged(before, described, fixed, 'a')).toEqual([['a:3', 'a:2', 'a:1'], []])
  })

  test('that are alike are matched one to one', () => {
    expect(merged(known('a', 'a', 'b'), 'a', 'a', 'a')).toEqual([['a:1', 'a:2', 'a:new'], ['3']])
    expect(merged(known('a', 'a'), 'a')).toEqual([['a:1'], ['2']])
  })

  test('carry what the file says, and nothing of before', () => {
    const wanted = draft('a', { type: 'fixed', description: 'more' })
    expect(mergeChanges(known('a'), [wanted])?.changes).toEqual([{ ...wanted, id: '1' }])
  })
})

test('only the fields of an update that differ are an update', () => {
  const team = { name: 'Acme', plan: 'free', note: null as string | null }
  expect(differing(team, { name: 'Acme', plan: 'paid' })).toEqual({ plan: 'paid' })
  expect(differing(team, { note: null })).toEqual({})
  expect(differing(team, { note: 'x' })).toEqual({ note: 'x' })
  expect(differing(team, {})).toEqual({})
})

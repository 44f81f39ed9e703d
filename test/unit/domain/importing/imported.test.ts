import { expect, test } from 'bun:test'
import {
  ADDED_BY_HAND,
  changeFields,
  contentHash,
  corrected,
  fieldHash,
  IMPORTED_PATTERN,
  isByHand,
  readImported,
  withDeleted,
  writeImported,
} from '../../../../src/domain/importing/imported.ts'

const change = { id: 'chg_1', type: 'added', title: 'Serch', description: null }

test('a field that a command changes keeps a hash of what was imported, of fixed length', () => {
  const kept = corrected(null, changeFields(change), changeFields({ ...change, title: 'Search' }))
  expect(kept).toBe(`title:${fieldHash('Serch')}`)
  expect(fieldHash('x'.repeat(100_000))).toHaveLength(fieldHash(null).length)
  const imported = readImported(kept)
  expect(isByHand(imported, 'title', 'Search')).toBe(true)
  expect(isByHand(imported, 'type', 'added')).toBe(false)
})

test('a second correction keeps the first hash, and one that restores what was imported keeps none', () => {
  const fields = (title: string) => changeFields({ ...change, title })
  const once = corrected(null, fields('Serch'), fields('Search'))
  const twice = corrected(once, fields('Search'), fields('Searching'))
  expect(twice).toBe(once)
  expect(corrected(twice, fields('Searching'), fields('Serch'))).toBeNull()
})

test('a change that was added by hand stays so, whatever is corrected in it', () => {
  const added = { ...change, imported: ADDED_BY_HAND }
  const edited = corrected(added.imported, changeFields(added), changeFields({ ...added, type: 'fixed' }))
  expect(edited).toBe(ADDED_BY_HAND)
  expect(isByHand(readImported(edited), 'title', 'anything')).toBe(true)
  expect(withDeleted(null, added)).toBeNull()
})

test('a deleted change is known by what was imported, not by its correction', () => {
  const imported = corrected(null, changeFields(change), changeFields({ ...change, title: 'Search' }))
  const deleted = withDeleted(`label:${fieldHash('1.0')}`, { ...change, title: 'Search', imported })
  expect(deleted).toBe(`label:${fieldHash('1.0')} deleted:${contentHash(change)}`)
  expect(contentHash({ ...change, description: 'more' })).not.toBe(contentHash(change))
})

test('a version keeps a bounded number of deleted changes, the newest', () => {
  const deleted = Array.from({ length: 1_001 }, (_, at) => fieldHash(at))
  const text = writeImported({ isAddedByHand: false, fields: new Map(), deleted })
  expect(readImported(text).deleted).toEqual(deleted.slice(1))
})

test('what is stored has the form that an export is checked for', () => {
  const form = new RegExp(IMPORTED_PATTERN)
  const two = `title:${fieldHash('a')} deleted:${fieldHash('b')}`
  for (const text of [ADDED_BY_HAND, `title:${fieldHash(null)}`, two]) {
    expect(form.test(text)).toBe(true)
    expect(writeImported(readImported(text))).toBe(text)
  }
  for (const text of ['', 'title', 'title:12', `hand ${two}`, `${two} `]) expect(form.test(text)).toBe(false)
})

import { describe, expect, test } from 'bun:test'
import {
  ADDED_BY_HAND,
  changeFields,
  contentHash,
  corrected,
  fieldHash,
  orderOf,
} from '../../../../src/domain/importing/imported.ts'
import type { IncomingVersion } from '../../../../src/domain/importing/merge.ts'
import { mergedChanges } from '../../../../src/domain/importing/merge-changes.ts'
import type { Change, ChangeDraft } from '../../../../src/domain/records.ts'

const draft = (title: string, more: Partial<ChangeDraft> = {}): ChangeDraft => ({
  type: 'added',
  title,
  description: null,
  ...more,
})
const stored = (id: string, title: string, more: Partial<Change> = {}): Change => ({
  ...draft(title),
  id,
  ...more,
})
/** A change that was imported and then edited by hand. */
const edited = (id: string, before: Partial<ChangeDraft>, after: Partial<ChangeDraft>): Change => {
  const [was, is] = [draft('a', before), draft('a', after)]
  return { ...is, id, imported: corrected(null, changeFields(was), changeFields(is)) }
}
const added = (id: string, title: string) => stored(id, title, { imported: ADDED_BY_HAND })

/** A version of a file with these changes. */
const inFile = (changes: readonly (string | ChangeDraft)[]): IncomingVersion => ({
  from: 'changelog',
  version: {
    label: '1',
    title: '1',
    status: 'draft',
    date: null,
    description: null,
    changes: changes.map((each) => (typeof each === 'string' ? draft(each) : each)),
  },
  newStatus: null,
  rank: 1,
  undatedAt: 0,
})

/** The merge in short: the changes as `title:id`, or null if nothing differs, and what was corrected. */
function merged(
  known: readonly Change[],
  file: readonly (string | ChangeDraft)[],
  { imported = null, overwrite = false }: { imported?: string | null; overwrite?: boolean } = {},
) {
  const { merge, corrections } = mergedChanges(known, inFile(file), imported, overwrite)
  return {
    changes: merge?.changes.map(({ title, id }) => `${title}:${id ?? 'new'}`) ?? null,
    removed: merge?.removed ?? [],
    corrections: corrections.map(({ change, what }) => `${what} ${change}`),
  }
}
const SAME = { changes: null, removed: [] }

describe('a change that was edited by hand', () => {
  const search = edited('1', { title: 'Serch' }, { title: 'Search' })

  test('keeps its words, and the file adds no second one', () => {
    expect(merged([search], ['Serch'])).toEqual({ ...SAME, corrections: ['title Search'] })
  })

  test('gets the words of the file if they are to be overwritten', () => {
    expect(merged([search], ['Serch'], { overwrite: true })).toEqual({
      changes: ['Serch:1'],
      removed: [],
      corrections: ['title Search'],
    })
  })

  test('takes from the file what was not edited', () => {
    const file = inFile([draft('Serch', { type: 'fixed', description: 'more' })])
    expect(mergedChanges([search], file).merge?.changes).toEqual([
      {
        id: '1',
        type: 'fixed',
        typeLabel: null,
        title: 'Search',
        description: 'more',
        imported: search.imported,
      },
    ])
  })

  test('is as imported once the file says the same', () => {
    const { merge, corrections } = mergedChanges([search], inFile(['Search']))
    expect(corrections).toEqual([])
    expect(merge?.changes).toMatchObject([{ id: '1', title: 'Search', imported: null }])
  })

  test('stays if the file does not have it any more, unless it is to be overwritten', () => {
    expect(merged([search], [])).toEqual({ ...SAME, corrections: ['corrected Search'] })
    expect(merged([search], [], { overwrite: true })).toMatchObject({ changes: [], removed: ['1'] })
  })

  test('keeps the heading of its type together with the type', () => {
    const moved = edited('1', { type: 'added', typeLabel: 'New' }, { type: 'fixed' })
    const file = draft('a', { type: 'added', typeLabel: 'Brand new' })
    expect(merged([moved], [file])).toEqual({ ...SAME, corrections: ['type a'] })
    const relabelled = edited('1', { typeLabel: 'New' }, { typeLabel: 'Brand new' })
    expect(merged([relabelled], [draft('a', { typeLabel: 'New' })])).toEqual({
      ...SAME,
      corrections: ['type a'],
    })
  })
})

describe('a change that was added by hand', () => {
  const known = [stored('1', 'a'), added('2', 'by hand'), stored('3', 'c')]

  test('stays where it is among those of the file', () => {
    expect(merged(known, ['a', 'c'])).toEqual({ ...SAME, corrections: ['added by hand'] })
    expect(merged(known, ['new', 'c', 'a'])).toEqual({
      changes: ['new:new', 'c:3', 'a:1', 'by hand:2'],
      removed: [],
      corrections: ['added by hand'],
    })
    expect(merged([added('2', 'by hand'), stored('1', 'a')], ['a', 'b'])).toMatchObject({
      changes: ['by hand:2', 'a:1', 'b:new'],
    })
  })

  test('is removed if it is to be overwritten, and imported once the file has it', () => {
    expect(merged(known, ['a', 'c'], { overwrite: true })).toMatchObject({
      changes: ['a:1', 'c:3'],
      removed: ['2'],
    })
    expect(merged(known, ['a', 'by hand', 'c'])).toMatchObject({ corrections: [] })
  })
})

describe('a change that was deleted by hand', () => {
  const imported = `deleted:${contentHash(draft('b'))}`

  test('is not added again, unless it is to be overwritten', () => {
    const known = [stored('1', 'a'), stored('3', 'c')]
    expect(merged(known, ['a', 'b', 'c'], { imported })).toEqual({ ...SAME, corrections: ['deleted b'] })
    expect(merged(known, ['a', 'b', 'c'], { imported, overwrite: true })).toMatchObject({
      changes: ['a:1', 'b:new', 'c:3'],
      corrections: ['deleted b'],
    })
  })

  test('is not taken for an edit of another one', () => {
    const known = [stored('1', 'Search in titles')]
    const deleted = `deleted:${contentHash(draft('Search in titles (#1)'))}`
    const file = ['Search in titles (#1)', 'Search in all titles']
    expect(merged(known, file, { imported: deleted })).toMatchObject({ changes: ['Search in all titles:1'] })
  })

  test('is forgotten once the file does not have it either', () => {
    const known = [stored('1', 'a')]
    expect(mergedChanges(known, inFile(['a', 'b']), imported).deleted).toEqual([contentHash(draft('b'))])
    expect(mergedChanges(known, inFile(['a']), imported).deleted).toEqual([])
  })

  test('is one of several that are equal: the others stay', () => {
    const known = [stored('1', 'b'), stored('2', 'b')]
    expect(merged(known, ['b', 'b', 'b'], { imported })).toEqual({ ...SAME, corrections: ['deleted b'] })
    const twice = mergedChanges([], inFile(['b', 'b', 'b']), `${imported} ${imported}`)
    expect(twice.merge?.changes).toHaveLength(1)
    expect(twice.deleted).toHaveLength(2)
  })
})

test('an order made by hand stays, with what is new after what it follows in the file', () => {
  const known = [stored('2', 'b'), stored('1', 'a'), stored('3', 'c')]
  const imported = `order:${fieldHash(orderOf([{ id: '1' }, { id: '2' }, { id: '3' }]))}`
  expect(merged(known, ['a', 'b', 'c'], { imported })).toEqual({ ...SAME, corrections: ['order null'] })
  expect(merged(known, ['a', 'new', 'b', 'c'], { imported })).toMatchObject({
    changes: ['b:2', 'a:1', 'new:new', 'c:3'],
  })
  expect(merged(known, ['a', 'b', 'c'], { imported, overwrite: true })).toMatchObject({
    changes: ['a:1', 'b:2', 'c:3'],
  })
  // The file has adopted it.
  expect(merged(known, ['b', 'a', 'c'], { imported })).toEqual({ ...SAME, corrections: [] })
})

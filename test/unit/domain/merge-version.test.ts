import { describe, expect, test } from 'bun:test'
import {
  type DraftedVersion,
  type ExactVersion,
  matchVersion,
  mergeVersion,
  newChanges,
  newVersion,
} from '../../../src/domain/importing/merge.ts'
import { mergedChanges } from '../../../src/domain/importing/merge-changes.ts'
import { NO_VERSION_PROPERTIES } from '../../../src/domain/versions/properties.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = Date.UTC(2026, 0, 2)
const ID = 'ver_01hzzz0000000000000000000a'
const OTHER_ID = 'ver_01hzzz0000000000000000000b'
const change = { id: 'chg_01hzzz0000000000000000000a', type: 'added', title: 'A thing', description: null }

const drafted = (
  version: Partial<DraftedVersion['version']> = {},
  more: Partial<DraftedVersion> = {},
): DraftedVersion => ({
  from: 'changelog',
  version: {
    label: '1.0.0',
    title: 'One',
    status: 'published',
    date: DAY,
    description: null,
    changes: [{ type: 'added', title: 'A thing', description: null }],
    ...version,
  },
  newStatus: null,
  rank: 1,
  undatedAt: NOW,
  ...more,
})

const exact = (version: Partial<ExactVersion['version']> = {}): ExactVersion => ({
  from: 'export',
  version: { ...known(), formerLabels: [], changes: [change], ...version },
})

const known = (more: Partial<Known> = {}): Known => ({
  ...NO_VERSION_PROPERTIES,
  id: ID,
  label: '1.0.0',
  title: 'One',
  status: 'published',
  scheduled: false,
  publishedAt: DAY,
  dated: true,
  dateKnown: true,
  createdAt: DAY,
  source: null,
  ...more,
})
type Known = Omit<ExactVersion['version'], 'changes' | 'formerLabels'>

describe('an imported version is the version here', () => {
  const here = { ...known({ label: '0.9.0' }), changelogId: 'here' }
  const labelled = { ...known({ id: OTHER_ID }), changelogId: 'here' }
  const find = (found: { byId?: typeof here; byLabel?: typeof here }) => ({
    byId: async () => found.byId ?? null,
    byLabel: async () => found.byLabel ?? null,
  })

  test('that has its id, if it comes from an export, whatever its label', async () => {
    const match = await matchVersion(exact(), 'here', find({ byId: here, byLabel: labelled }))
    expect(match).toEqual({ known: here, id: ID })
  })

  test('that has its label, if none has its id, or it comes from a changelog', async () => {
    const match = { known: labelled, id: OTHER_ID }
    expect(await matchVersion(exact(), 'here', find({ byLabel: labelled }))).toEqual(match)
    expect(await matchVersion(drafted(), 'here', find({ byId: here, byLabel: labelled }))).toEqual(match)
  })

  test('and otherwise a new one: with the id of the export, unless another changelog has it', async () => {
    expect(await matchVersion(exact(), 'here', find({}))).toEqual({ known: null, id: ID })
    const elsewhere = { ...here, changelogId: 'elsewhere' }
    const copy = await matchVersion(exact(), 'here', find({ byId: elsewhere }))
    expect(copy).toEqual({ known: null, id: expect.stringMatching(/^ver_/) })
    expect(copy.id).not.toBe(ID)
    expect(newChanges(exact(), ID)).toEqual([change])
    expect(newChanges(exact(), copy.id)[0]?.id).not.toBe(change.id)
  })
})

describe('a new version', () => {
  test('from an export is exactly that one', () => {
    const { id: _, source: __, ...rest } = known({ status: 'draft', dated: false, createdAt: 5 })
    expect(newVersion(exact({ status: 'draft', dated: false, createdAt: 5 }), NOW)).toEqual(rest)
  })

  test('from a changelog is dated by the file; without a date its place in the file orders it', () => {
    expect(newVersion(drafted(), NOW)).toMatchObject({ publishedAt: DAY, dated: true, createdAt: NOW })
    expect(newVersion(drafted({ date: null }, { undatedAt: 3 }), NOW)).toMatchObject({
      ...{ publishedAt: 3, dated: false, dateKnown: false },
    })
    expect(newVersion(drafted({ date: null, status: 'draft' }, { undatedAt: 3 }), NOW)).toMatchObject({
      ...{ publishedAt: NOW, dated: false, dateKnown: false },
    })
  })

  test('from a changelog has the status of the file, unless another is asked for', () => {
    expect(newVersion(drafted({ status: 'draft' }), NOW).status).toBe('draft')
    expect(newVersion(drafted({ status: 'draft' }, { newStatus: 'published' }), NOW).status).toBe('published')
  })
})

describe('a version that is here', () => {
  test('stays as it is if the import has it so', () => {
    expect(mergeVersion(known(), drafted(), NOW)).toEqual({})
    expect(mergeVersion(known(), exact(), NOW)).toEqual({})
  })

  test('takes exactly what an export has, but keeps when it was created', () => {
    const version = { label: '2', title: 'Two', status: 'draft', publishedAt: 7, dated: false } as const
    expect(mergeVersion(known(), exact({ ...version, createdAt: 5 }), NOW)).toEqual(version)
  })

  test('takes title, description and date of a changelog', () => {
    const merged = mergeVersion(known(), drafted({ title: 'Uno', description: 'Words', date: DAY + 1 }), NOW)
    expect(merged).toEqual({ title: 'Uno', description: 'Words', publishedAt: DAY + 1 })
  })

  test('gets its place in the file if its date is not known, and the date once the file has one', () => {
    const undated = { dated: false, dateKnown: false, publishedAt: 5 }
    const incoming = drafted({ date: null }, { undatedAt: 7 })
    expect(mergeVersion(known(undated), incoming, NOW)).toEqual({ publishedAt: 7 })
    // As imports dated it before there was `dateKnown`: before it was created.
    expect(mergeVersion(known({ ...undated, dateKnown: true }), incoming, NOW)).toEqual({
      ...{ publishedAt: 7, dateKnown: false },
    })
    expect(mergeVersion(known({ ...undated, dateKnown: true, publishedAt: DAY }), incoming, NOW)).toEqual({})
    expect(mergeVersion(known({ ...undated, status: 'draft' }), incoming, NOW)).toEqual({})
    expect(mergeVersion(known(undated), drafted(), NOW)).toEqual({
      ...{ publishedAt: DAY, dated: true, dateKnown: true },
    })
  })

  test('keeps what a changelog says nothing of, if that only names it', () => {
    const described = known({ description: 'Words' })
    const summary = drafted({ title: 'Uno', isSummary: true, changes: [] })
    expect(mergeVersion(described, summary, NOW)).toEqual({ title: 'Uno' })
    expect(mergedChanges([change], summary).merge).toBeNull()
    expect(mergedChanges([change], drafted({ changes: [] })).merge?.removed).toEqual([change.id])
  })

  test('is published by a changelog that gives it a new date, and is stamped with that', () => {
    const draft = known({ status: 'draft', dated: false, publishedAt: NOW })
    expect(mergeVersion(draft, drafted(), NOW)).toEqual({
      status: 'published',
      publishedAt: DAY,
      dated: true,
    })
  })

  test('is not published by a changelog that gives no date, or the date it had when it was hidden', () => {
    const hidden = known({ status: 'draft' })
    expect(mergeVersion(hidden, drafted(), NOW)).toEqual({})
    expect(mergeVersion(hidden, drafted({ date: null }), NOW)).toEqual({})
  })

  test('keeps its status if one is asked for that is for new versions', () => {
    const draft = known({ status: 'draft', dated: false })
    expect(mergeVersion(draft, drafted({}, { newStatus: 'published' }), NOW)).toEqual({ dated: true })
  })

  test('is never hidden by a changelog', () => {
    expect(mergeVersion(known(), drafted({ status: 'draft' }), NOW)).toEqual({})
  })
})

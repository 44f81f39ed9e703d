import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createReads } from '../../../../src/http/answers/reads.ts'
import { changelogEnvelope, type ListJson, readInSlices, readShort } from '../../../../src/http/api/json.ts'
import { asStored } from '../../../../src/notes/pictures.ts'
import { type StoreReads, withReads } from '../../../../src/store/queries/reads.ts'
import type { Cursor, Page } from '../../../../src/store/store.ts'
import { openStore } from '../../../support/servers/handler.ts'

const START = Date.UTC(2026, 0, 1)
const EVERYTHING: Page = { limit: null, after: null, since: null, withChanges: false }
const LENGTHS = [0, 1, 250, 251, 1_203]
const LONGEST = 'list-1203'
/** Labels with what could be taken for a part of the JSON around them. */
const HOSTILE = ['"', '\\', ',{"id":"', '","version":"1",', ']}}', '🎉\u2028']
const labelOf = (at: number) => `${at}${HOSTILE[at % HOSTILE.length]}`
/** A version's position, without whatever else is known of it. */
const position = (at: Cursor | null) => at && { publishedAt: at.publishedAt, id: at.id }

describe('a changelog of any length', () => {
  let ids: string[] = []
  /** How many versions each read of the store may return. */
  let reads: (number | null)[] = []
  /** Runs after each read of the store. */
  let afterRead = () => {}

  const opened = openStore()
  const { seed, store } = opened
  const team = seed.team('acme')
  seed.db.transaction(() => {
    for (const length of LENGTHS) {
      const { changelogId } = seed.product(team, `list-${length}`)
      ids = Array.from({ length }, (_, at) =>
        seed.version(changelogId, labelOf(at), {
          // Every other one has the date of the one before.
          publishedAt: START + Math.floor(at / 2),
          changes: at % 10 === 0 ? [{ type: 'added', title: `“${at}”` }] : [],
        }),
      )
      if (length > 40) seed.formerLabel(changelogId, 'before 40', ids[40] as string)
    }
  })()
  const recording = withReads(store, (own) => ({
    readChangelog: async (audience, team, product, page) => {
      reads.push(page.limit)
      const result = await own.readChangelog(audience, team, product, page)
      afterRead()
      return result
    },
  }))
  beforeEach(() => {
    reads = []
    afterRead = () => {}
  })
  afterAll(() => opened[Symbol.dispose]())

  const read = async (product: string, page: Page) => {
    const of = { audience: 'public', team: 'acme', product, pictures: asStored } as const
    const source = { ...of, reads: createReads(recording) }
    const soon = page.withChanges ? 'long' : await readShort(source, page)
    if (soon !== 'long') return soon
    const long = (reads: StoreReads) => readInSlices({ ...source, reads: createReads(reads) }, page)
    return (await recording.snapshot(long)).value as ListJson | null
  }

  const inParts = async (product: string, page: Page) => {
    const value = await read(product, page)
    return value && { json: value.json, next: position(value.next), is: value.missingLabel }
  }

  /** What the store gives for it in one read. */
  const atOnce = async (product: string, page: Page) => {
    const { value: whole } = await opened.store.readChangelog('public', 'acme', product, page)
    const is = whole?.missingLabel
    return whole && { json: JSON.stringify(changelogEnvelope(whole)), next: position(whole.next), is }
  }

  test('is the same as if it was read at once, on each of its pages', async () => {
    const after = { publishedAt: START + 300, id: ids[600] as string }
    const pages: Partial<Page>[] = [
      {},
      { since: START + 100 },
      { since: START + 9_999 },
      { limit: 100 },
      { limit: 100, withChanges: true },
      { after },
      { limit: 100, after },
      { after: { ...after, publishedAt: START + 200 } },
      ...[labelOf(7), labelOf(600), 'before 40', 'none'].map((newerThan) => ({ newerThan })),
      { newerThan: labelOf(300), limit: 40, since: START + 200 },
    ]
    for (const length of LENGTHS)
      for (const part of pages) {
        const page = { ...EVERYTHING, ...part }
        const expected = await atOnce(`list-${length}`, page)
        expect({ length, part, read: await inParts(`list-${length}`, page) }).toEqual({
          length,
          part,
          read: expected,
        })
      }
    expect(await read('nothing', EVERYTHING)).toBeNull()
  })

  test('is read 500 versions at a time', async () => {
    await read(LONGEST, EVERYTHING)
    expect(reads).toEqual([100, 500, 500, 500])
  })

  test('is read as it was when its turn came, whatever is written while it is read', async () => {
    afterRead = () => {
      if (reads.length > 1) seed.db.run(`UPDATE version SET title = 'Written during read ${reads.length}'`)
    }
    const list = await read(LONGEST, EVERYTHING)
    expect(reads).toHaveLength(1 + 3)
    expect(list?.json).not.toContain('Written during')
    reads = []
    expect((await read(LONGEST, EVERYTHING))?.json.split('Written during read 4').length).toBe(1_203 + 1)
  })
})

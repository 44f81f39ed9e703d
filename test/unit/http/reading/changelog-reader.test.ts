import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../../src/domain/refusal.ts'
import { createCache } from '../../../../src/http/cache/cache.ts'
import { createChangelogReader } from '../../../../src/http/reading/changelog-reader.ts'
import { changelogEnvelope } from '../../../../src/http/reading/serialize.ts'
import type { Cursor, Page } from '../../../../src/store/store.ts'
import { openStore } from '../../../support/servers/handler.ts'
import { countTurns } from '../../../support/turns.ts'

const START = Date.UTC(2026, 0, 1)
const EVERYTHING: Page = { limit: null, after: null, since: null, withChanges: false }
/** A version's position, without whatever else is known of it. */
const position = (at: Cursor | null) => at && { publishedAt: at.publishedAt, id: at.id }
/** Texts with what could be taken for a part of the JSON around them. */
const HOSTILE = [
  '"',
  '\\',
  ',{"id":"',
  '","version":"1",',
  '\\",\\"version\\":\\"1\\",',
  ']}}',
  '“–”',
  '🎉',
  '\u2028',
]
/** Every so many versions, one had another label before. */
const FORMER = 10
const LENGTHS = [0, 1, 20, 21, 249, 250, 251, 500, 501, 1_203]
const labelOf = (at: number) => `${at}${HOSTILE[at % HOSTILE.length]}`
const LONGEST = `list-${LENGTHS.at(-1)}`

describe('a changelog of any length', () => {
  const turns = countTurns()
  let opened: ReturnType<typeof openStore>
  let read: ReturnType<typeof createChangelogReader>['read']
  let ids: string[] = []
  /** The reads of the store: how many versions each may return, and in which turn of the event loop. */
  let reads: { limit: number | null; turn: number }[] = []
  /** Runs after each read of the store. */
  let afterRead = () => {}

  beforeAll(() => {
    opened = openStore()
    const { seed, store } = opened
    const team = seed.team('acme')
    seed.db.transaction(() => {
      for (const length of LENGTHS) {
        const { changelogId } = seed.product(team, `list-${length}`)
        ids = Array.from({ length }, (_, at) => {
          const id = seed.version(changelogId, labelOf(at), {
            title: HOSTILE[at % HOSTILE.length] as string,
            // Every other one has the date of the one before.
            publishedAt: START + Math.floor(at / 2),
            changes: at % 10 === 0 ? [{ type: 'added', title: `“${at}”` }] : [],
          })
          if (at % FORMER === 0) seed.formerLabel(changelogId, `before ${at}`, id)
          return id
        })
      }
    })()
    const recording: typeof store = {
      ...store,
      readChangelog: async (audience, team, product, page) => {
        reads.push({ limit: page.limit, turn: turns.now })
        const result = await store.readChangelog(audience, team, product, page)
        afterRead()
        return result
      },
    }
    const cache = createCache(store, 0)
    read = createChangelogReader(recording, cache, 2 ** 24).read
  })
  afterAll(() => {
    turns[Symbol.dispose]()
    opened[Symbol.dispose]()
  })

  /** What it gives, the text put together. */
  const readText = async (product: string, page: Page) => {
    const { value } = await read('public', 'acme', product, page)
    return value && { json: value.body().toString(), next: position(value.next), is: value.isLabelMissing }
  }

  const readsOf = async (work: () => Promise<unknown>) => {
    reads = []
    await work()
    return reads
  }
  const change = () => opened.seed.db.run('UPDATE team SET created_at = created_at + 1')

  /** What the store gives for it in one read. */
  const atOnce = async (product: string, page: Page) => {
    const { value: whole } = await opened.store.readChangelog('public', 'acme', product, page)
    const is = whole?.isLabelMissing ?? false
    return whole && { json: JSON.stringify(changelogEnvelope(whole)), next: position(whole.next), is }
  }

  const pages: Partial<Page>[] = [
    {},
    { since: START },
    { since: START + 100 },
    { since: START + 9_999 },
    { limit: 1 },
    { limit: 100 },
    { limit: 20, withChanges: true },
    { limit: 100, withChanges: true },
    { limit: 100, withChanges: true, since: START + 560 },
    ...[labelOf(7), labelOf(600), 'before 40', 'before 1000', 'none'].map((newerThan) => ({ newerThan })),
    { newerThan: labelOf(300), limit: 40, since: START + 200 },
  ]

  test('is the same as if it was read at once, cached or not', async () => {
    for (const length of LENGTHS)
      for (const part of [
        ...pages,
        ...[600, 601].flatMap((at) => {
          // The position of a version, and of one that would have its id and another date.
          const after = { publishedAt: START + 300, id: ids[at] as string }
          return [{ after }, { limit: 100, after }, { after: { ...after, publishedAt: START + 200 } }]
        }),
      ]) {
        const page = { ...EVERYTHING, ...part }
        const expected = await atOnce(`list-${length}`, page)
        for (let time = 0; time < 2; time++)
          expect({ length, part, read: await readText(`list-${length}`, page) }).toEqual({
            length,
            part,
            read: expected,
          })
      }
  })

  test('that is hidden or missing is not found', async () => {
    expect((await read('public', 'acme', 'nothing', EVERYTHING)).value).toBeNull()
  })

  test('is ready at once if it is short', async () => {
    change()
    for (const [product, part] of [
      ['list-250', {}],
      [LONGEST, { limit: 100 }],
      [LONGEST, { limit: 20, withChanges: true }],
      [LONGEST, { since: START + 500 }],
      ['nothing', {}],
    ] as const) {
      const before = turns.now
      await read('public', 'acme', product, { ...EVERYTHING, ...part })
      expect({ product, part, turns: turns.now - before }).toEqual({ product, part, turns: 0 })
    }
  })

  test('is read in slices, of which no turn of the event loop has two, however many requests there are', async () => {
    change()
    const begin = turns.now
    const requests = Array.from(
      { length: 30 },
      (_, at): Page => ({
        ...EVERYTHING,
        ...(at % 3 === 0 ? { limit: 100, withChanges: true } : {}),
        since: START - at,
      }),
    )
    await readsOf(() => Promise.all(requests.map((page) => read('public', 'acme', LONGEST, page))))
    for (const { limit } of reads) expect(limit).toBeLessThanOrEqual(250)
    const later = reads.filter((each) => each.turn > begin)
    expect(later.length).toBeGreaterThan(30)
    expect(new Set(later.map((each) => each.turn)).size).toBe(later.length)
  })

  test('is read and serialized once for all values of since', async () => {
    change()
    const first = await readsOf(() => read('public', 'acme', LONGEST, EVERYTHING))
    expect(first).toHaveLength(5)
    // Only the end of the list depends on since.
    for (let at = 0; at < 20; at++) {
      const page = { ...EVERYTHING, since: START + at * 10 }
      const again = await readsOf(() => read('public', 'acme', LONGEST, page))
      expect(again.length).toBeLessThanOrEqual(1)
    }
  })

  test('is not read again for any page once all of it was read', async () => {
    change()
    await read('public', 'acme', LONGEST, EVERYTHING)
    for (const part of [
      { since: START + 100 },
      { newerThan: labelOf(7) },
      { limit: 100 },
      { limit: 100, after: { publishedAt: START + 300, id: ids[600] as string } },
      { after: { publishedAt: START + 300, id: ids[600] as string } },
    ]) {
      const found = await readsOf(() => read('public', 'acme', LONGEST, { ...EVERYTHING, ...part }))
      expect({ part, found }).toEqual({ part, found: [] })
    }
    // A version may have had that label before, which only the store knows.
    const asked = await readsOf(() => read('public', 'acme', LONGEST, { ...EVERYTHING, newerThan: 'none' }))
    expect(asked).toHaveLength(1)
  })

  test('begins anew when the data changes while it is read', async () => {
    change()
    let changes = 0
    afterRead = () => {
      if (reads.length === 3 && changes++ === 0)
        opened.seed.db.run(
          "UPDATE version SET title = 'Renamed' WHERE published_at = (SELECT min(published_at) FROM version)",
        )
    }
    const found = await readsOf(() => read('public', 'acme', LONGEST, EVERYTHING))
    afterRead = () => {}
    // In larger slices the second time.
    expect(found.map(({ limit }) => limit)).toEqual([250, 250, 250, 1_000, 1_000])
    expect(await readText(LONGEST, EVERYTHING)).toEqual(await atOnce(LONGEST, EVERYTHING))
  })

  test('is unavailable if the data never stays the same, and is not read at once', async () => {
    change()
    afterRead = change
    const found = await readsOf(async () => {
      await expect(read('public', 'acme', LONGEST, EVERYTHING)).rejects.toThrow(Unavailable)
    })
    afterRead = () => {}
    expect(found.map(({ limit }) => limit)).toEqual([250, ...Array<number>(7).fill(1_000)])
  })
})

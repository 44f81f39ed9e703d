import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { latestOf } from '../../../src/domain/versions/order.ts'
import type { Cursor, DatedVersion, Page, VersionSummary } from '../../../src/store/store.ts'
import { Random } from '../../support/random.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

describe.each(ENGINES)('on %s, a list of drafts, published and scheduled versions', (engine) => {
  const now = Date.now()
  let opened: Awaited<ReturnType<typeof openStoreOn>>
  /** What the public may see, newest first. */
  let expected: Cursor[]

  beforeAll(async () => {
    opened = await openStoreOn(engine)
    const { seed } = opened
    const { changelogId } = seed.product(seed.team('acme'), 'app')
    const random = new Random(1)
    const visible: Cursor[] = []
    for (let at = 0; at < 90; at++) {
      const status = (['draft', 'published', 'scheduled'] as const)[at % 3] ?? 'draft'
      // Some at the same moment. A database may have published versions that are dated ahead, from before that was refused.
      const publishedAt = now + (random.below(20) - 10) * 1_000_000 - 1
      const id = seed.version(changelogId, `v${at}`, {
        status,
        publishedAt,
        changes: [{ type: status, title: `${at}` }],
      })
      if (status === 'published' || (status === 'scheduled' && publishedAt <= now))
        visible.push({ id, publishedAt })
    }
    expected = visible.sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1))
  })
  afterAll(() => opened[Symbol.dispose]())

  const positions = (versions: readonly Cursor[] = []) =>
    versions.map(({ id, publishedAt }) => ({ id, publishedAt }))

  test.each([{ withChanges: false }, { withChanges: false, withDates: true }, { withChanges: true }])(
    'has what is published and due, in its order, page by page (%j)',
    async (form) => {
      const all: VersionSummary[] = []
      let after: Cursor | null = null
      do {
        const page: Page = { limit: 7, after, since: null, ...form }
        const { value } = await opened.store.readChangelog('public', 'acme', 'app', page)
        all.push(...(value?.versions ?? []))
        after = value?.next ?? null
      } while (after)
      expect(positions(all)).toEqual(expected)
      if (form.withChanges)
        expect(all).toEqual(all.map(() => expect.objectContaining({ changes: [expect.any(Object)] })))
    },
  )

  test('is counted, cut into stretches and read backwards alike', async () => {
    const { store } = opened
    const { value: overview } = await store.readOverview('public', 'acme', 'app')
    expect(overview?.versionCount).toBe(expected.length)
    // Each has one change, whose type names no kind.
    expect(overview?.changeCount).toBe(expected.length)
    expect([...(overview?.kinds ?? [])]).toEqual([['other', expected.length]])
    const { value: stretch } = await store.readStretch('public', 'acme', 'app', expected[4] as Cursor, 9)
    expect(stretch).toEqual({ count: 9, next: expected[13] as Cursor })
    const { value: newer } = await store.readNewer('public', 'acme', 'app', expected[20] as Cursor, 100)
    expect(positions(newer)).toEqual(expected.slice(0, 20).reverse())
  })

  test('has one that `latest` means, which the lists of changelogs name', async () => {
    const { store } = opened
    const page: Page = { limit: null, after: null, since: null, withChanges: false, withDates: true }
    const { value: list } = await store.readChangelog('public', 'acme', 'app', page)
    const { value: latest } = await store.readVersion('public', 'acme', 'app', 'latest')
    expect(latest?.version.id).toBe(latestOf(list?.versions as DatedVersion[])?.id as string)
    const { value: directory } = await store.readDirectory({ team: '', product: '', lastTeam: '~' }, 10)
    expect(directory).toMatchObject([{ newest: { label: latest?.version.label } }])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../../src/domain/id.ts'
import type { StoredVersionStatus } from '../../../src/domain/records.ts'
import { derivedOf } from '../../../src/domain/versions/derived.ts'
import { orderOf } from '../../../src/domain/versions/number.ts'
import type { Audience, Cursor, LabelRange } from '../../../src/store/store.ts'
import { Random } from '../../support/random.ts'
import { openStoreOn } from '../../support/servers/handler.ts'
import { ENGINES } from '../../support/servers/server.ts'

const NOW = 1_000_000
/** Below 1.0 and 2.0 there are more versions than a small range has, and between them more than a read looks at. */
const COUNTS = { '0': 1_200, '1': 1_500, '2': 5_200 }

interface Seeded extends Cursor {
  label: string
  precedence: string | null
  status: StoredVersionStatus
}

describe.each(ENGINES)('on %s, what is between two semantic versions', (engine) => {
  let opened: Awaited<ReturnType<typeof openStoreOn>>
  let team: string
  const versions: Seeded[] = []

  beforeAll(async () => {
    opened = await openStoreOn(engine, () => NOW)
    const { seed } = opened
    team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    const random = new Random(23)
    const rows: string[] = []
    const add = (label: string, status: StoredVersionStatus, publishedAt: number) => {
      const id = newId('ver')
      const { kinds, precedence } = derivedOf({ label, changes: [] })
      versions.push({ label, status, publishedAt, id, precedence })
      const texts = [id, changelogId, label, label, status, kinds, precedence]
      const values = texts.map((text) => (text === null ? 'NULL' : `'${text}'`))
      rows.push(`(${values.join()}, ${publishedAt}, TRUE, 1)`)
    }
    let at = 0
    for (const [major, count] of Object.entries(COUNTS))
      for (let minor = 0; minor < count; minor++) {
        // Some at the same time as the one before.
        if (random.next() < 0.9) at++
        add(`${major}.${minor}.0`, minor % 10 === 3 ? 'scheduled' : 'published', at)
        if (minor % 50 === 7) add(`night-${major}-${minor}`, 'published', at)
        if (minor % 25 === 9) add(`${major}.${minor}.1`, 'draft', at)
        if (minor % 25 === 11) add(`${major}.${minor}.2`, 'scheduled', NOW + at)
        // A fix of the old, published later.
        if (minor % 100 === 50 && major !== '0') add(`0.${minor}.${at}`, 'published', at)
      }
    const columns =
      'id, changelog_id, label, title, status, kinds, precedence, published_at, dated, created_at'
    // One by one they would take most of the time.
    while (rows.length > 0)
      seed.db.run(`INSERT INTO version (${columns}) VALUES ${rows.splice(0, 500).join()}`)
  })
  afterAll(() => opened[Symbol.dispose]())

  const audienceOf = (name: 'public' | 'key'): Audience =>
    name === 'public'
      ? name
      : { keyId: '', teamId: team, teamSlug: 'acme', kind: 'FULL', products: new Set(), expiresAt: null }

  const expected = (name: 'public' | 'key', { from = '', to = '' }: LabelRange): string[] => {
    const [low, high] = [orderOf(from) ?? '', orderOf(to) ?? '']
    return versions
      .filter(({ precedence, status, publishedAt }) => {
        const isVisible = status === 'published' || (status === 'scheduled' && publishedAt <= NOW)
        return precedence !== null && precedence > low && precedence <= high && (isVisible || name === 'key')
      })
      .sort((one, other) => other.publishedAt - one.publishedAt || (other.id > one.id ? 1 : -1))
      .map(({ label }) => label)
  }

  const pagesOf = async (name: 'public' | 'key', between: LabelRange, limit: number, withChanges = false) => {
    const pages: string[][] = []
    let after: Cursor | null = null
    do {
      const page = { limit, after, since: null, withChanges, between }
      const read = await opened.store.readChangelog(audienceOf(name), 'acme', 'app', page)
      pages.push((read.value?.versions ?? []).map(({ label }) => label))
      after = read.value?.next ?? null
    } while (after)
    return pages
  }

  test.each(['public', 'key'] as const)(
    'for %s, is all of it, in pages that follow one another',
    async (name) => {
      for (const [between, limit] of [
        [{ from: '0.10.0', to: '0.40.0' }, 7],
        [{ from: '0.10.0', to: '1.3.0' }, 400],
        [{ from: '0.100.0', to: '2.5000.0' }, 2_000],
        [{ to: '2.100.0' }, 900],
        [{ from: '1.1400.0', to: '2.50.0' }, 20],
      ] as const) {
        const wanted = expected(name, between)
        expect(wanted.length).toBeGreaterThan(20)
        for (const withChanges of [false, true])
          expect((await pagesOf(name, between, limit, withChanges)).flat()).toEqual(wanted)
      }
    },
  )

  test('is found in a bounded part of the list, wherever it begins: a page may be short, and others follow', async () => {
    const far = { from: '0.0.0', to: '0.1199.0' }
    const pages = await pagesOf('public', far, 100)
    expect(pages.flat()).toEqual(expected('public', far))
    expect(pages.filter(({ length }) => length < 100).length).toBeGreaterThan(1)
    const near = { from: '0.0.0', to: '2.5199.0' }
    const [first] = await pagesOf('public', near, 100)
    expect(first).toHaveLength(100)
  })

  test('ends with the highest release that is public, published or due', async () => {
    const { store } = opened
    const page = { limit: 1, after: null, since: null, withChanges: false, between: { from: '2.5190.0' } }
    const upTo = async (name: 'public' | 'key') =>
      (await store.readChangelog(audienceOf(name), 'acme', 'app', page)).value?.upTo
    expect(await upTo('public')).toBe('2.5199.0')
    expect(await upTo('key')).toBe('2.5199.0')
    opened.seed.db.run("UPDATE version SET status = 'draft' WHERE label IN ('2.5199.0', '2.5198.0')")
    opened.seed.db.run("UPDATE version SET status = 'scheduled' WHERE label = '2.5197.0'")
    expect(await upTo('public')).toBe('2.5197.0')
  })
})

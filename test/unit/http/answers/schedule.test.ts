import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredVersionStatus } from '../../../../src/domain/records.ts'
import fc from '../../../support/fast-check.ts'
import { noting, openHandlerOn } from '../../../support/servers/handler.ts'
import { bearer, fingerprint, keyedPath, publicPath } from '../../../support/servers/server.ts'

const MOMENT = Date.UTC(2026, 11, 1, 9)
const DAY = 86_400_000
const PAGE = '/changelog/acme/app'

describe('a scheduled version', () => {
  let now: number
  /** Runs before each read of a changelog. */
  let beforeRead = () => {}
  let server: Awaited<ReturnType<typeof openHandlerOn>>
  let team: string
  let changelogId: string

  beforeEach(async () => {
    now = MOMENT - DAY
    const noted = noting(['readChangelog'], () => beforeRead())
    server = await openHandlerOn('SQLite', () => now, { PUBLIC_URL: 'https://news.acme.test' }, noted)
    team = server.seed.team('acme')
    changelogId = server.seed.product(team, 'app').changelogId
    server.seed.version(changelogId, '1.0.0', { changes: [{ type: 'fixed', title: 'Old' }] })
    await settled()
  })
  afterEach(() => server[Symbol.dispose]())

  const get = (path: string, headers: Record<string, string> = {}) => server.get(path, headers)
  /** Resolves when the server has seen what was written; of the clock, it learns by the next request. */
  const settled = () => server.store.ping()

  const secret = async (status: StoredVersionStatus, publishedAt = MOMENT) => {
    const id = server.seed.version(changelogId, '2.0.0', {
      status,
      publishedAt,
      title: 'Secret',
      changes: [{ type: 'added', title: 'Secret change' }],
    })
    await settled()
    return id
  }
  const become = async (id: string, status: StoredVersionStatus) => {
    server.seed.db.run('UPDATE version SET status = ? WHERE id = ?', [status, id])
    await settled()
  }

  test('is at every address as a draft until its moment, as a published version from then on, and as a draft again if the clock is set back', async () => {
    const { token } = server.seed.key(team)
    const id = await secret('draft')
    const targets = [
      publicPath('acme', 'app'),
      publicPath('acme', 'app', '?include=changes'),
      publicPath('acme', 'app', '?limit=1'),
      publicPath('acme', 'app', '?after=1.0.0'),
      publicPath('acme', 'app', '?since=2026-11-30'),
      publicPath('acme', 'app', `/versions/${id}`),
      publicPath('acme', 'app', '/versions/2.0.0'),
      publicPath('acme', 'app', '/versions/latest'),
      keyedPath('acme', 'app'),
      keyedPath('acme', 'app', `/versions/${id}`),
      keyedPath('acme', 'app', '/versions/latest'),
      PAGE,
      `${PAGE}/2.0.0`,
      `${PAGE}/1.0.0`,
      `${PAGE}?q=Secret`,
      '/',
      '/changelog/acme',
      ...['feed.atom', 'feed.rss', 'feed.json', 'CHANGELOG.md'].map((file) => `${PAGE}/${file}`),
      '/sitemap-pages.xml',
    ]
    const seen = async () => {
      const prints: string[] = []
      for (const target of targets) {
        const headers = target.includes('/v1/teams/') ? bearer(token) : {}
        const first = await fingerprint(await get(target, headers))
        // What is cached says the same.
        expect(await fingerprint(await get(target, headers))).toBe(first)
        prints.push(first)
      }
      return prints
    }
    const drafted = await seen()
    await become(id, 'published')
    const published = await seen()
    const same = targets.filter((_, at) => drafted[at] === published[at])
    expect(same).toEqual([])

    await become(id, 'scheduled')
    for (const [moment, wanted] of [
      [MOMENT - DAY, drafted],
      [MOMENT - 1, drafted],
      [MOMENT, published],
      [MOMENT + DAY, published],
      [MOMENT - 1, drafted],
      [MOMENT, published],
    ] as const) {
      now = moment
      const found = await seen()
      for (const [at, target] of targets.entries())
        expect([moment - MOMENT, target, found[at]]).toEqual([moment - MOMENT, target, wanted[at] as string])
    }
  })

  test('gives a reader with the tag of before a new response once its moment has come', async () => {
    await secret('scheduled')
    const path = publicPath('acme', 'app')
    const etag = (await get(path)).headers.get('etag') as string
    const again = async () => (await get(path, { 'if-none-match': etag })).status
    now = MOMENT - 1
    expect(await again()).toBe(304)
    now = MOMENT
    expect(await again()).toBe(200)
    now = MOMENT - 1
    expect(await again()).toBe(304)
  })

  test('stays hidden with its product, changelog and team, whatever the clock says', async () => {
    const missing = await fingerprint(await get(publicPath('acme', 'missing')))
    const hidden = server.seed.team('hidden', { visibility: 'private' })
    now = MOMENT
    for (const [slug, owner, states] of [
      ['app', hidden, {}],
      ['locked', team, { status: 'locked' }],
      ['locked-log', team, { changelog: 'locked' }],
      ['draft', team, { status: 'draft' }],
    ] as const) {
      const product = server.seed.product(owner, slug, states)
      const id = server.seed.version(product.changelogId, '1.0.0', {
        status: 'scheduled',
        publishedAt: MOMENT - 1,
      })
      const name = owner === hidden ? 'hidden' : 'acme'
      for (const rest of ['', `/versions/${id}`, '/versions/latest'])
        expect(await fingerprint(await get(publicPath(name, slug, rest)))).toBe(missing)
    }
  })

  test('comes and goes with the clock among others, in any order', async () => {
    const moments = [1, 2, 2, 3, 5, 8].map((step) => MOMENT + step * 1_000)
    for (const [at, publishedAt] of moments.entries())
      server.seed.version(changelogId, `3.${at}`, { status: 'scheduled', publishedAt })
    await settled()
    const steps = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 5, maxLength: 30 })
    const count = async () => {
      const { data } = (await (await get(publicPath('acme', 'app'))).json()) as {
        data: { versions: unknown[] }
      }
      return data.versions.length
    }
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        for (const step of walk) {
          now = MOMENT + step
          expect(await count()).toBe(1 + moments.filter((moment) => moment <= now).length)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('is all or not at all in a long changelog that is read while its moment comes', async () => {
    for (let at = 0; at < 600; at++)
      server.seed.version(changelogId, `0.${at}`, { publishedAt: MOMENT - (at + 2) * DAY })
    await secret('scheduled')
    let reads = 0
    beforeRead = () => {
      // The first part was read before.
      if (++reads === 3) now = MOMENT
    }
    const labels = async () => {
      const { data } = (await (await get(publicPath('acme', 'app'))).json()) as {
        data: { versions: { version: string }[] }
      }
      return data.versions.map(({ version }) => version)
    }
    const before = await labels()
    expect(reads).toBeGreaterThan(2)
    expect([before.length, before.includes('2.0.0')]).toEqual([601, false])
    const after = await labels()
    expect([after.length, after[0]]).toEqual([602, '2.0.0'])
  })

  test('that is written, moved and taken away is seen at once', async () => {
    const path = publicPath('acme', 'app', '/versions/2.0.0')
    const status = async () => (await get(path)).status
    expect(await status()).toBe(404)
    const id = await secret('scheduled', MOMENT - 2 * DAY)
    expect(await status()).toBe(200)
    server.seed.db.run('UPDATE version SET published_at = ? WHERE id = ?', [MOMENT, id])
    await settled()
    expect(await status()).toBe(404)
    now = MOMENT
    expect(await status()).toBe(200)
    await become(id, 'draft')
    expect(await status()).toBe(404)
  })
})

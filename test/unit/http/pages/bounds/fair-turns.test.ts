import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openHandler } from '../../../../support/servers/handler.ts'
import { bearer, keyedPath, publicPath } from '../../../../support/servers/server.ts'
import { createLongTurn } from '../../../../support/turns.ts'

const SEARCHES = 12
const PAGE = '/changelog/acme/app'
const SMALL = '/changelog/acme/small'

/** Two are being made, one more may have its turn before the other client, and one is made beside it. */
const BEFORE = 4

describe('while one client waits for 12 searches', () => {
  let server: ReturnType<typeof openHandler>
  let token: string

  beforeAll(async () => {
    // Without a cache, every page is made anew.
    server = openHandler(
      {
        TRUSTED_PROXIES: '127.0.0.1',
        CACHE_MAX_BYTES: '0',
        PUBLIC_URL: 'https://acme.test',
      },
      undefined,
      null,
      createLongTurn(),
    )
    const { seed } = server
    seed.db.run('BEGIN')
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    for (let at = 0; at < 100; at++) {
      const id = seed.version(changelogId, `1.${at}`, {
        publishedAt: at,
        changes: [{ type: 'fixed', title: `Change ${at}` }],
      })
      if (at === 0) seed.formerLabel(changelogId, 'before', id)
    }
    seed.version(seed.product(team, 'small').changelogId, '1.0')
    seed.db.run('COMMIT')
    token = seed.key(team).token
    // What writes it is loaded when it is first asked for.
    await server.get(`${SMALL}/CHANGELOG.md`)
  })
  afterAll(() => server[Symbol.dispose]())

  const from = (client: string) => ({ 'x-forwarded-for': client })

  /** How many of the searches were answered before the request, which comes after all of them. */
  const searchesBefore = async (path: string, headers: Record<string, string>, status = 200) => {
    let answered = 0
    const searches = Array.from({ length: SEARCHES }, async (_, at) => {
      const response = await server.get(`${PAGE}?q=nothing-has-${at}`, from('192.0.2.1'))
      answered++
      return response.status
    })
    await new Promise((resolve) => setImmediate(resolve))
    const response = await server.get(path, headers)
    const before = answered
    expect(response.status).toBe(status)
    expect(new Set(await Promise.all(searches))).toEqual(new Set([200]))
    return before
  }

  test.each([
    ['a release', `${SMALL}/1.0`],
    ['the page of a changelog', SMALL],
    ['a search', `${SMALL}?q=change`],
    ['a search that the first client waits for too', `${PAGE}?q=nothing-has-${SEARCHES - 1}`],
    ['a feed', `${SMALL}/feed.atom`],
    ['CHANGELOG.md', `${SMALL}/CHANGELOG.md`],
    ['a file of the sitemap', '/sitemap-pages.xml'],
    ['the API with changes', `${publicPath('acme', 'small')}?include=changes`],
  ])('another one gets %s after four of them at most', async (_, path) => {
    expect(await searchesBefore(path, from('192.0.2.2'))).toBeLessThanOrEqual(BEFORE)
  })

  test('so does the holder of an API key at the same address', async () => {
    const path = `${keyedPath('acme', 'small')}?include=changes`
    const headers = { ...from('192.0.2.1'), ...bearer(token) }
    expect(await searchesBefore(path, headers)).toBeLessThanOrEqual(BEFORE)
  })

  test.each([
    ['/robots.txt', 200],
    ['/sitemap.xml', 200],
    ['/', 200],
    ['/changelog/acme', 200],
    [`${PAGE}/latest`, 302],
    [`${PAGE}/before`, 302],
    [`${PAGE}/1.7?page=9`, 302],
    [`${PAGE}/never`, 404],
  ])('%s does not wait at all, not even for the same client', async (path, status) => {
    expect(await searchesBefore(path, from('192.0.2.1'), status)).toBeLessThanOrEqual(BEFORE)
  })

  test('a page that is known to be missing does not wait either', async () => {
    const missing = '/changelog/acme/missing'
    await server.get(missing)
    for (const path of [`${missing}?q=other`, `${missing}/feed.rss`])
      expect(await searchesBefore(path, from('192.0.2.1'), 404)).toBe(0)
  })
})

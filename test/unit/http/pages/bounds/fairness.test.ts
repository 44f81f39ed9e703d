import { afterAll, expect, test } from 'bun:test'
import { openHandler } from '../../../../support/servers/handler.ts'
import { bearer, keyedPath, publicPath } from '../../../../support/servers/server.ts'

const SEARCHES = 12
const PAGE = '/changelog/acme/app'
const SMALL = '/changelog/acme/small'

// Without a cache, every page is made anew.
const server = openHandler({ TRUSTED_PROXIES: '127.0.0.1', CACHE_MAX_BYTES: '0' })
afterAll(() => server[Symbol.dispose]())
const { seed } = server
seed.db.run('BEGIN')
const team = seed.team('acme')
const { changelogId } = seed.product(team, 'app')
for (let at = 0; at < 1_000; at++)
  seed.version(changelogId, `1.${at}`, {
    publishedAt: at,
    changes: [{ type: 'fixed', title: `Change ${at}` }],
  })
seed.version(seed.product(team, 'small').changelogId, '1.0')
seed.db.run('COMMIT')
const { token } = seed.key(team)
// Some code is loaded when it is first needed.
for (const path of [`${SMALL}?q=x`, `${SMALL}/feed.atom`, `${SMALL}/CHANGELOG.md`]) await server.get(path)

const from = (client: string) => ({ 'x-forwarded-for': client })
const [BUSY, OTHER] = [from('192.0.2.1'), from('192.0.2.2')]

test.each([
  ['a release', `${SMALL}/1.0`, OTHER],
  ['a search', `${SMALL}?q=change`, OTHER],
  ['a search that the first client waits for too', `${PAGE}?q=nothing-has-${SEARCHES - 1}`, OTHER],
  ['CHANGELOG.md', `${SMALL}/CHANGELOG.md`, OTHER],
  ['the API with changes', `${publicPath('acme', 'small')}?include=changes`, OTHER],
  ['the API with a key, at the same address', `${keyedPath('acme', 'small')}?include=changes`, BUSY],
  ['a page that takes little work, at the same address', '/robots.txt', BUSY],
])(
  'while one client waits for 12 searches, another one gets %s before most of them',
  async (_, path, headers) => {
    let answered = 0
    const searches = Array.from({ length: SEARCHES }, async (_, at) => {
      const response = await server.get(`${PAGE}?q=nothing-has-${at}`, BUSY)
      answered++
      return response.status
    })
    await new Promise((resolve) => setImmediate(resolve))
    const response = await server.get(path, { ...headers, ...bearer(token) })
    const before = answered
    expect(response.status).toBe(200)
    expect(before).toBeLessThanOrEqual(SEARCHES / 2)
    expect(new Set(await Promise.all(searches))).toEqual(new Set([200]))
  },
)

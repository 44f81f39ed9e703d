import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../support/servers/for-all.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../support/servers/server.ts'

const PATH = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

describe('caching', () => {
  const site = serverForAll(
    THE_BINARY,
    (seed) => {
      const team = seed.team('acme')
      const { changelogId } = seed.product(team, 'app')
      const ids = Array.from({ length: 20 }, (_, at) =>
        seed.version(changelogId, `1.${at}`, { publishedAt: Date.UTC(2026, 0, 1 + at) }),
      )
      return { changelogId, id: ids[19] as string, key: bearer(seed.key(team).token) }
    },
    { PUBLIC_MAX_AGE: '5' },
  )

  /** The response as it comes over the wire: fetch would decode it. */
  const wire = async (target: string, headers: Record<string, string> = {}) => {
    const init = { headers, decompress: false } as RequestInit
    const response = await fetch(site.server.url + target, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  }

  test('a public response says who may cache it and for how long, and has a strong tag; errors may not be cached', async () => {
    const first = await wire(PATH)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'public, max-age=5',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringMatching(/^ETag, Link, RateLimit.*, X-Request-Id$/),
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    const second = await wire(PATH)
    expect([second.headers.get('etag'), second.bytes]).toEqual([first.headers.get('etag'), first.bytes])
    for (const target of [publicPath('no', 'no'), `${PATH}?limit=0`, KEYED, '/nowhere'])
      expect((await site.get(target)).headers.get('cache-control')).toBe('no-store')
  })

  test('a keyed response may be cached by its reader alone', async () => {
    for (let time = 0; time < 2; time++) {
      const { headers } = await wire(KEYED, site.filled.key)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('vary')).toContain('Authorization')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('If-None-Match with the tag is a 304 without a body, with the headers that matter, and bypasses no check', async () => {
    const { id, key } = site.filled
    for (const [target, headers] of [
      [PATH, {}],
      [`${PATH}?limit=3`, {}],
      [`${PATH}/versions/${id}`, {}],
      [KEYED, key],
    ] as const) {
      const full = await wire(target, headers)
      const tags = `"a", W/${full.headers.get('etag')}`
      const again = await wire(target, { ...headers, 'if-none-match': tags })
      expect([again.status, again.bytes.length, again.headers.get('content-type')]).toEqual([304, 0, null])
      for (const name of ['etag', 'cache-control', 'vary', 'link', 'access-control-allow-origin'])
        expect([name, again.headers.get(name)]).toEqual([name, full.headers.get(name)])
    }
    const any = { 'if-none-match': '*' }
    expect([
      await site.status(publicPath('no', 'no'), any),
      await site.status(`${PATH}?limit=0`, any),
      await site.status(KEYED, any),
      await site.status(keyedPath('other', 'app'), { ...any, ...key }),
    ]).toEqual([404, 400, 401, 403])
  })

  test('a browser on another site gets its preflight answered', async () => {
    const { status, headers } = await fetch(site.server.url + PATH, {
      method: 'OPTIONS',
      headers: { origin: 'https://docs.example', 'access-control-request-method': 'GET' },
    })
    expect(status).toBe(204)
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
    })
  })

  test('the very next request sees what another process committed, in every form of the response', async () => {
    const { id, key, changelogId } = site.filled
    const { seed } = site.server
    const forms = [
      [PATH, {}],
      [PATH, { 'accept-encoding': 'gzip' }],
      [`${PATH}?limit=100&include=changes`, {}],
      [KEYED, key],
      [`${PATH}/versions/${id}`, {}],
      ['/changelog/acme/app', {}],
      ['/changelog/acme/app/feed.atom', {}],
      ['/', {}],
      ['/changelog/acme/feed.json', {}],
    ] as const
    for (let time = 0; time < 3; time++) {
      const title = `Renamed ${time}`
      seed.db.run('UPDATE version SET title = ? WHERE id = ?', [title, id])
      for (const [target, headers] of forms)
        expect([target, (await site.text(target, headers)).includes(title)]).toEqual([target, true])
    }
    const statuses = async () => [await site.status(PATH), await site.status(KEYED, key)]
    for (const [hide, show] of [
      [`UPDATE changelog SET status = 'locked' WHERE id = '${changelogId}'`, 'published'],
      ["UPDATE team SET visibility = 'private'", 'public'],
    ] as const) {
      seed.db.run(hide)
      expect(await statuses()).toEqual([404, 200])
      seed.db.run(hide.replace(/'(locked|private)'/, `'${show}'`))
      expect(await statuses()).toEqual([200, 200])
    }
  })

  test('the next request sees a commit, however many other requests and connections there are', async () => {
    const { seed } = site.server
    const { changelogId } = seed.product(seed.team('busy'), 'app')
    const id = seed.version(changelogId, '1')
    const target = publicPath('busy', 'app')
    const read = () => site.text(target, { connection: 'close' })
    let isOver = false
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await read()
    })
    for (let time = 0; time < 20; time++) {
      seed.db.run('UPDATE version SET title = ? WHERE id = ?', [`Title ${time}`, id])
      const isSeen = async () => (await read()).includes(`"Title ${time}"`)
      expect([time, await isSeen()]).toEqual([time, true])
    }
    isOver = true
    await Promise.all(others)
  })
})

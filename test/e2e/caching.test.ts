import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../support/servers/server.ts'
import { until } from '../support/until.ts'

const DECODERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  identity: (bytes) => bytes,
}

describe.each([...SUBJECTS])('caching by $name', (subject) => {
  let server: TestServer
  let token: string
  let versionId: string
  let changelogId: string
  const path = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')

  beforeAll(async () => {
    server = await startServer(subject)
    const team = server.seed.team('acme')
    changelogId = server.seed.product(team, 'app').changelogId
    for (let at = 0; at < 20; at++)
      versionId = server.seed.version(changelogId, `1.${at}`, { publishedAt: Date.UTC(2026, 0, 1 + at) })
    server.seed.product(team, 'small')
    token = server.seed.key(team).token
  })
  afterAll(async () => {
    await server.stop()
  })

  /** The response as it comes over the wire: fetch would decode it. */
  const wire = async (target: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + target, { headers, decompress: false } as RequestInit)
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }

  test('a public response says who may cache it and for how long, and has a strong tag', async () => {
    const { response } = await wire(path)
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag, Link, RateLimit')
  })

  test('a keyed response may be cached by its reader alone', async () => {
    for (let time = 0; time < 2; time++) {
      const { response } = await wire(keyed, bearer(token))
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(response.headers.get('vary')).toContain('Authorization')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('PUBLIC_MAX_AGE is the max-age of Cache-Control', async () => {
    const other = await startServer(subject, { PUBLIC_MAX_AGE: '5' })
    other.seed.product(other.seed.team('acme'), 'app')
    expect((await other.get(path)).headers.get('cache-control')).toBe('public, max-age=5')
    await other.stop()
  })

  test('errors may not be cached', async () => {
    for (const target of [publicPath('no', 'no'), `${path}?limit=0`, keyed, '/nowhere'])
      expect((await server.get(target)).headers.get('cache-control')).toBe('no-store')
  })

  test('the same response has the same tag and bytes, read or cached', async () => {
    const [first, second] = [await wire(path), await wire(path)]
    expect(second.response.headers.get('etag')).toBe(first.response.headers.get('etag'))
    expect(second.bytes).toEqual(first.bytes)
  })

  test.each([
    ['the tag', (tag: string) => tag],
    ['a list with the tag, weak', (tag: string) => `"a", W/${tag}`],
  ])('If-None-Match with %s is a 304 without a body, with the headers that matter', async (_, header) => {
    for (const [target, headers] of [
      [path, {}],
      [`${path}?limit=3`, {}],
      [`${path}/versions/${versionId}`, {}],
      [keyed, bearer(token)],
    ] as const) {
      const full = (await wire(target, headers)).response
      const tag = full.headers.get('etag') ?? ''
      const { response, bytes } = await wire(target, { ...headers, 'if-none-match': header(tag) })
      expect(response.status).toBe(304)
      expect(bytes).toHaveLength(0)
      for (const name of [
        'etag',
        'cache-control',
        'vary',
        'link',
        'access-control-allow-origin',
        'ratelimit-policy',
      ])
        expect({ name, value: response.headers.get(name) }).toEqual({ name, value: full.headers.get(name) })
      expect(response.headers.get('content-type')).toBeNull()
    }
  })

  test('another tag gets the whole response', async () => {
    const { response } = await wire(path, { 'if-none-match': '"other"' })
    expect(response.status).toBe(200)
  })

  test('If-None-Match does not bypass a check', async () => {
    const header = { 'if-none-match': '*' }
    expect((await wire(publicPath('no', 'no'), header)).response.status).toBe(404)
    expect((await wire(`${path}?limit=0`, header)).response.status).toBe(400)
    expect((await wire(keyed, header)).response.status).toBe(401)
    expect((await wire(keyedPath('other', 'app'), { ...header, ...bearer(token) })).response.status).toBe(403)
  })

  test.each([
    ['zstd', 'zstd'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['*', 'zstd'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
  ])('Accept-Encoding: %s gets %s, which decodes to the same body', async (accept, expected) => {
    const plain = await wire(path, { 'accept-encoding': 'identity' })
    for (let time = 0; time < 2; time++) {
      const { response, bytes } = await wire(path, { 'accept-encoding': accept })
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(expected)
      expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
      expect(DECODERS[expected]?.(bytes)).toEqual(plain.bytes as never)
      if (expected !== 'identity') {
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(response.headers.get('etag')).not.toBe(plain.response.headers.get('etag'))
        expect(response.headers.get('vary')).toContain('Accept-Encoding')
        const tag = response.headers.get('etag') ?? ''
        const again = await wire(path, { 'accept-encoding': accept, 'if-none-match': tag })
        expect(again.response.status).toBe(304)
        expect(again.response.headers.get('content-encoding')).toBeNull()
        expect(
          (await wire(path, { 'accept-encoding': 'identity', 'if-none-match': tag })).response.status,
        ).toBe(200)
      }
    }
  })

  test('a small body is not encoded', async () => {
    const { response } = await wire(publicPath('acme', 'small'), { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  test('a browser on another site gets its preflight answered', async () => {
    const response = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://docs.example', 'access-control-request-method': 'GET' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    expect(response.headers.get('access-control-allow-headers')).toBe('*')
  })

  test('the very next request sees what another process committed, in every form of the response', async () => {
    const forms = [
      [path, {}],
      [path, { 'accept-encoding': 'gzip' }],
      [`${path}?limit=100&include=changes`, {}],
      [keyed, bearer(token)],
      [`${path}/versions/${versionId}`, {}],
    ] as const
    const bodies = () =>
      Promise.all(forms.map(async ([target, headers]) => (await server.get(target, headers)).text()))
    await bodies()
    for (let time = 0; time < 20; time++) {
      const title = `Renamed ${time}`
      server.seed.db.run('UPDATE version SET title = ? WHERE id = ?', [title, versionId])
      for (const body of await bodies()) expect(body).toContain(title)
    }
    const { seed } = server
    const status = async () => (await server.get(path)).status
    seed.db.run("UPDATE changelog SET status = 'locked' WHERE id = ?", [changelogId])
    expect([await status(), (await server.get(keyed, bearer(token))).status]).toEqual([404, 200])
    seed.db.run("UPDATE changelog SET status = 'published' WHERE id = ?", [changelogId])
    expect(await status()).toBe(200)
    seed.db.run("UPDATE team SET visibility = 'private'")
    expect(await status()).toBe(404)
    seed.db.run("UPDATE team SET visibility = 'public'")
    expect(await status()).toBe(200)
  })

  test('a page has another tag once there is a next page', async () => {
    const { seed } = server
    const { changelogId } = seed.product(seed.team('growing'), 'app')
    for (let at = 1; at < 4; at++) seed.version(changelogId, `${at}`, { publishedAt: Date.UTC(2026, 0, at) })
    const target = publicPath('growing', 'app', '?limit=3')
    const before = (await wire(target)).response
    expect(before.headers.get('link')).toBeNull()
    seed.version(changelogId, '0', { publishedAt: Date.UTC(2025, 0, 1) })
    const after = (await wire(target, { 'if-none-match': before.headers.get('etag') ?? '' })).response
    expect(after.status).toBe(200)
    expect(after.headers.get('link')).not.toBeNull()
  })

  test('the next request sees a commit, however many other requests and connections there are', async () => {
    const { seed } = server
    const { changelogId } = seed.product(seed.team('busy'), 'app')
    const id = seed.version(changelogId, '1')
    const target = publicPath('busy', 'app')
    const close = { connection: 'close' }
    let isOver = false
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await (await server.get(target, close)).text()
    })
    for (let time = 0; time < 100; time++) {
      seed.db.run('UPDATE version SET title = ? WHERE id = ?', [`Title ${time}`, id])
      const isSeen = async () => (await (await server.get(target, close)).text()).includes(`"Title ${time}"`)
      // On PostgreSQL it may be one of the next: within a second.
      if (subject.engine === 'PostgreSQL') await until(isSeen)
      else expect([time, await isSeen()]).toEqual([time, true])
    }
    isOver = true
    await Promise.all(others)
  })

  test('a change rolled back is never seen', async () => {
    const before = await (await server.get(path)).text()
    server.seed.db.run('BEGIN IMMEDIATE')
    server.seed.db.run("UPDATE version SET title = 'never'")
    expect(await (await server.get(path)).text()).toBe(before)
    server.seed.db.run('ROLLBACK')
    expect(await (await server.get(path)).text()).toBe(before)
  })
})

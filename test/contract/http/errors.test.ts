import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BREAKING } from '../../support/database/breaking.ts'
import { expectDocumented } from '../../support/documents/documented.ts'
import fc from '../../support/fast-check.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../../support/servers/server.ts'

const HTML = 'text/html; charset=utf-8'

describe.each([...SUBJECTS])('errors of $name', (subject) => {
  let server: TestServer
  let token: string
  const path = publicPath('acme', 'app')

  beforeAll(async () => {
    server = await startServer(subject)
    const team = server.seed.team('acme')
    const { changelogId } = server.seed.product(team, 'app')
    server.seed.version(changelogId, '1.0.0')
    token = server.seed.key(team).token
  })
  afterAll(async () => {
    await server.stop()
  })

  /** The status of what fetch would not send as it is. */
  const statusOf = async (head: string) => (await server.raw(head)).slice(9, 12)
  const requestOf = (target: string, host = 'x') => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  /** Each of these with its status, so that all that differ are reported at once. */
  const statuses = async (heads: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(heads).map(async ([name, head]) => [name, await statusOf(head)])),
    )

  test('a route that does not exist is a 404 that says so, as a page for a browser and as JSON for a program', async () => {
    const body = { error: { code: 'not_found', message: 'There is no such route: see /openapi.json.' } }
    for (const target of ['/api', '/api/', '/api/v1', '/api/v2/teams', '/api/v1/public', '/api/v1/teams']) {
      const response = await server.get(target, { accept: 'text/html' })
      expect([target, response.status, await response.json()]).toEqual([target, 404, body])
    }
    for (const target of ['/nowhere', '/changlog/acme', '/favicon.ico', '/%zz']) {
      const response = await server.get(target)
      expect([target, response.status, await response.json()]).toEqual([target, 404, body])
      const page = await server.get(target, { accept: 'text/html,*/*;q=0.8' })
      expect([target, page.status, page.headers.get('content-type')]).toEqual([target, 404, HTML])
    }
  })

  test('other methods are a 405 that says what is allowed', async () => {
    for (const [target, allow] of [
      [path, 'GET, HEAD, OPTIONS'],
      [keyedPath('acme', 'app'), 'GET, HEAD'],
      ['/livez', 'GET, HEAD'],
      ['/nowhere', 'GET, HEAD'],
    ] as const)
      for (const method of ['POST', 'TRACE', 'PROPFIND']) {
        const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`
        const response = (await server.raw(head)).toLowerCase()
        expect([method, target, response.slice(9, 12)]).toEqual([method, target, '405'])
        expect(response).toContain(`allow: ${allow.toLowerCase()}\r\n`)
        expect(response).toContain('"code":"method_not_allowed"')
      }
    const page = await fetch(`${server.url}/changelog/acme/app`, { method: 'DELETE' })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await page.text()).toContain('<h1>This page can only be read</h1>')
  })

  test('HEAD is GET without its body, errors included', async () => {
    for (const [target, headers] of [
      [path, {}],
      [`${path}?limit=0`, {}],
      [publicPath('nobody', 'app'), {}],
      [keyedPath('acme', 'app'), bearer(token)],
      [keyedPath('acme', 'app'), {}],
    ] as const) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(server.url + target, { method, headers })),
      )
      if (!get || !head) throw new Error('no response')
      const kept = (response: Response) =>
        [...response.headers].filter(([name]) => !['date', 'ratelimit'].includes(name)).sort()
      expect(head.status).toBe(get.status)
      expect(kept(head)).toEqual(kept(get))
      expect(await head.text()).toBe('')
    }
  })

  test('a request body is not read, whatever its size', async () => {
    const big = 'x'.repeat(3_000_000)
    expect((await fetch(server.url + path, { method: 'POST', body: big })).status).toBe(405)
    const long = 'Host: x\r\nContent-Length: 999999999999\r\n\r\n'
    expect(await statusOf(`POST ${path} HTTP/1.1\r\n${long}`)).toBe('405')
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`)).toBe('200')
  })

  test('an address means the same however it is written, and another one is not found', async () => {
    const found = {
      'a needless escape': requestOf(path.replace('acme', '%61cme')),
      'dot segments': requestOf(`/foo/..${path}`),
      'a dot': requestOf(path.replace('/v1/', '/v1/./')),
      'escaped dots': requestOf(path.replace('/v1/', '/v1/x/%2e%2e/')),
      'an absolute address': requestOf(`http://elsewhere${path}`),
    }
    const missing = {
      'a trailing slash': requestOf(`${path}/`),
      'a doubled slash': requestOf(path.replace('/teams', '//teams')),
      'a doubled health check': requestOf('//healthz'),
      'another case': requestOf(path.replace('public', 'Public')),
      'more before it': requestOf(`/zz${path}`),
      'a bad escape': requestOf(publicPath('%zz', '%')),
      'a NUL escape': requestOf(publicPath('%00', 'app')),
      'an escaped escape': requestOf(path.replace('acme', '%2561cme')),
      'a fragment': requestOf(`${path}#x`),
    }
    const each = (heads: object, status: string) =>
      Object.fromEntries(Object.keys(heads).map((name) => [name, status]))
    expect(await statuses({ ...found, ...missing })).toEqual({
      ...each(found, '200'),
      ...each(missing, '404'),
    })
  })

  test('what is no proper request is refused', async () => {
    expect(
      await statuses({
        'a backslash': requestOf(path.replaceAll('/', '\\')),
        'no HTTP at all': 'HELLO\r\n\r\n',
        'a parameter twice': requestOf(`${path}?limit=1&limit=2`),
        '20 KB of headers': requestOf(path, `x\r\nX-A: ${'a'.repeat(20_000)}`),
        '20 KB of path': requestOf(`/${'a'.repeat(20_000)}`),
        'HTTP/1.0 without a Host': `GET ${path} HTTP/1.0\r\n\r\n`,
      }),
    ).toEqual({
      'a backslash': '400',
      'no HTTP at all': '400',
      'a parameter twice': '400',
      '20 KB of headers': '431',
      '20 KB of path': '431',
      'HTTP/1.0 without a Host': '200',
    })
  })

  test('a Host that is missing, doubled or none is a 400 as JSON, wherever it is sent', async () => {
    for (const host of ['a b c', 'a\r\nHost: b', 'a\r\nHost: a', 'a\r\nHost:', 'user@a', '[::1'])
      for (const target of [path, keyedPath('acme', 'app'), '/healthz', '/openapi.json', '/nowhere']) {
        // Another Host before, as a connection may have.
        expect((await server.get(target)).status).not.toBe(400)
        const response = await server.raw(requestOf(target, host))
        expect([host, target, response.slice(9, 12)]).toEqual([host, target, '400'])
        expect(response).toContain(
          '{"error":{"code":"bad_request","message":"The Host header must name one host',
        )
      }
    for (const host of ['', 'a_b.internal:', '[2001:db8::1]:443'])
      expect([host, await statusOf(requestOf(path, host))]).toEqual([host, '200'])
  })

  test('a URL that is not normalized bypasses neither the limiter nor the choice of the route', async () => {
    for (const host of ['x', '[::1]', ''])
      for (const target of [
        `/api/v1/teams/../public${path.slice('/api/v1/public'.length)}`,
        `/zz/%2e%2e${path}`,
        `/api/v1/teams/%2e%2e/public${path.slice('/api/v1/public'.length)}`,
        `//x${path}`,
      ]) {
        const response = await server.raw(requestOf(target, host))
        const ok = response.slice(9, 12) === '404' || /\r\nratelimit:/i.test(response)
        expect({ host, target, ok }).toEqual({ host, target, ok: true })
      }
  })

  describe('for any input, only documented responses', () => {
    const runs = { numRuns: 150 }
    const segment = fc.oneof(
      fc.constantFrom(
        ...['acme', 'app', 'changelog', 'versions', 'public', 'teams', 'products', 'api', 'v1'],
        ...['..', '.', '', '%2f', '%zz', '%00', '\\'],
      ),
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.stringMatching(/^[!-~]{0,20}$/).map((text) => text.replace(/[?#]/g, '')),
    )

    test('over paths', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(segment, { maxLength: 12 }), fc.boolean(), async (segments, prefixed) => {
          const target = `${prefixed ? '/api/v1/public' : ''}/${segments.join('/')}`
          await expectDocumented(await server.get(target, bearer(token)), target)
        }),
        runs,
      )
    })

    test('over queries', async () => {
      const name = fc.oneof(
        fc.constantFrom('limit', 'cursor', 'since', 'include', 'access_token', '__proto__'),
        fc.string(),
      )
      const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.date().map(String))
      const pairs = fc.array(fc.tuple(name, value), { maxLength: 6 })
      const written = (text: string) => encodeURIComponent(text.toWellFormed())
      await fc.assert(
        fc.asyncProperty(pairs, fc.boolean(), async (all, keyed) => {
          const query = all.map((pair) => pair.map(written).join('=')).join('&')
          const target = keyed ? keyedPath('acme', 'app') : path
          await expectDocumented(await server.get(`${target}?${query}`, bearer(token)), query)
        }),
        runs,
      )
    })
  })

  test('a database that fails is a 503 with Retry-After, for pages as a page, and the cause is in the log alone', async () => {
    const broken = await startServer(subject)
    broken.seed.product(broken.seed.team('acme'), 'app')
    const page = '/changelog/acme/app'
    expect([(await broken.get(path)).status, (await broken.get(page)).status]).toEqual([200, 200])
    const { statements, reason } = BREAKING[subject.engine]
    for (const statement of statements) broken.seed.db.run(statement)
    for (const target of [
      path,
      '/healthz',
      '/',
      '/changelog/acme',
      page,
      `${page}/1.0.0`,
      `${page}/feed.rss`,
    ]) {
      const response = await broken.get(target)
      expect({ target, status: response.status }).toEqual({ target, status: 503 })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      const text = await response.text()
      if (target === path || target === '/healthz')
        expect(JSON.parse(text)).toEqual({
          error: { code: 'unavailable', message: 'The database does not answer.' },
        })
      else {
        expect(response.headers.get('content-type')).toBe(HTML)
        expect(text).toContain('<h1>Not available right now</h1>')
        expect(text).not.toMatch(/sqlite|postgres|no such|relation/i)
      }
    }
    const { child } = broken
    await broken.stop()
    expect(await new Response(child.stderr).text()).toContain(reason)
  })
})

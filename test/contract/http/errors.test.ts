import { describe, expect, test } from 'bun:test'
import { BREAKING } from '../../support/database/breaking.ts'
import { expectDocumented } from '../../support/documents/documented.ts'
import fc, { anyText } from '../../support/fast-check.ts'
import { serverForAll } from '../../support/servers/for-all.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  THE_BINARY,
} from '../../support/servers/server.ts'

const HTML = 'text/html; charset=utf-8'
const PATH = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')

describe('errors', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme')
    seed.version(seed.product(team, 'app').changelogId, '1.0.0')
    return bearer(seed.key(team).token)
  })

  /** The status of what fetch would not send as it is. */
  const statusOf = async (head: string) => (await site.server.raw(head)).slice(9, 12)
  const requestOf = (target: string, host = 'x') => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  /** Each of these with its status, so that all that differ are reported at once. */
  const statuses = async (heads: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(heads).map(async ([name, head]) => [name, await statusOf(head)])),
    )
  const each = (heads: object, status: string) =>
    Object.fromEntries(Object.keys(heads).map((name) => [name, status]))

  test('a route that does not exist is a 404 that says so, as a page for a browser and as JSON for a program', async () => {
    const body = {
      error: { code: 'not_found', message: 'There is no such route. For all routes, see /openapi.json.' },
    }
    for (const target of ['/api', '/api/v2/teams', '/api/v1/public']) {
      const response = await site.get(target, { accept: 'text/html' })
      expect([target, response.status, await response.json()]).toEqual([target, 404, body])
    }
    for (const target of ['/nowhere', '/changlog/acme', '/%zz']) {
      const response = await site.get(target)
      expect([target, response.status, await response.json()]).toEqual([target, 404, body])
      const page = await site.get(target, { accept: 'text/html,*/*;q=0.8' })
      expect([target, page.status, page.headers.get('content-type')]).toEqual([target, 404, HTML])
    }
  })

  test('other methods are a 405 that says what is allowed, whatever their body', async () => {
    for (const method of ['TRACE', 'PROPFIND']) {
      const head = `${method} ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`
      const response = (await site.server.raw(head)).toLowerCase()
      expect([method, response.slice(9, 12)]).toEqual([method, '405'])
      expect(response).toContain('allow: get, head, options\r\n')
    }
    const page = await fetch(`${site.server.url}/changelog/acme/app`, { method: 'DELETE' })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await page.text()).toContain('<h1>This page can only be read</h1>')
    const big = 'x'.repeat(3_000_000)
    expect((await fetch(site.server.url + PATH, { method: 'POST', body: big })).status).toBe(405)
    const long = 'Host: x\r\nContent-Length: 999999999999\r\n\r\n'
    expect(await statusOf(`POST ${PATH} HTTP/1.1\r\n${long}`)).toBe('405')
    expect(await statusOf(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`)).toBe('200')
  })

  test('HEAD is GET without its body, errors included', async () => {
    for (const [target, headers] of [
      [PATH, {}],
      [`${PATH}?limit=0`, {}],
      [KEYED, site.filled],
      [KEYED, {}],
    ] as const) {
      const [get, head] = (await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(site.server.url + target, { method, headers })),
      )) as [Response, Response]
      const kept = (response: Response) =>
        [...response.headers].filter(([name]) => !['date', 'ratelimit'].includes(name)).sort()
      expect([head.status, kept(head), await head.text()]).toEqual([get.status, kept(get), ''])
    }
  })

  test('an address means the same however it is written, and another one is not found', async () => {
    const found = {
      'a needless escape': requestOf(PATH.replace('acme', '%61cme')),
      'dot segments': requestOf(`/foo/..${PATH}`),
      'escaped dots': requestOf(PATH.replace('/v1/', '/v1/x/%2e%2e/')),
      'an absolute address': requestOf(`http://elsewhere${PATH}`),
    }
    const missing = {
      'a trailing slash': requestOf(`${PATH}/`),
      'a doubled slash': requestOf(PATH.replace('/teams', '//teams')),
      'a doubled health check': requestOf('//healthz'),
      'another case': requestOf(PATH.replace('public', 'Public')),
      'a bad escape': requestOf(publicPath('%zz', '%')),
      'a fragment': requestOf(`${PATH}#x`),
    }
    expect(await statuses({ ...found, ...missing })).toEqual({
      ...each(found, '200'),
      ...each(missing, '404'),
    })
  })

  test('what is no proper request is refused', async () => {
    const bad = {
      'a backslash': requestOf(PATH.replaceAll('/', '\\')),
      'no HTTP at all': 'HELLO\r\n\r\n',
      'a parameter twice': requestOf(`${PATH}?limit=1&limit=2`),
      'a Host that is none': requestOf(PATH, 'a b c'),
      'two Hosts': requestOf('/nowhere', 'a\r\nHost: b'),
    }
    const long = {
      '20 KB of headers': requestOf(PATH, `x\r\nX-A: ${'a'.repeat(20_000)}`),
      '20 KB of path': requestOf(`/${'a'.repeat(20_000)}`),
    }
    const without = { 'HTTP/1.0 without a Host': `GET ${PATH} HTTP/1.0\r\n\r\n` }
    expect(await statuses({ ...bad, ...long, ...without })).toEqual({
      ...each(bad, '400'),
      ...each(long, '431'),
      ...each(without, '200'),
    })
    expect(await site.server.raw(bad['two Hosts'])).toContain(
      '{"error":{"code":"bad_request","message":"The Host header must have one host',
    )
  })

  test('a URL that is not normalized bypasses neither the limiter nor the choice of the route', async () => {
    const rest = PATH.slice('/api/v1/public'.length)
    for (const host of ['x', '[::1]', ''])
      for (const target of [
        `/api/v1/teams/../public${rest}`,
        `/zz/%2e%2e${PATH}`,
        `/api/v1/teams/%2e%2e/public${rest}`,
        `//x${PATH}`,
      ]) {
        const response = await site.server.raw(requestOf(target, host))
        const ok = response.slice(9, 12) === '404' || /\r\nratelimit:/i.test(response)
        expect({ host, target, ok }).toEqual({ host, target, ok: true })
      }
  })

  test('for any path and query, only documented responses', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        ...['acme', 'app', 'changelog', 'versions', 'public', 'teams', 'products', 'api', 'v1'],
        ...['..', '.', '', '%2f', '%zz', '%00', '\\'],
      ),
      anyText(12).map(encodeURIComponent),
      fc.stringMatching(/^[!-~]{0,20}$/).map((text) => text.replace(/[?#]/g, '')),
    )
    const path = fc.array(segment, { maxLength: 12 }).map((segments) => `/${segments.join('/')}`)
    const name = fc.constantFrom('limit', 'cursor', 'since', 'include', 'access_token', '__proto__')
    const value = fc.oneof(anyText(12).map(encodeURIComponent), fc.integer().map(String))
    const query = fc
      .array(fc.tuple(name, value), { maxLength: 6 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
    const target = fc.oneof(
      path,
      path.map((rest) => `/api/v1/public${rest}`),
      query.map((all) => `${PATH}?${all}`),
      query.map((all) => `${KEYED}?${all}`),
    )
    await fc.assert(
      fc.asyncProperty(target, async (all) => expectDocumented(await site.get(all, site.filled), all)),
      { numRuns: 300 },
    )
  })
})

test.each([...SUBJECTS])(
  'a database of $name that fails is a 503 with Retry-After, for pages as a page, and the cause is in the log alone',
  async (subject) => {
    const broken = await startServer(subject)
    broken.seed.product(broken.seed.team('acme'), 'app')
    const page = '/changelog/acme/app'
    expect([(await broken.get(PATH)).status, (await broken.get(page)).status]).toEqual([200, 200])
    const { statements, reason } = BREAKING[subject.engine]
    for (const statement of statements) broken.seed.db.run(statement)
    for (const target of [PATH, '/healthz', '/', page, `${page}/feed.rss`]) {
      const response = await broken.get(target)
      expect({ target, status: response.status }).toEqual({ target, status: 503 })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      const text = await response.text()
      if (target === PATH || target === '/healthz')
        expect(JSON.parse(text)).toEqual({
          error: { code: 'unavailable', message: 'The database is not responding.' },
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
  },
)

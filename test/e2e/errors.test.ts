import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BREAKING } from '../support/database/breaking.ts'
import { expectDocumented } from '../support/documents/documented.ts'
import fc from '../support/fast-check.ts'
import {
  bearer,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../support/servers/server.ts'

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

  test.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v2/teams',
    '/api/v1/public',
    '/api/v1/teams',
    '/favicon.ico',
    '/%zz',
  ])('GET %s is a JSON 404 that says there is no such route', async (target) => {
    const response = await server.get(target)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: { code: 'not_found', message: 'There is no such route: see /openapi.json.' },
    })
  })

  test.each(['/nowhere', '/changlog/acme', '/favicon.ico', '/%zz'])(
    'a browser gets a page for GET %s, and a program JSON',
    async (target) => {
      const page = await server.get(target, { accept: 'text/html,*/*;q=0.8' })
      expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
        status: 404,
        type: 'text/html; charset=utf-8',
      })
      expect((await server.get(target)).headers.get('content-type')).toBe('application/json')
    },
  )

  test('everything under /api answers with JSON, even a browser', async () => {
    for (const target of ['/api', '/api/', '/api/v1/nothing', publicPath('no', 'no')]) {
      const response = await server.get(target, { accept: 'text/html' })
      expect({ target, type: response.headers.get('content-type') }).toEqual({
        target,
        type: 'application/json',
      })
    }
  })

  test('a trailing slash, a doubled slash or another case is another URL', async () => {
    for (const target of [
      `${path}/`,
      path.replace('/teams', '//teams'),
      path.replace('public', 'Public'),
      '/API/v1/x',
    ])
      expect((await server.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).slice(0, 12)).toBe(
        'HTTP/1.1 404',
      )
  })

  test.each(['POST', 'TRACE', 'PROPFIND'])('%s is a 405 that says what is allowed', async (method) => {
    for (const [target, allow] of [
      [path, 'GET, HEAD, OPTIONS'],
      [keyedPath('acme', 'app'), 'GET, HEAD'],
      ['/openapi.json', 'GET, HEAD, OPTIONS'],
      ['/healthz', 'GET, HEAD'],
      ['/readyz', 'GET, HEAD'],
      ['/livez', 'GET, HEAD'],
      ['/nowhere', 'GET, HEAD'],
    ] as const) {
      const response = await server.raw(
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(response).toStartWith('HTTP/1.1 405')
      expect(response.toLowerCase()).toContain(`allow: ${allow.toLowerCase()}\r\n`)
      expect(response).toContain('"code":"method_not_allowed"')
    }
  })

  test('OPTIONS off the public routes is a 405 as well', async () => {
    expect((await fetch(server.url + keyedPath('acme', 'app'), { method: 'OPTIONS' })).status).toBe(405)
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
    const response = await server.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`)
    expect(response).toStartWith('HTTP/1.1 200')
    expect(
      await server.raw(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n`),
    ).toStartWith('HTTP/1.1 405')
  })

  describe('what fetch cannot send', () => {
    const statusOf = async (head: string) => (await server.raw(head)).split('\r\n')[0]?.slice(9, 12)

    test.each([
      [
        'a short Host',
        'GET /zz/api/v1/public/teams/acme/products/app/changelog HTTP/1.1\r\nHost: x\r\n\r\n',
        ['404'],
      ],
      ['a short Host on a real address', `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, ['200']],
      ['dot segments', `GET /foo/..${path} HTTP/1.1\r\nHost: x\r\n\r\n`, ['200']],
      ['a backslash', `GET ${path.replaceAll('/', '\\')} HTTP/1.1\r\nHost: x\r\n\r\n`, ['400']],
      [
        'a bad escape',
        'GET /api/v1/public/teams/%zz/products/%/changelog HTTP/1.1\r\nHost: x\r\n\r\n',
        ['404'],
      ],
      [
        'a NUL escape',
        'GET /api/v1/public/teams/%00/products/app/changelog HTTP/1.1\r\nHost: x\r\n\r\n',
        ['404'],
      ],
      ['a fragment', `GET ${path}#x HTTP/1.1\r\nHost: x\r\n\r\n`, ['404']],
      ['an absolute address', `GET http://elsewhere${path} HTTP/1.1\r\nHost: x\r\n\r\n`, ['200']],
      ['HTTP/1.0 without a Host', `GET ${path} HTTP/1.0\r\n\r\n`, ['200']],
      ['a Host that is not a host name', `GET ${path} HTTP/1.1\r\nHost: a b c\r\n\r\n`, ['400']],
      ['a needless escape', `GET ${path.replace('acme', '%61cme')} HTTP/1.1\r\nHost: x\r\n\r\n`, ['200']],
      ['an escaped escape', `GET ${path.replace('acme', '%2561cme')} HTTP/1.1\r\nHost: x\r\n\r\n`, ['404']],
      ['a doubled health check', 'GET //healthz HTTP/1.1\r\nHost: x\r\n\r\n', ['404']],
      ['20 KB of headers', `GET ${path} HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, ['431']],
      ['20 KB of path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, ['431']],
      ['no HTTP at all', 'HELLO\r\n\r\n', ['400']],
      ['duplicate parameters', `GET ${path}?limit=1&limit=2 HTTP/1.1\r\nHost: x\r\n\r\n`, ['400']],
    ])('%s', async (_, head, allowed) => {
      expect(allowed).toContain((await statusOf(head)) as string)
    })

    test('a URL that is not normalized bypasses neither the limiter nor the choice of the route', async () => {
      for (const host of ['x', '[::1]', '']) {
        for (const target of [
          `/api/v1/teams/../public${path.slice('/api/v1/public'.length)}`,
          `/zz/..${path}`,
          `/zz/%2e%2e${path}`,
          `/api/v1/teams/%2e%2e/public${path.slice('/api/v1/public'.length)}`,
          `//x${path}`,
        ]) {
          const response = await server.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
          const status = response.slice(9, 12)
          expect({ host, target, ok: status === '404' || /\r\nratelimit:/i.test(response) }).toEqual({
            host,
            target,
            ok: true,
          })
        }
      }
    })
  })

  test.each([
    ['two Host lines', 'Host: a\r\nHost: b'],
    ['the same Host twice', 'Host: a\r\nHost: a'],
    ['a second Host that is empty', 'Host: a\r\nHost:'],
    ['half an address', 'Host: [::1'],
    ['a user', 'Host: user@a'],
    ['a path', 'Host: a/b'],
    ['a port that is no number', 'Host: a:b'],
    ['a port that is too large', 'Host: a:99999'],
    ['no letter or digit', 'Host: ...'],
    ['an address that is none', 'Host: 999.999.999.999'],
  ])('%s is a 400 as JSON, wherever it is sent', async (_, host) => {
    for (const target of [path, keyedPath('acme', 'app'), '/healthz', '/openapi.json', '/nowhere']) {
      // Another Host before, as a connection may have.
      expect((await server.get(target)).status).not.toBe(400)
      const response = await server.raw(`GET ${target} HTTP/1.1\r\n${host}\r\n\r\n`)
      expect(response).toStartWith('HTTP/1.1 400')
      expect(response).toContain(
        '{"error":{"code":"bad_request","message":"The Host header must name one host',
      )
    }
  })

  test.each(['x', 'EXAMPLE.com:80', 'a_b.internal:', '127.0.0.1:3000', '[::1]', '[2001:db8::1]:443', ''])(
    'Host: %s is accepted',
    async (host) => {
      expect(await server.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toStartWith('HTTP/1.1 200')
    },
  )

  test('dot segments are resolved before anything else, as in every URL', async () => {
    for (const target of [
      `/x/..${path}`,
      path.replace('/v1/', '/v1/./'),
      path.replace('/v1/', '/v1/x/%2e%2e/'),
    ])
      expect(await server.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toStartWith('HTTP/1.1 200')
  })

  describe('for any input, only documented responses', () => {
    const runs = { numRuns: 150 }
    const segment = fc.oneof(
      fc.constantFrom(
        'acme',
        'app',
        'changelog',
        'versions',
        'public',
        'teams',
        'products',
        'api',
        'v1',
        '..',
        '.',
        '',
        '%2f',
        '%zz',
        '%00',
        '\\',
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
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(name, value), { maxLength: 6 }),
          fc.boolean(),
          async (pairs, keyed) => {
            const query = pairs
              .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
              .join('&')
            const target = keyed ? keyedPath('acme', 'app') : path
            await expectDocumented(await server.get(`${target}?${query}`, bearer(token)), query)
          },
        ),
        runs,
      )
    })
  })

  test('a database that fails is a 503 with Retry-After, and the cause is in the log alone', async () => {
    const broken = await startServer(subject)
    const team = broken.seed.team('acme')
    broken.seed.product(team, 'app')
    expect((await broken.get(path)).status).toBe(200)
    const { statements, reason } = BREAKING[subject.engine]
    for (const statement of statements) broken.seed.db.run(statement)
    for (const target of [path, '/healthz']) {
      const response = await broken.get(target)
      expect({ target, status: response.status }).toEqual({ target, status: 503 })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.json()).toEqual({
        error: { code: 'unavailable', message: 'The database does not answer.' },
      })
    }
    const { child } = broken
    await broken.stop()
    expect(await new Response(child.stderr).text()).toContain(reason)
  })
})

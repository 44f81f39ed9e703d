import { afterAll, describe, expect, test } from 'bun:test'
import { expectDocumented } from '../../support/documents/documented.ts'
import fc from '../../support/fast-check.ts'
import { openHandler } from '../../support/servers/handler.ts'
import { bearer, keyedPath, publicPath, type Settings } from '../../support/servers/server.ts'

describe('the request pipeline', () => {
  const path = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')

  const server = openHandler()
  const { seed } = server
  const team = seed.team('acme')
  const { id, changelogId } = seed.product(team, 'app')
  seed.version(changelogId, '1.0.0')
  const token = seed.key(team).token
  const select = seed.key(team, { kind: 'SELECT', products: [id] }).token
  afterAll(() => server[Symbol.dispose]())

  test.each(['POST', 'PROPFIND', 'OPTIONS'])(
    '%s is a 405 that says what is allowed, before routing',
    async (method) => {
      for (const [target, allow] of [
        [path, 'GET, HEAD, OPTIONS'],
        ['/api/v1/public/nonsense', 'GET, HEAD, OPTIONS'],
        [keyed, 'GET, HEAD'],
        ['/openapi.json', 'GET, HEAD, OPTIONS'],
        ['/healthz', 'GET, HEAD'],
        ['/nowhere', 'GET, HEAD'],
      ] as const) {
        if (method === 'OPTIONS' && allow.includes('OPTIONS')) continue
        const response = await server.send(method, target, bearer(token))
        expect({ target, status: response.status }).toEqual({ target, status: 405 })
        expect(response.headers.get('allow')).toBe(allow)
        expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
      }
    },
  )

  test('errors come in the order 401, 403, 400, 404', async () => {
    const status = async (target: string, key?: string) =>
      (await server.get(target, key === undefined ? {} : bearer(key))).status
    const wrong = '?limit=0'
    for (const rest of ['', wrong]) {
      expect(await status(keyedPath('rival', 'nothing', rest))).toBe(401)
      expect(await status(keyedPath('rival', 'nothing', rest), 'nonsense')).toBe(401)
      expect(await status(keyedPath('rival', 'nothing', rest), token)).toBe(403)
      expect(await status(keyedPath('acme', 'nothing', rest), select)).toBe(403)
    }
    expect(await status(keyedPath('acme', 'nothing', wrong), token)).toBe(400)
    expect(await status(keyedPath('acme', 'nothing'), token)).toBe(404)
  })

  test('no response of the API may be taken for another type than its own', async () => {
    const etag = (await server.get(path)).headers.get('etag') ?? ''
    for (const [target, headers] of [
      [path, {}],
      [path, { 'if-none-match': etag }],
      [publicPath('acme', 'missing'), {}],
      [`${path}?limit=0`, {}],
      [keyed, bearer(token)],
      [keyed, {}],
      ['/api/nothing', {}],
      ['/openapi.json', {}],
      ['/healthz', {}],
      [path, { host: 'a b' }],
    ] as const) {
      const response = await server.get(target, headers)
      expect([target, response.headers.get('x-content-type-options')]).toEqual([target, 'nosniff'])
    }
    for (const method of ['OPTIONS', 'POST'])
      expect((await server.send(method, path)).headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('browsers are told to use HTTPS alone where the site has it, unless HSTS is off', async () => {
    const told = async (settings: Settings) => {
      using other = openHandler(settings)
      other.seed.product(other.seed.team('acme'), 'app')
      const values = new Set<string | null>()
      for (const target of [
        path,
        path,
        keyed,
        '/',
        '/changelog/acme/app',
        '/nowhere',
        '/livez',
        '/changelog/acme/app/latest',
      ])
        values.add((await other.get(target)).headers.get('strict-transport-security'))
      values.add((await other.send('POST', path)).headers.get('strict-transport-security'))
      return [...values]
    }
    const PUBLIC_URL = 'https://news.acme.test'
    expect(await told({})).toEqual([null])
    expect(await told({ PUBLIC_URL: 'http://news.acme.test' })).toEqual([null])
    expect(await told({ HSTS: '600' })).toEqual([null])
    expect(await told({ PUBLIC_URL })).toEqual(['max-age=31536000'])
    expect(await told({ PUBLIC_URL, LOG_REQUESTS: 'all' })).toEqual(['max-age=31536000'])
    expect(await told({ PUBLIC_URL, HSTS: '600' })).toEqual(['max-age=600'])
    expect(await told({ PUBLIC_URL, HSTS: 'off' })).toEqual([null])
  })

  /** What a response is, but for what differs each time. */
  const wholeOf = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'ratelimit' && name !== 'connection').sort(),
    body: await response.text(),
  })

  /** Every character of the path that needs no escape, escaped. */
  const escaped = (target: string) =>
    target.replace(/^[^?]*/, (path) =>
      path.replace(/[A-Za-z0-9._~-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    )

  test('a needless escape is another spelling of the same path, for everything there is and is not', async () => {
    const existing = [
      path,
      `${path}?limit=1`,
      '/healthz',
      '/openapi.json',
      '/',
      '/changelog/acme',
      '/sitemap.xml',
    ]
    const pages = ['', '/1.0.0', '/latest', '/feed.atom', '/feed.json', '/CHANGELOG.md', '/badge.svg'].map(
      (rest) => `/changelog/acme/app${rest}`,
    )
    const missing = [publicPath('acme', 'no-such'), '/changelog/acme/app/9.9.9', '/nowhere', '/api/v1/x']
    for (const target of [...existing, ...pages, keyed, ...missing])
      for (const spelling of [
        escaped(target),
        escaped(target).replace(/%../g, (code) => code.toUpperCase()),
        target.replace('c', '%63'),
      ])
        for (const headers of [{}, bearer(token), { 'accept-encoding': 'gzip' }]) {
          const expected = await wholeOf(await server.get(target, headers))
          expect({ spelling, ...(await wholeOf(await server.get(spelling, headers))) }).toEqual({
            spelling,
            ...expected,
          })
        }
    expect((await server.get(escaped(path))).status).toBe(200)
    expect((await server.get(escaped(publicPath('acme', 'no-such')))).status).toBe(404)
  })

  test('both spellings are one entry of the cache', async () => {
    using counted = openHandler({ LOG_REQUESTS: 'all' })
    counted.seed.product(counted.seed.team('acme'), 'my-app')
    for (const target of ['my%2Dapp', 'my-app', '%6dy%2Dapp']) await counted.get(publicPath('acme', target))
    const lines = counted.lines.map((line) => JSON.parse(line))
    expect(lines.map(({ cache }) => cache)).toEqual(['miss', 'hit', 'hit'])
    expect(new Set(lines.map(({ path }) => path))).toEqual(new Set([publicPath('acme', 'my-app')]))
  })

  test('escapes are decoded once, and those of other characters stay as they are', async () => {
    using other = openHandler()
    const { changelogId } = other.seed.product(other.seed.team('acme'), 'app')
    for (const label of ['%2D', 'a/b', '-']) other.seed.version(changelogId, label)
    const titleOf = async (name: string) => {
      const response = await other.get(`/changelog/acme/app/${name}`)
      return /<title>(.*?)<\/title>/.exec(await response.text())?.[1] ?? ''
    }
    expect(await titleOf('%252D')).toStartWith('%2D: ')
    expect(await titleOf('%2D')).toStartWith('Release - ')
    expect(await titleOf('a%2Fb')).toStartWith('a/b: Release a/b')
    for (const target of [
      path.replace('acme/', 'acme%2F'),
      path.replace('acme', '%2561cme'),
      // The begin of an escape that is none, and with what follows would become one.
      path.replace('acme', '%%36%31cme'),
      path.replace('acme', '%6%31cme'),
      `/x/%252e%252e${path}`,
    ])
      expect({ target, status: (await server.get(target)).status }).toEqual({ target, status: 404 })
  })

  test('for any header, only documented responses', async () => {
    const text = fc.stringMatching(/^[ -~]{0,40}$/)
    const headers = fc.record({
      'if-none-match': text,
      'accept-encoding': text,
      'x-forwarded-for': text,
      'x-site-authorization': text,
    })
    await fc.assert(
      fc.asyncProperty(headers, async (given) => {
        const response = await server.get(path, given)
        await expectDocumented(response, given)
        expect([200, 304]).toContain(response.status)
      }),
    )
  })

  test('a request that passes leaves nothing in the log', () => {
    expect(server.errors).toEqual([])
  })
})

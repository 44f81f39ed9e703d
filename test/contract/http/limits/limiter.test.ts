import { afterAll, describe, expect, test } from 'bun:test'
import {
  bearer,
  keyedPath,
  publicPath,
  type Settings,
  startServer,
  THE_BINARY,
} from '../../../support/servers/server.ts'
import { until } from '../../../support/until.ts'

const PATH = publicPath('acme', 'app')
const PAGE = '/changelog/acme/app'
const PREFLIGHT = { origin: 'https://docs.example', 'access-control-request-method': 'GET' }

const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])

// Neither the cache nor the engine has a part in the limit.
describe('the limiter', () => {
  const running: { stop(): Promise<unknown> }[] = []
  afterAll(async () => {
    for (const server of running) await server.stop()
  })

  const start = async (settings: Settings) => {
    const server = await startServer(THE_BINARY, settings)
    running.push(server)
    const team = server.seed.team('acme')
    server.seed.product(team, 'app')
    const from = (forwardedFor: string | null, path = PATH) =>
      server.get(path, forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor })
    const send = (method: string, path = PATH, headers: Record<string, string> = {}) =>
      fetch(server.url + path, { method, headers })
    return { ...server, key: bearer(server.seed.key(team).token), from, send }
  }

  test('by default it is 60 requests, and one more each second, and every response says so', async () => {
    const server = await start({ RATE_LIMIT_BURST: '', RATE_LIMIT_PER_MINUTE: '' })
    const first = await server.from(null)
    expect(first.headers.get('ratelimit-policy')).toBe('"public";q=60;w=60')
    expect(first.headers.get('ratelimit')).toBe('"public";r=59;t=1')
    for (let time = 0; time < 59; time++) expect((await server.from(null)).status).toBe(200)
    await until(async () => (await server.from(null)).status === 429)
  })

  test('past the limit: 429 with how long to wait, and after a while 200 again; keyed routes are never limited', async () => {
    const server = await start({ RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '60' })
    for (let time = 0; time < 3; time++) expect((await server.from(null)).status).toBe(200)
    // A second between two requests would be enough for one more, so it may take more than one to be refused.
    let refused = await server.from(null)
    while (refused.status === 200) refused = await server.from(null)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      error: { code: 'rate_limited', message: 'Too many requests from this address: try again in 1 second.' },
    })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      ratelimit: '"public";r=0;t=3',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    const keyed = await Promise.all(
      Array.from({ length: 20 }, () => server.get(keyedPath('acme', 'app'), server.key)),
    )
    expect(new Set(keyed.map(({ status, headers }) => `${status} ${headers.get('ratelimit')}`))).toEqual(
      new Set(['200 null']),
    )
    expect((await server.get('/healthz')).status).toBe(200)
    await until(async () => (await server.from(null)).status === 200)
  })

  test('everything public spends one bucket: pages, feeds, documents, hits, misses, bad requests, HEAD, OPTIONS, wrong methods', async () => {
    const server = await start({ RATE_LIMIT_BURST: '16', RATE_LIMIT_PER_MINUTE: '1' })
    const first = await server.from(null)
    const all = [
      ['GET', PATH, {}],
      ['GET', PATH, { 'if-none-match': first.headers.get('etag') ?? '' }],
      ['HEAD', PATH, {}],
      ['GET', `${PATH}?limit=0`, {}],
      ['GET', publicPath('nobody', 'app'), {}],
      ['GET', publicPath('%zz', 'app'), {}],
      ['GET', '/api/v1/public/nonsense', {}],
      ['OPTIONS', PATH, {}],
      ['POST', PATH, {}],
      ...['/openapi.json', '/docs', '/widget.js', '/', PAGE, `${PAGE}/feed.atom`].map(
        (path) => ['GET', path, {}] as const,
      ),
    ] as const
    for (const [at, [method, target, headers]] of all.entries()) {
      const response = await server.send(method, target, headers)
      expect({ method, target, left: left(response) }).toEqual({ method, target, left: 14 - at })
      expect(response.headers.get('ratelimit-policy')).toBe('"public";q=16;w=960')
    }
    for (const path of [PATH, PAGE, '/openapi.json', `${PAGE}/feed.atom`]) {
      const response = await server.get(path)
      expect([path, response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([
        path,
        429,
        true,
      ])
      const isPage = path.startsWith(PAGE)
      expect(response.headers.get('content-type')).toBe(
        isPage ? 'text/html; charset=utf-8' : 'application/json',
      )
      expect(await response.text()).toContain('Too many requests')
    }
  })

  test('a preflight costs nothing, and is answered past the limit', async () => {
    const server = await start({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' })
    for (let time = 0; time < 5; time++)
      expect((await server.send('OPTIONS', PATH, PREFLIGHT)).status).toBe(204)
    expect(left(await server.from(null))).toBe(1)
    // Any other OPTIONS costs as much as a read.
    expect(left(await server.send('OPTIONS'))).toBe(0)
    expect([(await server.send('OPTIONS')).status, (await server.from(null)).status]).toEqual([429, 429])
    const answered = await server.send('OPTIONS', PATH, PREFLIGHT)
    expect([answered.status, answered.headers.get('ratelimit')]).toEqual([204, null])
    expect(answered.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('a preflight costs nothing where a password is required, which browsers do not send with it', async () => {
    const server = await start({
      ...{ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1', PASSWORD_PROTECTION: 'true' },
      ...{ PASSWORD_PROTECTION_USER: 'vera', PASSWORD_PROTECTION_PASSWORD: 'secret' },
    })
    for (let time = 0; time < 5; time++)
      for (const path of [PATH, '/nowhere']) {
        const response = await server.send('OPTIONS', path, PREFLIGHT)
        expect([response.status, response.headers.get('ratelimit')]).toEqual([401, null])
      }
    const read = () => server.get(PATH, { authorization: `Basic ${btoa('vera:secret')}` })
    expect(left(await read())).toBe(1)
    expect([(await read()).status, (await read()).status]).toEqual([200, 429])
  })

  test('X-Forwarded-For counts only behind a trusted proxy, and IPv6 clients are limited by /64', async () => {
    const limit = { RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' }
    const open = await start(limit)
    const statuses = async (server: typeof open, ...clients: (string | null)[]) => {
      const seen: number[] = []
      for (const client of clients) seen.push((await server.from(client)).status)
      return seen
    }
    expect(await statuses(open, '192.0.2.1', '192.0.2.2', '192.0.2.3')).toEqual([200, 200, 429])
    const proxied = await start({ ...limit, TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8,2001:db8:ffff::/48' })
    expect(await statuses(proxied, '192.0.2.1', '192.0.2.1', '192.0.2.1')).toEqual([200, 200, 429])
    // Whatever the client wrote to the left of its address, and whatever trusted proxies added to the right.
    const spoofed = '8.8.8.8, ::ffff:192.0.2.1, 2001:db8:ffff::7, 10.1.2.3'
    expect(await statuses(proxied, spoofed, '192.0.2.2')).toEqual([429, 200])
    // An entry that is not an address is charged to the proxy that passed it on.
    expect(await statuses(proxied, 'unknown', null, null)).toEqual([200, 200, 429])
    const [one, other, third] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::42']
    expect(await statuses(proxied, one, other, third, '2001:db8:1:3::1')).toEqual([200, 200, 429, 200])
  })
})

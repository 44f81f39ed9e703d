import { afterAll, describe, expect, test } from 'bun:test'
import {
  bearer,
  keyedPath,
  publicPath,
  type Settings,
  SUBJECTS,
  startServer,
  THE_SOURCE,
} from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

describe.each([THE_SOURCE, ...SUBJECTS])('the limiter of $name', (subject) => {
  const running: { stop(): Promise<unknown> }[] = []
  afterAll(async () => {
    for (const server of running) await server.stop()
  })

  const start = async (settings: Settings) => {
    const server = await startServer(subject, settings)
    running.push(server)
    const team = server.seed.team('acme')
    server.seed.product(team, 'app')
    const { token } = server.seed.key(team)
    const from = async (forwardedFor: string | null, path = publicPath('acme', 'app')) =>
      server.get(path, forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor })
    return { ...server, token, from }
  }

  test('by default it is 60 requests, and one more each second, and every response says so', async () => {
    const server = await start({ RATE_LIMIT_BURST: '', RATE_LIMIT_PER_MINUTE: '' })
    const first = await server.from(null)
    expect(first.headers.get('ratelimit-policy')).toBe('"public";q=60;w=60')
    expect(first.headers.get('ratelimit')).toBe('"public";r=59;t=1')
    for (let time = 0; time < 59; time++) expect((await server.from(null)).status).toBe(200)
    await until(async () => (await server.from(null)).status === 429)
  })

  test('past the limit: 429 as JSON, with how long to wait, and after a while 200 again', async () => {
    const server = await start({ RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '60' })
    for (let time = 0; time < 3; time++) expect((await server.from(null)).status).toBe(200)
    // A second between two requests would be enough for one more, so it may take more than one to be refused.
    let refused = await server.from(null)
    while (refused.status === 200) refused = await server.from(null)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      error: { code: 'rate_limited', message: 'Too many requests from this address: try again in 1 second.' },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"public";r=0;t=3')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect((await server.get(keyedPath('acme', 'app'), bearer(server.token))).status).toBe(200)
    expect((await server.get('/healthz')).status).toBe(200)
    await until(async () => (await server.get('/openapi.json')).status === 429)
    await until(async () => (await server.from(null)).status === 200)
  })

  test('everything under the public prefix costs one: hits, misses, bad requests, HEAD, OPTIONS, wrong methods', async () => {
    const server = await start({ RATE_LIMIT_BURST: '20', RATE_LIMIT_PER_MINUTE: '1' })
    const path = publicPath('acme', 'app')
    const first = await server.from(null)
    const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    let expected = left(first)
    for (const [method, target, headers] of [
      ['GET', path, {}],
      ['GET', path, { 'if-none-match': first.headers.get('etag') ?? '' }],
      ['HEAD', path, {}],
      ['GET', `${path}?limit=0`, {}],
      ['GET', publicPath('nobody', 'app'), {}],
      ['GET', publicPath('%zz', 'app'), {}],
      ['GET', '/api/v1/public/nonsense', {}],
      ['OPTIONS', path, {}],
      ['POST', path, {}],
    ] as const) {
      const response = await fetch(server.url + target, { method, headers })
      expect({ method, target, left: left(response) }).toEqual({ method, target, left: --expected })
      expect(response.headers.get('ratelimit-policy')).toBe('"public";q=20;w=1200')
    }
  })

  test('a preflight costs nothing, and is answered past the limit', async () => {
    const server = await start({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' })
    const send = (headers: Record<string, string>) =>
      fetch(server.url + publicPath('acme', 'app'), { method: 'OPTIONS', headers })
    const preflight = { origin: 'https://docs.example', 'access-control-request-method': 'GET' }
    for (let time = 0; time < 5; time++) expect((await send(preflight)).status).toBe(204)
    expect((await server.from(null)).headers.get('ratelimit')).toStartWith('"public";r=1;')
    // Any other OPTIONS costs as much as a read.
    expect((await send({})).headers.get('ratelimit')).toStartWith('"public";r=0;')
    expect((await send({})).status).toBe(429)
    expect((await server.from(null)).status).toBe(429)
    const answered = await send(preflight)
    expect(answered.status).toBe(204)
    expect(answered.headers.get('access-control-allow-origin')).toBe('*')
    expect(answered.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    expect(answered.headers.get('ratelimit')).toBeNull()
  })

  test('a preflight costs nothing where a password is required, which browsers do not send with it', async () => {
    const server = await start({
      RATE_LIMIT_BURST: '2',
      RATE_LIMIT_PER_MINUTE: '1',
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'vera',
      PASSWORD_PROTECTION_PASSWORD: 'secret',
    })
    const preflight = { origin: 'https://docs.example', 'access-control-request-method': 'GET' }
    for (let time = 0; time < 5; time++)
      for (const path of [publicPath('acme', 'app'), '/nowhere']) {
        const response = await fetch(server.url + path, { method: 'OPTIONS', headers: preflight })
        expect([response.status, response.headers.get('ratelimit')]).toEqual([401, null])
      }
    const authorization = `Basic ${btoa('vera:secret')}`
    const read = () => fetch(server.url + publicPath('acme', 'app'), { headers: { authorization } })
    expect((await read()).headers.get('ratelimit')).toStartWith('"public";r=1;')
    expect((await read()).status).toBe(200)
    expect((await read()).status).toBe(429)
  })

  test('X-Forwarded-For counts only behind a trusted proxy', async () => {
    const open = await start({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' })
    expect((await open.from('192.0.2.1')).status).toBe(200)
    expect((await open.from('192.0.2.2')).status).toBe(200)
    expect((await open.from('192.0.2.3')).status).toBe(429)

    const proxied = await start({
      RATE_LIMIT_BURST: '2',
      RATE_LIMIT_PER_MINUTE: '1',
      TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8,2001:db8:ffff::/48',
    })
    const take = async (forwardedFor: string | null) => (await proxied.from(forwardedFor)).status
    expect([await take('192.0.2.1'), await take('192.0.2.1'), await take('192.0.2.1')]).toEqual([
      200, 200, 429,
    ])
    // Whatever the client wrote to the left of its address, and whatever trusted proxies added to the right.
    expect(await take('8.8.8.8, ::ffff:192.0.2.1, 2001:db8:ffff::7, 10.1.2.3')).toBe(429)
    expect(await take('192.0.2.2')).toBe(200)
    // An entry that is not an address is charged to the proxy that passed it on.
    expect([await take('unknown'), await take(null), await take(null)]).toEqual([200, 200, 429])
  })

  test('IPv6 clients are limited by /64', async () => {
    const server = await start({
      RATE_LIMIT_BURST: '2',
      RATE_LIMIT_PER_MINUTE: '1',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const take = async (address: string) => (await server.from(address)).status
    expect([await take('2001:db8:1:2::1'), await take('2001:db8:1:2:ffff::9')]).toEqual([200, 200])
    expect(await take('2001:db8:1:2::42')).toBe(429)
    expect(await take('2001:db8:1:3::1')).toBe(200)
  })
})

import { expect, test } from 'bun:test'
import {
  bearer,
  GATED,
  keyedPath,
  LOGIN,
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
async function start(settings: Settings) {
  const server = await startServer(THE_BINARY, settings)
  const team = server.seed.team('acme')
  server.seed.product(team, 'app')
  const send = (method: string, path = PATH, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method, headers })
  return Object.assign(server, { key: bearer(server.seed.key(team).token), send })
}

test('by default the limit is 60 requests, and one more each second, and every response says so', async () => {
  await using server = await start({ RATE_LIMIT_BURST: '', RATE_LIMIT_PER_MINUTE: '' })
  const { headers } = await server.get(PATH)
  expect(headers.get('ratelimit-policy')).toBe('"public";q=60;w=60')
  expect(headers.get('ratelimit')).toBe('"public";r=59;t=1')
})

test('past the limit: 429 with how long to wait, and after a while 200 again; keyed routes are never limited', async () => {
  await using server = await start({ RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '60' })
  for (let time = 0; time < 3; time++) expect((await server.get(PATH)).status).toBe(200)
  // A second between two requests would be enough for one more, so it may take more than one to be refused.
  let refused = await server.get(PATH)
  while (refused.status === 200) refused = await server.get(PATH)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({
    error: { code: 'rate_limited', message: 'Too many requests from this address. Try again in 1 second.' },
  })
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '1',
    ratelimit: '"public";r=0;t=3',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  })
  for (let time = 0; time < 5; time++) {
    const { status, headers } = await server.get(keyedPath('acme', 'app'), server.key)
    expect([status, headers.get('ratelimit')]).toEqual([200, null])
  }
  expect((await server.get('/healthz')).status).toBe(200)
  await until(async () => (await server.get(PATH)).status === 200)
})

test('everything public spends one bucket: pages, feeds, documents, hits, misses, bad requests, HEAD, OPTIONS, wrong methods', async () => {
  await using server = await start({ RATE_LIMIT_BURST: '13', RATE_LIMIT_PER_MINUTE: '1' })
  const first = await server.get(PATH)
  const all = [
    ['GET', PATH, { 'if-none-match': first.headers.get('etag') ?? '' }],
    ['HEAD', PATH, {}],
    ['GET', `${PATH}?limit=0`, {}],
    ['GET', publicPath('nobody', 'app'), {}],
    ['GET', publicPath('%zz', 'app'), {}],
    ['GET', '/api/v1/public/nonsense', {}],
    ['OPTIONS', PATH, {}],
    ['POST', PATH, {}],
    ...['/openapi.json', '/widget.js', '/', `${PAGE}/feed.atom`].map((path) => ['GET', path, {}] as const),
  ] as const
  for (const [at, [method, target, headers]] of all.entries()) {
    const response = await server.send(method, target, headers)
    expect({ method, target, left: left(response) }).toEqual({ method, target, left: 11 - at })
    expect(response.headers.get('ratelimit-policy')).toBe('"public";q=13;w=780')
  }
  for (const [path, type] of [
    [PATH, 'application/json'],
    ['/openapi.json', 'application/json'],
    [`${PAGE}/feed.atom`, 'text/html; charset=utf-8'],
  ] as const) {
    const response = await server.get(path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 429, type])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.text()).toContain('Too many requests')
  }
})

test.each<[string, Settings, number, Record<string, string>]>([
  ['and is answered past the limit', {}, 204, {}],
  ['also where a password is required, which browsers do not send with it', GATED, 401, LOGIN],
])('a preflight costs nothing, %s', async (_, settings, status, headers) => {
  await using server = await start({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1', ...settings })
  const expectPreflight = async () => {
    const response = await server.send('OPTIONS', PATH, PREFLIGHT)
    expect([response.status, response.headers.get('ratelimit')]).toEqual([status, null])
  }
  for (let time = 0; time < 4; time++) await expectPreflight()
  expect(left(await server.get(PATH, headers))).toBe(1)
  // Any other OPTIONS costs as much as a read.
  expect(left(await server.send('OPTIONS', PATH, headers))).toBe(0)
  expect((await server.get(PATH, headers)).status).toBe(429)
  await expectPreflight()
})

test('X-Forwarded-For counts only behind a trusted proxy, and IPv6 clients are limited by /64', async () => {
  const limit = { RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' }
  await using open = await start(limit)
  await using proxied = await start({ ...limit, TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' })
  const statuses = async (server: typeof open, ...clients: string[]) => {
    const seen: number[] = []
    for (const client of clients) seen.push((await server.get(PATH, { 'x-forwarded-for': client })).status)
    return seen
  }
  expect(await statuses(open, '192.0.2.1', '192.0.2.2', '192.0.2.3')).toEqual([200, 200, 429])
  expect(await statuses(proxied, '192.0.2.1', '8.8.8.8, 192.0.2.1, 10.1.2.3', '192.0.2.1')).toEqual([
    200, 200, 429,
  ])
  const [one, other, third] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::42']
  expect(await statuses(proxied, one, other, third, '2001:db8:1:3::1')).toEqual([200, 200, 429, 200])
})

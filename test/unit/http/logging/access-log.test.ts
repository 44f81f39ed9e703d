import { describe, expect, test } from 'bun:test'
import type { Store } from '../../../../src/store/store.ts'
import { createOutage, openHandler } from '../../../support/servers/handler.ts'
import {
  bearer,
  fingerprint,
  GATED,
  keyedPath,
  publicPath,
  type Settings,
} from '../../../support/servers/server.ts'

const PATH = publicPath('acme', 'app')
const HIDDEN = publicPath('acme', 'hidden')
const MISSING = publicPath('acme', 'missing')
const LOGGED = { LOG_REQUESTS: 'all' }
const PROXIED = { TRUSTED_PROXIES: '127.0.0.0/8' }
const GIVEN = { 'x-request-id': '5f3b8a0e-7d3c-4a55-9c1e-0d9a7c2f4b11' }

function open(settings: Settings = LOGGED, around?: (store: Store) => Store) {
  const server = openHandler(settings, around)
  const { seed } = server
  const team = seed.team('acme')
  seed.version(seed.product(team, 'app').changelogId, '1.0.0')
  seed.product(team, 'hidden', { status: 'draft' })
  const { token } = seed.key(team)
  return Object.assign(server, { token, entries: () => server.lines.map((line) => JSON.parse(line)) })
}

describe('a line of the access log', () => {
  test('tells how many bytes were sent, and what became of the request at the cache', async () => {
    using server = open({ ...LOGGED, RATE_LIMIT_BURST: '10', RATE_LIMIT_PER_MINUTE: '1' })
    const etag = (await server.get(PATH)).headers.get('etag') ?? ''
    const keyed = keyedPath('acme', 'app')
    const sent = [
      await server.get(PATH),
      await server.get(PATH, { 'if-none-match': etag }),
      await server.send('HEAD', PATH),
      await server.get(MISSING),
      await server.get(MISSING),
      await server.get(`${PATH}?limit=0`),
      await server.get('/openapi.json'),
      await server.get(keyed, bearer(server.token)),
      await server.get(keyed, bearer(server.token)),
      await server.get(keyed),
      await server.get('/changelog/acme/app'),
      await server.send('OPTIONS', PATH),
      await server.get(PATH),
      await server.get('/healthz'),
    ]
    const bodies = await Promise.all(sent.map(async (response) => (await response.arrayBuffer()).byteLength))
    const [first, ...entries] = server.entries()
    expect([first.status, first.cache]).toEqual([200, 'miss'])
    expect(first.bytes).toBe(bodies[0])
    expect(entries.map(({ status, cache }) => [status, cache])).toEqual([
      [200, 'hit'],
      [304, 'hit'],
      [200, 'hit'],
      [404, 'miss'],
      [404, 'hit'],
      [400, 'none'],
      [200, 'none'],
      [200, 'miss'],
      [200, 'hit'],
      [401, 'none'],
      [200, 'miss'],
      [204, 'none'],
      [429, 'none'],
      [200, 'none'],
    ])
    // The listener sends no body to HEAD.
    expect(entries.map(({ bytes }) => bytes)).toEqual(bodies.with(2, 0))
    expect(entries.map(({ level }) => level)).toEqual(entries.map(() => 'info'))
  })

  test('tells that a response is of before the database stopped answering, and that another failed', async () => {
    const outage = createOutage()
    using server = open(LOGGED, outage.around)
    await server.get(PATH)
    outage.begin()
    const stale = await server.get(PATH)
    await server.get(publicPath('acme', 'other'))
    const [, second, third] = server.entries()
    expect(second).toMatchObject({ level: 'info', status: 200, cache: 'stale' })
    expect(second.bytes).toBe((await stale.arrayBuffer()).byteLength)
    expect(third).toMatchObject({ level: 'error', status: 503, cache: 'miss' })
  })

  test('names the client whom the limiter charges', async () => {
    using direct = open()
    await direct.get(PATH, { 'x-forwarded-for': '203.0.113.7' })
    expect(direct.entries()).toMatchObject([{ client: '127.0.0.1', peer: '127.0.0.1' }])
    using proxied = open({ ...LOGGED, ...PROXIED })
    await proxied.get(PATH, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 127.0.0.9' })
    await proxied.get(PATH, { 'x-forwarded-for': '2001:DB8:0:0:0:0:0:1' })
    await proxied.get(PATH, { 'x-forwarded-for': '::ffff:203.0.113.8' })
    expect(proxied.entries().map(({ client }) => client)).toEqual([
      '203.0.113.7',
      '2001:db8::1',
      '203.0.113.8',
    ])
  })

  test('with LOG_REQUESTS=errors is written for a status of 400 or higher, and no other', async () => {
    using server = open({ LOG_REQUESTS: 'errors' })
    for (const path of [PATH, PATH, MISSING, MISSING, `${PATH}?limit=0`, '/livez']) await server.get(path)
    expect(server.entries().map(({ status }) => status)).toEqual([404, 404, 400])
  })

  test('with LOG_REQUESTS=off is not written', async () => {
    using server = open({ LOG_REQUESTS: 'off' })
    await server.get(PATH)
    expect(server.lines).toEqual([])
  })
})

describe('the id of a request', () => {
  const idOf = (response: Response) => response.headers.get('x-request-id')

  test('is in its line and in its response, and no other has it', async () => {
    using server = open()
    const ids = []
    for (const path of [PATH, PATH, HIDDEN, '/livez', '/nowhere', '/changelog/acme/app'])
      ids.push(idOf(await server.get(path, GIVEN)))
    expect(server.entries().map(({ requestId }) => requestId)).toEqual(ids)
    expect(new Set(ids)).toHaveProperty('size', ids.length)
    // From an address that is not trusted.
    expect(ids).not.toContain(GIVEN['x-request-id'])
  })

  test('is the one that a trusted proxy gave, in the line and in the response, and is sent back without a log too', async () => {
    using server = open({ ...LOGGED, ...PROXIED })
    using silent = open(PROXIED)
    using direct = open({ TRUSTED_PROXIES: '10.0.0.0/8' })
    for (const path of [PATH, PATH, MISSING]) {
      expect(idOf(await server.get(path, GIVEN))).toBe(GIVEN['x-request-id'])
      expect(idOf(await silent.get(path, GIVEN))).toBe(GIVEN['x-request-id'])
      expect([idOf(await silent.get(path)), idOf(await direct.get(path, GIVEN))]).toEqual([null, null])
    }
    expect(server.entries().map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 3 }, () => GIVEN['x-request-id']),
    )
  })

  test.each([
    ['that is malformed', 'two words'],
    ['on two lines', 'one, other'],
    ['that is too long', 'x'.repeat(129)],
    ['that is empty', ''],
    ['that is an API key', 'clk_0123456789abcdefghijABCDEFGHIJ0123456789'],
    ["that is the site's password in base64", Buffer.from('vera:secret').toString('base64url')],
  ])('is made if a trusted proxy passes on one %s', async (_, id) => {
    using server = open({ ...LOGGED, ...PROXIED, ...GATED })
    const response = await server.get(PATH, { 'x-request-id': id })
    expect(idOf(response)).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    if (id !== '') expect(server.lines.join()).not.toContain(id)
    using silent = open({ ...PROXIED, ...GATED })
    expect(idOf(await silent.get(PATH, { 'x-request-id': id }))).toBeNull()
  })

  test.each<[string, Settings]>([
    ['a log', LOGGED],
    ['a log and a trusted proxy', { ...LOGGED, ...PROXIED }],
  ])('does not tell hidden from missing content, with %s', async (_, settings) => {
    using server = open(settings)
    const seen = async (path: string) => {
      const response = await server.get(path, GIVEN)
      if (!('TRUSTED_PROXIES' in settings)) response.headers.set('x-request-id', 'differs')
      return fingerprint(response)
    }
    for (let time = 0; time < 2; time++) expect(await seen(HIDDEN)).toBe(await seen(MISSING))
  })
})

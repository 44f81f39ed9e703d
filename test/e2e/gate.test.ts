import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  bearer,
  fingerprint,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
  THE_SOURCE,
} from '../support/servers/server.ts'

const SETTINGS = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USER: 'vera',
  PASSWORD_PROTECTION_PASSWORD: 'pässwörd: with colon',
}
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const GOOD = basic(SETTINGS.PASSWORD_PROTECTION_USER, SETTINGS.PASSWORD_PROTECTION_PASSWORD)

describe.each([THE_SOURCE, ...SUBJECTS])('the gate of $name', (subject) => {
  let server: TestServer
  let token: string
  const open = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')

  beforeAll(async () => {
    server = await startServer(subject, SETTINGS)
    const team = server.seed.team('acme')
    server.seed.product(team, 'app')
    token = server.seed.key(team).token
  })
  afterAll(async () => {
    await server.stop()
  })

  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await server.get(path, headers)).status

  test('everything except the probes gets the same 401, before routing', async () => {
    const first = await fingerprint(await server.get(open))
    expect(first).toContain('"status":401')
    expect(first).toContain('Basic realm=')
    expect(first).not.toContain('etag')
    for (const path of [
      '/',
      '/openapi.json',
      '/nowhere',
      keyed,
      publicPath('no', 'no'),
      '/healthz/',
      '/livezz',
    ])
      expect({ path, response: await fingerprint(await server.get(path)) }).toEqual({ path, response: first })
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      expect((await fetch(server.url + open, { method })).status).toBe(401)
    for (const probe of ['/livez', '/readyz', '/healthz'])
      expect([await status(probe), await status(`${probe}?probe=1`)]).toEqual([200, 200])
  })

  test('public routes need Basic, in either header', async () => {
    expect(await status(open, { authorization: GOOD })).toBe(200)
    expect(await status(open, { 'x-site-authorization': GOOD })).toBe(200)
    expect(await status('/openapi.json', { authorization: GOOD })).toBe(200)
    expect(await status('/nowhere', { authorization: GOOD })).toBe(404)
  })

  test('keyed routes need both, in one header or in two', async () => {
    const key = `Bearer ${token}`
    for (const headers of [
      { 'x-site-authorization': GOOD, authorization: key },
      { authorization: `${GOOD}, ${key}` },
      { authorization: `${key}, ${GOOD}` },
    ] as Record<string, string>[])
      for (let time = 0; time < 2; time++) expect(await status(keyed, headers)).toBe(200)
  })

  test('two Authorization lines are understood as they come over the wire', async () => {
    for (const lines of [
      [GOOD, `Bearer ${token}`],
      [`Bearer ${token}`, GOOD],
    ]) {
      const response = await server.raw(
        `GET ${keyed} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => `Authorization: ${line}\r\n`).join('')}\r\n`,
      )
      expect(response).toStartWith('HTTP/1.1 200')
    }
  })

  test('Basic alone passes the gate, and the route then requires the key', async () => {
    const response = await server.get(keyed, { authorization: GOOD })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
    expect(await response.text()).toContain('bearer token is missing')
  })

  test.each([
    ['a bearer alone', () => ({ authorization: `Bearer ${token}` })],
    ['a wrong password', () => ({ authorization: basic('vera', 'nope') })],
    [
      'a wrong password with a valid key',
      () => ({ authorization: `${basic('vera', 'x')}, Bearer ${token}` }),
    ],
    [
      'a wrong site header with the right Authorization',
      () => ({ 'x-site-authorization': basic('a', 'b'), authorization: GOOD }),
    ],
  ])('%s does not pass', async (_, headers) => {
    const response = await server.get(keyed, headers() as Record<string, string>)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toStartWith('Basic')
  })

  test('what passed the gate may be cached by its reader alone', async () => {
    const response = await server.get(open, { authorization: GOOD })
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('vary')).toContain('Authorization')
    expect(response.headers.get('vary')).toContain('X-Site-Authorization')
    const described = await server.get('/openapi.json', { 'x-site-authorization': GOOD })
    expect(described.headers.get('cache-control')).toBe('private, no-cache')
    expect(described.headers.get('vary')).toContain('X-Site-Authorization')
  })

  test('a credential that was right does not open the gate for the next request', async () => {
    expect(await status(open, { authorization: GOOD })).toBe(200)
    expect(await status(open)).toBe(401)
    expect(await status(open, { 'if-none-match': '*' })).toBe(401)
  })

  test('failed logins are charged to the client’s bucket, and too many block it, even with the right password', async () => {
    const tight = await startServer(subject, {
      ...SETTINGS,
      RATE_LIMIT_BURST: '5',
      RATE_LIMIT_PER_MINUTE: '1',
    })
    const team = tight.seed.team('acme')
    tight.seed.product(team, 'app')
    const key = tight.seed.key(team).token
    const both = { 'x-site-authorization': GOOD, ...bearer(key) }
    const read = async (headers: Record<string, string>) => (await tight.get(keyed, headers)).status
    for (let time = 0; time < 4; time++)
      expect(await read({ authorization: basic('vera', `${time}`) })).toBe(401)
    expect((await tight.get(open, { authorization: GOOD })).headers.get('ratelimit')).toContain('r=0')
    expect((await tight.get(open, { authorization: GOOD })).status).toBe(429)
    expect(await read(both)).toBe(200)
    const refused = await tight.get(keyed, { authorization: basic('vera', 'x') })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await read(both)).toBe(429)
    expect((await tight.get('/healthz')).status).toBe(200)
    await tight.stop()
  })
})

import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../support/servers/for-all.ts'
import { bearer, keyedPath, publicPath, SUBJECTS, startServer } from '../../support/servers/server.ts'

const SETTINGS = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USER: 'vera',
  PASSWORD_PROTECTION_PASSWORD: 'pässwörd: with colon',
}
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const GOOD = basic(SETTINGS.PASSWORD_PROTECTION_USER, SETTINGS.PASSWORD_PROTECTION_PASSWORD)
const OPEN = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')
const PAGE = '/changelog/acme/app'

describe.each([...SUBJECTS])('the gate of $name', (subject) => {
  const site = serverForAll(
    subject,
    (seed) => {
      const team = seed.team('acme')
      seed.product(team, 'app')
      return `Bearer ${seed.key(team).token}`
    },
    SETTINGS,
  )

  test('everything except the probes gets the same 401, before routing', async () => {
    const first = await site.print(OPEN)
    expect(first).toContain('"status":401')
    expect(first).toContain('Basic realm=')
    expect(first).not.toContain('etag')
    const others = [
      '/',
      PAGE,
      `${PAGE}/feed.atom`,
      '/robots.txt',
      '/openapi.json',
      '/docs',
      '/nowhere',
      KEYED,
    ]
    for (const path of [...others, publicPath('no', 'no'), '/healthz/', '/livezz'])
      expect({ path, is: await site.print(path) }).toEqual({ path, is: first })
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      expect((await fetch(site.server.url + OPEN, { method })).status).toBe(401)
    for (const probe of ['/livez', '/readyz', '/healthz'])
      expect([await site.status(probe), await site.status(`${probe}?probe=1`)]).toEqual([200, 200])
  })

  test('public routes need Basic, in either header, and each request needs it again', async () => {
    expect(await site.status(OPEN, { authorization: GOOD })).toBe(200)
    expect([await site.status(OPEN), await site.status(OPEN, { 'if-none-match': '*' })]).toEqual([401, 401])
    expect(await site.status(OPEN, { 'x-site-authorization': GOOD })).toBe(200)
    expect(await site.status('/nowhere', { authorization: GOOD })).toBe(404)
  })

  test('keyed routes need both, in one header, in two, or in two lines as they come over the wire', async () => {
    const key = site.filled
    for (const headers of [
      { 'x-site-authorization': GOOD, authorization: key },
      { authorization: `${GOOD}, ${key}` },
      { authorization: `${key}, ${GOOD}` },
    ] as Record<string, string>[])
      for (let time = 0; time < 2; time++) expect(await site.status(KEYED, headers)).toBe(200)
    for (const [first, second] of [
      [GOOD, key],
      [key, GOOD],
    ]) {
      const lines = `Host: x\r\nAuthorization: ${first}\r\nAuthorization: ${second}\r\n\r\n`
      expect(await site.server.raw(`GET ${KEYED} HTTP/1.1\r\n${lines}`)).toStartWith('HTTP/1.1 200')
    }
  })

  test('Basic alone passes the gate, and the route then requires the key', async () => {
    const response = await site.get(KEYED, { authorization: GOOD })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
    expect(await response.text()).toContain('bearer token is missing')
  })

  test('a key does not replace the password, and a wrong password stays wrong', async () => {
    for (const headers of [
      { authorization: site.filled },
      { authorization: basic('vera', 'nope') },
      { authorization: `${basic('vera', 'x')}, ${site.filled}` },
      { 'x-site-authorization': basic('a', 'b'), authorization: GOOD },
    ] as Record<string, string>[]) {
      const response = await site.get(KEYED, headers)
      expect([response.status, response.headers.get('www-authenticate')?.slice(0, 5)]).toEqual([401, 'Basic'])
    }
  })

  test('what passed the gate may be cached by its reader alone', async () => {
    for (const path of [OPEN, PAGE, '/openapi.json', '/widget.js'])
      for (let time = 0; time < 2; time++) {
        const { headers } = await site.get(path, { authorization: GOOD })
        expect([path, headers.get('cache-control')]).toEqual([path, 'private, no-cache'])
        expect(headers.get('vary')).toMatch(/Authorization, X-Site-Authorization/)
      }
  })

  test('failed logins are charged to the client’s bucket, and too many block it, even with the right password', async () => {
    const limit = { RATE_LIMIT_BURST: '5', RATE_LIMIT_PER_MINUTE: '1' }
    await using tight = await startServer(subject, { ...SETTINGS, ...limit })
    const team = tight.seed.team('acme')
    tight.seed.product(team, 'app')
    const both = { 'x-site-authorization': GOOD, ...bearer(tight.seed.key(team).token) }
    const read = async (headers: Record<string, string>) => (await tight.get(KEYED, headers)).status
    for (let time = 0; time < 4; time++)
      expect(await read({ authorization: basic('vera', `${time}`) })).toBe(401)
    expect((await tight.get(OPEN, { authorization: GOOD })).headers.get('ratelimit')).toContain('r=0')
    expect((await tight.get(OPEN, { authorization: GOOD })).status).toBe(429)
    expect(await read(both)).toBe(200)
    const refused = await tight.get(KEYED, { authorization: basic('vera', 'x') })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect([await read(both), (await tight.get('/healthz')).status]).toEqual([429, 200])
  })
})

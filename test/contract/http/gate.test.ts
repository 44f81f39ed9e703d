import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../support/servers/for-all.ts'
import { bearer, keyedPath, publicPath, startServer, THE_BINARY } from '../../support/servers/server.ts'

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

describe('the gate', () => {
  const site = serverForAll(
    THE_BINARY,
    (seed) => {
      const team = seed.team('acme')
      seed.product(team, 'app')
      return `Bearer ${seed.key(team).token}`
    },
    SETTINGS,
  )

  test('everything except the probes gets the same 401, before routing', async () => {
    const first = await site.print(OPEN)
    expect(first).toMatch(/"status":401.*Basic realm=/)
    expect(first).not.toContain('etag')
    for (const path of [
      '/',
      PAGE,
      `${PAGE}/feed.atom`,
      '/openapi.json',
      '/docs',
      '/nowhere',
      KEYED,
      '/livezz',
    ])
      expect({ path, is: await site.print(path) }).toEqual({ path, is: first })
    for (const method of ['POST', 'OPTIONS'])
      expect((await fetch(site.server.url + OPEN, { method })).status).toBe(401)
    for (const probe of ['/livez', '/readyz', '/healthz?probe=1']) expect(await site.status(probe)).toBe(200)
  })

  test('browsers get a page that says what to do, without a word of what is behind it', async () => {
    const browser = { accept: 'text/html' }
    const page = await site.get(PAGE, browser)
    expect(page.status).toBe(401)
    expect(page.headers.get('www-authenticate')).toStartWith('Basic ')
    const text = await page.text()
    expect(text).toContain('<h1>A password is needed</h1>')
    expect(text).toMatch(/<a class="button main" href="">Enter the password<\/a>/)
    expect(await (await site.get('/nowhere', browser)).text()).toBe(text)
    expect(await site.print(OPEN, browser)).toBe(await site.print(OPEN))
  })

  test('public routes need the password with each request, in either header, and readers alone may cache them', async () => {
    for (const path of [OPEN, PAGE, '/openapi.json', '/widget.js'])
      for (const name of ['authorization', 'x-site-authorization']) {
        const { status, headers } = await site.get(path, { [name]: GOOD })
        expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-cache'])
        expect(headers.get('vary')).toMatch(/Authorization, X-Site-Authorization/)
        expect(await site.status(path, { 'if-none-match': '*' })).toBe(401)
      }
  })

  test('keyed routes need password and key, in one header, in two, or in two lines as they come over the wire', async () => {
    const key = site.filled
    for (const headers of [
      { 'x-site-authorization': GOOD, authorization: key },
      { authorization: `${key}, ${GOOD}` },
    ] as Record<string, string>[])
      for (let time = 0; time < 2; time++) expect(await site.status(KEYED, headers)).toBe(200)
    const lines = `Host: x\r\nAuthorization: ${GOOD}\r\nAuthorization: ${key}\r\n\r\n`
    expect(await site.server.raw(`GET ${KEYED} HTTP/1.1\r\n${lines}`)).toStartWith('HTTP/1.1 200')
    for (const [authorization, wanted] of [
      [GOOD, 'Bearer'],
      [key, 'Basic'],
      [`${basic('vera', 'x')}, ${key}`, 'Basic'],
    ] as const) {
      const response = await site.get(KEYED, { authorization })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toStartWith(wanted)
    }
  })

  test('failed logins are charged to the client’s bucket, and too many block it, even with the right password', async () => {
    const limit = { RATE_LIMIT_BURST: '5', RATE_LIMIT_PER_MINUTE: '1' }
    await using tight = await startServer(THE_BINARY, { ...SETTINGS, ...limit })
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
    const page = await (await tight.get(PAGE, { accept: 'text/html', authorization: GOOD })).text()
    expect(page).toMatch(/<h1>Too many wrong passwords<\/h1>[\s\S]*Try again in \d+ minutes?\./)
  })
})

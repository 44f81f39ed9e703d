import { describe, expect, test } from 'bun:test'
import { BREAKING } from '../../support/database/breaking.ts'
import { publicPath, SUBJECTS, startServer } from '../../support/servers/server.ts'

const PAGE = '/changelog/acme/app'
const HTML = 'text/html; charset=utf-8'

describe.each([...SUBJECTS])('errors of the pages of $name', (subject) => {
  test('pages, feeds and the API spend one bucket; an empty one is a page with Retry-After', async () => {
    await using server = await startServer(subject, { RATE_LIMIT_BURST: '5', RATE_LIMIT_PER_MINUTE: '1' })
    server.seed.product(server.seed.team('acme'), 'app')
    const paths = [PAGE, '/', `${PAGE}/feed.atom`, '/changelog/nobody', publicPath('acme', 'app')]
    for (const [at, path] of paths.entries()) {
      const { headers } = await server.get(path)
      expect(headers.get('ratelimit-policy')).toBe('"public";q=5;w=300')
      expect(headers.get('ratelimit')).toStartWith(`"public";r=${4 - at};t=`)
    }
    for (const path of paths) {
      const response = await server.get(path)
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('content-type')).toBe(path.startsWith('/api') ? 'application/json' : HTML)
      const text = await response.text()
      expect(text).toContain('Too many requests')
    }
  })

  test('a database that fails is a page with Retry-After, and says nothing of the cause', async () => {
    await using server = await startServer(subject)
    server.seed.product(server.seed.team('acme'), 'app')
    expect((await server.get(PAGE)).status).toBe(200)
    for (const statement of BREAKING[subject.engine].statements) server.seed.db.run(statement)
    for (const path of [PAGE, '/', '/changelog/acme', `${PAGE}/1.0.0`, `${PAGE}/feed.rss`, `${PAGE}?q=x`]) {
      const response = await server.get(path)
      expect({ path, status: response.status }).toEqual({ path, status: 503 })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('content-type')).toBe(HTML)
      const html = await response.text()
      expect(html).toContain('<h1>Not available right now</h1>')
      expect(html).not.toMatch(/sqlite|postgres|no such|relation/i)
    }
  })

  test('a page can only be read', async () => {
    await using server = await startServer(subject)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await fetch(server.url + PAGE, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(await response.text()).toContain('<h1>This page can only be read</h1>')
    }
  })

  test('password protection is in front of every page, and then only its reader may keep it', async () => {
    await using server = await startServer(subject, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'vera',
      PASSWORD_PROTECTION_PASSWORD: 'secret',
    })
    server.seed.product(server.seed.team('acme'), 'app')
    const credential = { authorization: `Basic ${btoa('vera:secret')}` }
    for (const path of ['/', PAGE, `${PAGE}/feed.atom`, '/robots.txt', '/changelog/nobody']) {
      const refused = await server.get(path)
      expect({ path, status: refused.status }).toEqual({ path, status: 401 })
      expect(refused.headers.get('www-authenticate')).toStartWith('Basic ')
    }
    for (let time = 0; time < 2; time++) {
      const response = await server.get(PAGE, credential)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(response.headers.get('vary')).toContain('Authorization')
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SUBJECTS, startServer, type TestServer } from '../../support/servers/server.ts'

const FILES = [
  { path: '/docs', type: 'text/html; charset=utf-8' },
  { path: '/docs/reference.css', type: 'text/css; charset=utf-8' },
  { path: '/docs/reference.js', type: 'text/javascript; charset=utf-8' },
  { path: '/widget.js', type: 'text/javascript; charset=utf-8' },
]

describe.each([...SUBJECTS])('the reference and the widget of $name', (subject) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(subject)
  })
  afterAll(async () => {
    await server.stop()
  })

  test.each(FILES)('$path is cached, encoded, and open to every origin', async ({ path, type }) => {
    const response = await server.get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const tag = response.headers.get('etag') as string
    const again = await server.get(`${path}?x=1`, { 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const text = await response.text()
    for (const encoding of ['zstd', 'br', 'gzip']) {
      const encoded = await server.get(path, { 'accept-encoding': encoding })
      expect(encoded.headers.get('content-encoding')).toBe(encoding)
      expect(await encoded.text()).toBe(text)
    }
    const head = await fetch(server.url + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(405)
  })

  test('the page may load its own files and call its own server, and nothing else', async () => {
    const response = await server.get('/docs')
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const text = await response.text()
    const loaded = [...text.matchAll(/\b(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address)
    expect(loaded).toEqual(['/docs/reference.css', '/docs/reference.js', '/openapi.json'])
    expect(text).not.toMatch(/<style|style=|\son[a-z]+=|<script(?! type="module" src=)/)
  })

  test('the page shows every operation and every schema of the document', async () => {
    const page = await (await server.get('/docs')).text()
    const { paths, components } = (await (await server.get('/openapi.json')).json()) as {
      paths: Record<string, { get: { operationId: string; parameters: { name: string }[] } }>
      components: { schemas: object }
    }
    for (const [path, { get }] of Object.entries(paths)) {
      expect(page).toContain(`<article id="${get.operationId}">`)
      expect(page).toContain(`<code>${path}</code>`)
      for (const { name } of get.parameters) expect(page).toContain(`id="${get.operationId}-${name}"`)
    }
    for (const name of Object.keys(components.schemas)) expect(page).toContain(`<h3>${name}</h3>`)
  })

  test('the widget is under 6 KB as it is sent to browsers', async () => {
    const { headers } = await server.get('/widget.js', { 'accept-encoding': 'gzip' })
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(Number(headers.get('content-length'))).toBeLessThan(6_000)
  })

  test('they count against the public limit, and the gate is before them', async () => {
    await using gated = await startServer(subject, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'user',
      PASSWORD_PROTECTION_PASSWORD: 'secret',
    })
    const site = { authorization: `Basic ${btoa('user:secret')}` }
    for (const { path } of FILES) {
      expect((await gated.get(path)).status).toBe(401)
      const passed = await gated.get(path, site)
      expect([passed.status, passed.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    }
    await using tight = await startServer(subject, { RATE_LIMIT_BURST: '4', RATE_LIMIT_PER_MINUTE: '1' })
    for (const { path } of FILES) expect((await tight.get(path)).status).toBe(200)
    for (const { path } of FILES) expect((await tight.get(path)).status).toBe(429)
  })
})

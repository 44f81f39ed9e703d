import { describe, expect, test } from 'bun:test'
import { serverForAll } from '../../../support/servers/for-all.ts'
import { THE_BINARY } from '../../../support/servers/server.ts'

const FILES = [
  { path: '/openapi.json', type: 'application/json' },
  { path: '/docs', type: 'text/html; charset=utf-8' },
  { path: '/docs/reference.css', type: 'text/css; charset=utf-8' },
  { path: '/docs/reference.js', type: 'text/javascript; charset=utf-8' },
  { path: '/widget.js', type: 'text/javascript; charset=utf-8' },
]

describe('the reference and the widget', () => {
  const site = serverForAll(THE_BINARY, () => {})

  test.each(FILES)('$path is cached, encoded, and open to every origin', async ({ path, type }) => {
    const { status, headers } = await site.get(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('ETag'),
    })
    const tag = headers.get('etag') as string
    expect(tag).toMatch(/^"[^"]+"$/)
    const again = await site.get(`${path}?x=1`, { 'if-none-match': tag })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    const text = await site.text(path)
    for (const encoding of ['zstd', 'br', 'gzip']) {
      const encoded = await site.get(path, { 'accept-encoding': encoding })
      expect([encoded.headers.get('content-encoding'), await encoded.text()]).toEqual([encoding, text])
    }
    const send = (method: string, headers = {}) => fetch(site.server.url + path, { method, headers })
    const head = await send('HEAD')
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
    expect((await send('POST')).status).toBe(405)
    const preflight = { origin: 'https://docs.example', 'access-control-request-method': 'GET' }
    expect((await send('OPTIONS', preflight)).status).toBe(204)
  })

  test('the page may load its own files and call its own server, and nothing else', async () => {
    const { headers } = await site.get('/docs')
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const text = await site.text('/docs')
    const loaded = [...text.matchAll(/\b(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address)
    expect(loaded).toEqual(['/docs/reference.css', '/docs/reference.js', '/openapi.json'])
    expect(text).not.toMatch(/<style|style=|\son[a-z]+=|<script(?! type="module" src=)/)
  })

  test('the page shows every operation and every schema of the document', async () => {
    const page = await site.text('/docs')
    const { paths, components } = JSON.parse(await site.text('/openapi.json')) as {
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

  test('the widget is under 8 KB as it is sent to browsers', async () => {
    const { headers } = await site.get('/widget.js', { 'accept-encoding': 'gzip' })
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(Number(headers.get('content-length'))).toBeLessThan(8 * 1_024)
  })
})

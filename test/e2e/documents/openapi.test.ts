import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import {
  ChangelogEnvelope,
  ErrorEnvelope,
  Health,
  VersionEnvelope,
} from '../../../src/http/openapi/response-schemas.ts'
import { SUBJECTS, startServer, type TestServer } from '../../support/servers/server.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required: boolean
    description: string
    schema: { type: string }
  }[]
  responses: Record<
    string,
    { description: string; headers?: object; content: { 'application/json': { schema: { type: string } } } }
  >
}

interface ApiDocument {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

/** The document with every reference replaced by what it refers to. */
function resolved(document: object, part: unknown = document): unknown {
  if (Array.isArray(part)) return part.map((each) => resolved(document, each))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const names = String(part.$ref).split('/').slice(1)
    const target = names.reduce(
      (at, name) => at[name] as Record<string, unknown>,
      document as Record<string, unknown>,
    )
    return resolved(document, target)
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(document, value)]))
}

/** Every object in it that has this key. */
function* having(key: string, part: unknown): Generator<Record<string, unknown>> {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part) && key in part) yield part as Record<string, unknown>
  for (const inner of Object.values(part)) yield* having(key, inner)
}

describe.each([...SUBJECTS])('/openapi.json of $name', (subject) => {
  let server: TestServer
  let published: ApiDocument
  let document: ApiDocument

  beforeAll(async () => {
    server = await startServer(subject)
    published = (await (await server.get('/openapi.json')).json()) as ApiDocument
    document = resolved(published) as ApiDocument
  })
  afterAll(async () => {
    await server.stop()
  })

  const product = '/teams/{teamSlug}/products/{productSlug}/changelog'
  const named = ['teamSlug', 'productSlug']
  const list = [...named, 'limit', 'cursor', 'since', 'include', 'after', 'from', 'to', 'type', 'kind']
  const routes = ['/api/v1/public', '/api/v1'].flatMap((prefix): [path: string, parameters: string[]][] => [
    [prefix + product, [...list, 'If-None-Match']],
    [`${prefix}${product}/versions/{versionId}`, [...named, 'versionId', 'If-None-Match']],
  ])

  test('it is OpenAPI 3.1 and describes the four routes and the probes, all by GET', () => {
    expect(document.openapi).toStartWith('3.1')
    expect(document.info.title).toBe('changelogd')
    const probes = ['/healthz', '/livez', '/readyz']
    expect(Object.keys(document.paths).sort()).toEqual([...routes.map(([path]) => path), ...probes].sort())
    for (const methods of Object.values(document.paths)) expect(Object.keys(methods)).toEqual(['get'])
  })

  test.each(routes)('%s has its parameters, its response and every error, all described', (path, names) => {
    const operation = document.paths[path]?.get as Operation
    expect(operation.summary).not.toBe('')
    expect(operation.description).not.toBe('')
    expect(operation.parameters?.map(({ name }) => name)).toEqual(names)
    for (const parameter of operation.parameters ?? []) expect(parameter.description).toBeString()
    expect(operation.parameters?.find(({ name }) => name === 'limit')?.schema.type ?? 'integer').toBe(
      'integer',
    )
    for (const name of ['limit', 'include'])
      expect(operation.parameters?.find((each) => each.name === name)?.description ?? '20').toContain('20')
    const statuses = ['200', '304', '400', '401', '404', '405', '429', '500', '503']
    if (!path.includes('public')) statuses.push('403')
    if (path.includes('/versions/')) statuses.push('302')
    expect(Object.keys(operation.responses).sort()).toEqual(statuses.sort())
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description).not.toStartWith('Response for')
      if (!status.startsWith('3')) expect(content['application/json'].schema.type).toBe('object')
    }
    expect(Object.keys(operation.responses['429']?.headers ?? {})).toContain('Retry-After')
    expect(Object.keys(operation.responses['200']?.headers ?? {})).toContain('ETag')
    expect(JSON.stringify(operation.responses['200'])).toContain('Status of the changelog.')
  })

  test('the shapes have names, and no generator has to invent any', () => {
    expect(Object.keys(published.components.schemas)).toEqual(
      expect.arrayContaining([
        'Changelog',
        'Version',
        'VersionSummary',
        'Change',
        'Team',
        'Product',
        'Error',
      ]),
    )
    for (const media of having(
      'schema',
      Object.values(published.paths).map(({ get }) => get?.responses),
    ))
      expect(media.schema).toHaveProperty('$ref')
  })

  test('responses may gain fields, and the document has no keyword of another language', () => {
    expect(JSON.stringify(published)).not.toContain('additionalProperties')
    for (const part of having('error', published.paths)) expect(part.error).toBeObject()
    expect([...having('$id', published)]).toEqual([])
  })

  test('every response has an example that its own schema accepts', () => {
    const media = [...having('application/json', document)].map(
      (each) => each['application/json'] as { schema: object; example?: object; examples?: object },
    )
    expect(media.length).toBeGreaterThan(30)
    for (const { example, examples } of media) {
      const values = example ? [example] : Object.values(examples ?? {}).map(({ value }) => value)
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) {
        const schema = [Health, ChangelogEnvelope, VersionEnvelope, ErrorEnvelope].find((each) =>
          Value.Check(each, value),
        )
        expect(schema, JSON.stringify(value)).toBeDefined()
      }
    }
  })

  test('caching, HEAD and CORS are described', () => {
    const { description } = document.info as { description?: string }
    for (const word of ['HEAD', '304', 'CORS', 'If-None-Match']) expect(description).toContain(word)
    const read = document.paths[`/api/v1/public${product}`]?.get
    expect(Object.keys(read?.responses['200']?.headers ?? {})).toContain('Access-Control-Allow-Origin')
    expect(Object.keys(read?.responses['304']?.headers ?? {})).toContain('ETag')
  })

  test('all security schemes are described, each route says which it needs, and none needs two in one header', () => {
    expect(document.components.securitySchemes).toMatchObject({
      key: { type: 'http', scheme: 'bearer' },
      site: { type: 'http', scheme: 'basic' },
      siteHeader: { type: 'apiKey', in: 'header', name: 'X-Site-Authorization' },
    })
    expect(document.paths[`/api/v1/public${product}`]?.get?.security).toEqual([{}, { site: [] }])
    expect(document.paths[`/api/v1${product}`]?.get?.security).toEqual([
      { key: [] },
      { key: [], siteHeader: [] },
    ])
  })

  test('its server is PUBLIC_URL, or wherever the document is', async () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/'])
    await using named = await startServer(subject, { PUBLIC_URL: 'https://changes.example/' })
    const { servers } = (await (await named.get('/openapi.json')).json()) as ApiDocument
    expect(servers.map(({ url }) => url)).toEqual(['https://changes.example'])
  })

  test('it has the same tag each time, and a 304 for it', async () => {
    const [first, second] = [await server.get('/openapi.json'), await server.get('/openapi.json?x=1')]
    const tag = first.headers.get('etag') as string
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(second.headers.get('etag')).toBe(tag)
    expect(await second.text()).toBe(await first.text())
    const again = await server.get('/openapi.json', { 'if-none-match': tag })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(tag)
  })

  test('pages of every origin may read it, and it counts against the limit', async () => {
    const left = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    await using tight = await startServer(subject, { RATE_LIMIT_BURST: '3', RATE_LIMIT_PER_MINUTE: '1' })
    const [first, second, third, fourth] = [
      await tight.get('/openapi.json'),
      await tight.get('/openapi.json', { 'if-none-match': '*' }),
      await tight.get('/openapi.json', { 'accept-encoding': 'gzip' }),
      await tight.get('/openapi.json'),
    ]
    expect([first.status, second.status, third.status, fourth.status]).toEqual([200, 304, 200, 429])
    expect([left(first), left(second), left(third)]).toEqual([2, 1, 0])
    for (const response of [first, second, third, fourth]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('ratelimit-policy')).toBe('"public";q=3;w=180')
    }
    expect(first.headers.get('access-control-expose-headers')).toContain('ETag')
    expect(first.headers.get('cache-control')).toBe('public, max-age=60')
    const preflight = await fetch(`${tight.url}/openapi.json`, {
      method: 'OPTIONS',
      headers: { origin: 'https://docs.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
  })

  test('it names no other host, and no page but /docs shows it', async () => {
    expect(JSON.stringify(document)).not.toMatch(/https?:\/\//)
    for (const path of ['/openapi', '/swagger', '/scalar', '/docs/', '/docs/x'])
      expect((await server.get(path)).status).toBe(404)
  })
})

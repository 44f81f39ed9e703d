import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import {
  ChangelogEnvelope,
  ErrorEnvelope,
  Health,
  VersionEnvelope,
} from '../../../../src/http/api/openapi/response-schemas.ts'
import { WEBHOOKS } from '../../../../src/http/api/openapi/webhooks.ts'
import { startServer, type TestServer, THE_BINARY } from '../../../support/servers/server.ts'

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

describe('/openapi.json', () => {
  let server: TestServer
  let published: ApiDocument
  let document: ApiDocument

  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    published = (await (await server.get('/openapi.json')).json()) as ApiDocument
    document = resolved(published) as ApiDocument
  })
  afterAll(async () => {
    await server.stop()
  })

  const product = '/teams/{teamSlug}/products/{productSlug}/changelog'
  const named = ['teamSlug', 'productSlug']
  const list = [
    ...named,
    'limit',
    'cursor',
    'since',
    'include',
    'after',
    'from',
    'to',
    'type',
    'kind',
    'prereleases',
  ]
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
    expect([operation.summary, operation.description]).not.toContain('')
    expect(operation.parameters?.map(({ name }) => name)).toEqual(names)
    for (const { name, description, schema } of operation.parameters ?? []) {
      expect(description).toBeString()
      if (name === 'limit') expect(schema.type).toBe('integer')
      if (name === 'limit' || name === 'include') expect(description).toContain('20')
    }
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
        ...['Changelog', 'Version', 'VersionSummary', 'Change', 'Team', 'Product', 'Error'],
      ]),
    )
    const responses = Object.values(published.paths).map(({ get }) => get?.responses)
    for (const media of having('schema', responses)) expect(media.schema).toHaveProperty('$ref')
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
        const events = WEBHOOKS.map(({ body }) => body)
        const schema = [Health, ChangelogEnvelope, VersionEnvelope, ErrorEnvelope, ...events].find((each) =>
          Value.Check(each, value),
        )
        expect(schema, JSON.stringify(value)).toBeDefined()
      }
    }
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

  test('its server is PUBLIC_URL, or wherever the document is, and it names no other', async () => {
    // Webhooks are sent elsewhere, with addresses of the server.
    expect(JSON.stringify({ ...document, webhooks: null })).not.toMatch(/https?:\/\//)
    expect(document.servers.map(({ url }) => url)).toEqual(['/'])
    await using named = await startServer(THE_BINARY, { PUBLIC_URL: 'https://changes.example/' })
    const { servers } = (await (await named.get('/openapi.json')).json()) as ApiDocument
    expect(servers.map(({ url }) => url)).toEqual(['https://changes.example'])
  })
})

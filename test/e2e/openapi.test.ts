import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SUBJECTS, startServer, type TestServer } from '../support/server.ts'

interface Operation {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required: boolean
    schema: { type: string; description: string }
  }[]
  responses: Record<
    string,
    { description: string; headers?: object; content: { 'application/json': { schema: { type: string } } } }
  >
}

describe.each([...SUBJECTS])('/openapi.json of $name', (subject) => {
  let server: TestServer
  let document: {
    openapi: string
    info: { title: string; version: string }
    paths: Record<string, Record<string, Operation>>
    components: { securitySchemes: Record<string, { type: string; scheme: string }> }
  }

  beforeAll(async () => {
    server = await startServer(subject)
    document = (await (await server.get('/openapi.json')).json()) as typeof document
  })
  afterAll(async () => {
    await server.stop()
  })

  const product = '/teams/{teamSlug}/products/{productSlug}/changelog'
  const routes = [
    [`/api/v1/public${product}`, ['teamSlug', 'productSlug', 'limit', 'cursor', 'since', 'include']],
    [`/api/v1/public${product}/versions/{versionId}`, ['teamSlug', 'productSlug', 'versionId']],
    [`/api/v1${product}`, ['teamSlug', 'productSlug', 'limit', 'cursor', 'since', 'include']],
    [`/api/v1${product}/versions/{versionId}`, ['teamSlug', 'productSlug', 'versionId']],
  ] as const

  test('it is OpenAPI 3.1 and describes the four routes and the probes, all by GET', () => {
    expect(document.openapi).toStartWith('3.1')
    expect(document.info.title).toBe('changelogd')
    const probes = ['/healthz', '/livez', '/readyz']
    expect(Object.keys(document.paths).sort()).toEqual([...routes.map(([path]) => path), ...probes].sort())
    for (const methods of Object.values(document.paths)) expect(Object.keys(methods)).toEqual(['get'])
  })

  test.each([...routes])(
    '%s has its parameters, its response and every error, all described',
    (path, names) => {
      const operation = document.paths[path]?.get as Operation
      expect(operation.summary).not.toBe('')
      expect(operation.parameters?.map(({ name }) => name)).toEqual([...names])
      for (const parameter of operation.parameters ?? []) expect(parameter.schema.description).toBeString()
      expect(operation.parameters?.find(({ name }) => name === 'limit')?.schema.type ?? 'integer').toBe(
        'integer',
      )
      for (const name of ['limit', 'include'])
        expect(
          operation.parameters?.find((each) => each.name === name)?.schema.description ?? '20',
        ).toContain('20')
      const statuses = ['200', '304', '400', '401', '404', '405', '429', '500', '503']
      if (!path.includes('public')) statuses.push('403')
      expect(Object.keys(operation.responses).sort()).toEqual(statuses.sort())
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description).not.toStartWith('Response for')
        if (status !== '304') expect(content['application/json'].schema.type).toBe('object')
      }
      expect(Object.keys(operation.responses['429']?.headers ?? {})).toContain('Retry-After')
      expect(Object.keys(operation.responses['200']?.headers ?? {})).toContain('ETag')
      expect(JSON.stringify(operation.responses['200'])).toContain('Status of the changelog.')
    },
  )

  test('both security schemes are described, and each route says which it needs', () => {
    expect(document.components.securitySchemes).toMatchObject({
      key: { type: 'http', scheme: 'bearer' },
      site: { type: 'http', scheme: 'basic' },
    })
    expect(document.paths[`/api/v1/public${product}`]?.get?.security).toContainEqual({})
    expect(document.paths[`/api/v1${product}`]?.get?.security).toEqual([{ key: [] }, { key: [], site: [] }])
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

  test('it names no other host, and there is no page that loads anything', async () => {
    expect(JSON.stringify(document)).not.toMatch(/https?:\/\//)
    for (const path of ['/openapi', '/swagger', '/scalar', '/docs'])
      expect((await server.get(path)).status).toBe(404)
  })
})

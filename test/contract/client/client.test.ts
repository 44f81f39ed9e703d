import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ChangelogError, type ClientOptions, createClient, type Query } from '../../../client/client.ts'
import { mapRows } from '../../../src/domain/objects.ts'
import { LIST_PARAMETERS } from '../../../src/http/reading/parameters.ts'
import { startServer, type TestServer, THE_BINARY } from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

/** What a client sent, and what it got for it. */
interface Sent {
  path: string
  headers: Record<string, string>
  status: number
}

/** A client whose requests are noted. */
function watched(url: string, options: ClientOptions = {}) {
  const sent: Sent[] = []
  const client = createClient(url, {
    ...options,
    fetch: async (to, init) => {
      const response = await fetch(to, init)
      const { pathname, search } = new URL(to)
      sent.push({
        path: pathname + search,
        headers: init.headers as Record<string, string>,
        status: response.status,
      })
      return response
    },
  })
  return { client, sent, statuses: () => sent.map(({ status }) => status) }
}

async function refused(reading: Promise<unknown>): Promise<ChangelogError> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ChangelogError)
  return error as ChangelogError
}

describe('the client, of a server', () => {
  let server: TestServer
  let key: string
  beforeAll(async () => {
    server = await startServer(THE_BINARY)
    const { seed } = server
    const acme = seed.team('acme', { name: 'Acme' })
    const app = seed.product(acme, 'app', { name: 'App' })
    for (const [at, label] of ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '2.0.0+build/1'].entries())
      seed.version(app.changelogId, label, {
        publishedAt: START + at * DAY,
        changes: [
          { type: 'added', title: `Added in ${label}` },
          ...(label === '2.0.0' ? [{ type: 'removed', title: '**Breaking:** the old way' }] : []),
        ],
      })
    seed.version(app.changelogId, '3.0.0', { status: 'draft', publishedAt: START + 9 * DAY })
    key = seed.key(acme).token
  })
  afterAll(() => server.stop())

  test('goes through all versions once, and reads no page before it is needed', async () => {
    const { client, sent } = watched(`${server.url}/`)
    const seen: string[] = []
    for await (const { version } of client.versions('acme/app', { limit: 2 })) {
      seen.push(version)
      expect(sent).toHaveLength(Math.ceil(seen.length / 2))
    }
    expect(seen).toEqual(['2.0.0+build/1', '2.0.0', '1.2.0', '1.1.0', '1.0.0'])
    for await (const _ of client.versions('acme/app', { limit: 1 })) break
    expect(sent).toHaveLength(4)
    expect(await client.allVersions('acme/app')).toHaveLength(5)
    expect(sent).toHaveLength(5)
  })

  test('reads what is between two versions, of some kinds, and since a date', async () => {
    const client = createClient(server.url)
    const labels = async (query: Parameters<typeof client.allVersions>[1]) =>
      (await client.allVersions('acme/app', query)).map(({ version }) => version)
    expect(await labels({ from: '1.0.0', to: '1.2.0' })).toEqual(['1.2.0', '1.1.0'])
    expect(await labels({ after: '1.2.0' })).toEqual(['2.0.0+build/1', '2.0.0'])
    expect(await labels({ since: new Date(START + 4 * DAY) })).toEqual(['2.0.0+build/1'])
    const breaking = await client.allVersions('acme/app', { kind: ['breaking', 'security'] })
    expect(breaking.map(({ version, changes }) => [version, changes.map(({ title }) => title)])).toEqual([
      ['2.0.0', ['**Breaking:** the old way']],
    ])
    const [first] = await client.allVersions('acme/app', { type: 'added', limit: 1 })
    expect(first?.changes).toHaveLength(1)
  })

  test('takes every parameter of the API, and an empty list of kinds or types for none', async () => {
    const { client, sent } = watched(server.url)
    const given = {
      from: '1.0.0',
      include: 'changes',
      limit: 9,
      prereleases: 'no',
      kind: [],
      type: [],
    } as const
    const versions = await client.allVersions('acme/app', given)
    expect(versions.map(({ changes }) => changes.length)).toEqual([1, 2, 1, 1])
    expect((await client.page('acme/app', { kind: [] })).versions).toHaveLength(5)
    expect(sent.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=9&from=1.0.0&include=changes&prereleases=no',
      'include=changes',
    ])
    const known = mapRows(LIST_PARAMETERS, () => 'x')
    expect(await refused(client.page('acme/app', known as unknown as Query))).toMatchObject({ status: 400 })
    expect(new URLSearchParams(sent.at(-1)?.path.split('?')[1]).size).toBe(Object.keys(known).length)
  })

  test('reads one version by any label', async () => {
    const client = createClient(server.url)
    const one = await client.version('acme/app', '2.0.0+build/1')
    expect([one.version, one.product.name, one.changes.length]).toEqual(['2.0.0+build/1', 'App', 1])
  })

  test('reads drafts with a key', async () => {
    const client = createClient(server.url, { key })
    expect((await client.page('acme/app', { limit: 1 })).versions[0]).toMatchObject({
      version: '3.0.0',
      status: 'draft',
    })
    const { status, code } = await refused(createClient(server.url, { key: 'clk_wrong' }).page('acme/app'))
    expect([status, code]).toEqual([401, 'unauthorized'])
  })

  test('asks only whether an answer changed, and gives each caller one of its own', async () => {
    const { client, statuses } = watched(server.url)
    const one = await client.page('acme/app', { limit: 2 })
    const whole = structuredClone(one)
    one.versions.length = 0
    expect(await client.page('acme/app', { limit: 2 })).toEqual(whole)
    expect(statuses()).toEqual([200, 304])
    const other = server.seed.product(server.seed.team('hooli'), 'phone')
    expect(await client.page('hooli/phone')).toMatchObject({ versions: [] })
    server.seed.version(other.changelogId, '1.0.0')
    expect(await client.page('hooli/phone')).toMatchObject({ versions: [{ version: '1.0.0' }] })
  })

  test('keeps as much as it may, the newest', async () => {
    const length = (await (await server.get('/api/v1/public/teams/acme/products/app/changelog')).text())
      .length
    const { client, statuses } = watched(server.url, { cacheSize: 2 * length })
    const all = () => client.page('acme/app')
    const some = () => client.page('acme/app', { limit: 4 })
    const few = () => client.page('acme/app', { limit: 1 })
    for (const read of [all, some, all, few, all, some]) await read()
    expect(statuses()).toEqual([200, 200, 304, 200, 304, 200])
    // What is too large displaces nothing.
    const small = watched(server.url, { cacheSize: length })
    for (const limit of [1, 5, 1, 5]) await small.client.page('acme/app', { limit })
    expect(small.statuses()).toEqual([200, 200, 304, 200])
  })

  test('says what was refused', async () => {
    const client = createClient(server.url)
    const missing = await refused(client.version('acme/app', '9.9.9'))
    expect([missing.status, missing.code, missing.name]).toEqual([404, 'not_found', 'ChangelogError'])
    const wrong = await refused(client.page('acme/app', { limit: 1000 }))
    expect([wrong.status, wrong.code]).toEqual([400, 'bad_request'])
    expect(wrong.message).toContain('limit')
    for (const name of ['acme/..', '../..'] as const)
      expect((await refused(client.page(name))).code).toBe('not_found')
  })
})

describe('the client refuses wrong arguments before it sends anything, and names them:', () => {
  /** As programs without types call it. */
  const create = createClient as (url?: unknown, options?: unknown) => ReturnType<typeof createClient>
  const URL = 'https://changelog.test'
  const fetch = () => {
    throw new Error('sent')
  }

  test.each([
    ['url', undefined, {}],
    ['url', 'changelog.test', {}],
    ['url', { href: URL }, {}],
    ['key', URL, { key: '' }],
    ['key', URL, { key: 'clk_1\n' }],
    ['headers', URL, { headers: new Headers({ a: 'b' }) }],
    ['fetch', URL, { fetch: 'fetch' }],
    ['retries', URL, { retries: Number.NaN }],
    ['maxWait', URL, { maxWait: -1 }],
    ['cacheSize', URL, { cacheSize: '1 MB' }],
  ])('%s of createClient(%p, %p)', (name, url, options) => {
    expect(() => create(url, options)).toThrow(new RegExp(`^${name} must be `))
    expect(() => create(url, options)).toThrow(TypeError)
  })

  test.each([
    ['product', undefined, {}],
    ['product', 'acme', {}],
    ['product', 'acme/app/other', {}],
    ['since', 'acme/app', { since: new Date('never') }],
    ['from', 'acme/app', { from: null }],
    ['to', 'acme/app', { to: new Date() }],
    ['limit', 'acme/app', { limit: {} }],
    ['kind', 'acme/app', { kind: ['added', ''] }],
    ['type', 'acme/app', { type: [undefined] }],
    ['There is no form in a query: it takes limit, cursor, since, ', 'acme/app', { form: '1.0.0' }],
  ])('%s of a list of %p by %p', async (name, product, query) => {
    const client = create(URL, { fetch })
    const lists = [client.page, client.allVersions] as ((...given: unknown[]) => Promise<unknown>)[]
    for (const list of lists) {
      const error = await list(product, query).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toStartWith(name)
    }
  })

  test.each([undefined, '', 7])('the name %p of a version', async (name) => {
    const version = create(URL, { fetch }).version as (...given: unknown[]) => Promise<unknown>
    const error = await version('acme/app', name).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toBe('name must be the label or id of a version, or latest.')
  })
})

test('the client waits as long as a server that limits it says, and then reads', async () => {
  await using server = await startServer(THE_BINARY, { RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_MINUTE: '60' })
  const app = server.seed.product(server.seed.team('acme'), 'app')
  server.seed.version(app.changelogId, '1.0.0')
  const { client, statuses } = watched(server.url)
  // A second between two requests would be enough for one more, so it may take some to be limited.
  do expect((await client.version('acme/app', 'latest')).version).toBe('1.0.0')
  while (!statuses().includes(429))
  expect(new Set(statuses().slice(1))).toEqual(new Set([429, 304]))
})

/** A server that gives these answers, in turn, and its client. */
function played(answers: readonly (() => Response)[], options: ClientOptions = {}) {
  let at = 0
  const server = Bun.serve({
    port: 0,
    fetch: () => answers[Math.min(at++, answers.length - 1)]?.() as Response,
  })
  const own = { url: server.url.href, requests: () => at }
  return { ...own, ...watched(server.url.href, options), [Symbol.dispose]: () => void server.stop(true) }
}

const later =
  (after: string, status = 503) =>
  () =>
    new Response('', { status, headers: { 'retry-after': after } })
const VERSIONS = { data: { object: 'changelog', versions: [] } }
const good = () => Response.json(VERSIONS)

describe('the client', () => {
  test('comes back after the seconds or at the date that a server names', async () => {
    const past = new Date(START).toUTCString()
    using host = played([later('0'), later(past), later('0', 429), good])
    expect(await host.client.page('acme/app')).toMatchObject({ object: 'changelog', next: null })
    expect(host.statuses()).toEqual([503, 503, 429, 200])
  })

  test('asks again one after another once it was refused, so that a hundred calls at once all succeed', async () => {
    let requests = 0
    const server = Bun.serve({
      port: 0,
      fetch: () => {
        // After its burst, it takes every second request.
        const isOver = ++requests > 60 && requests % 2 === 1
        return isOver ? later('0', 429)() : good()
      },
    })
    const client = createClient(server.url.href)
    const calls = Array.from({ length: 100 }, (_, at) => client.page('acme/app', { to: `${at}.0` }))
    const ended = await Promise.allSettled(calls)
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
    await server.stop(true)
  })

  test('lets a call end while it is behind another, and the next one follow', async () => {
    const gate = Promise.withResolvers<Response>()
    using host = played([later('0', 429), () => gate.promise as never, good])
    const first = host.client.page('acme/app')
    await until(() => host.requests() === 2)
    const signal = AbortSignal.abort(new Error('Enough'))
    const second = host.client.page('acme/app', { signal, to: '1.0' })
    const third = host.client.page('acme/app', { to: '2.0' })
    await expect(second).rejects.toThrow('Enough')
    gate.resolve(good())
    await Promise.all([first, third])
    expect(host.requests()).toBe(3)
  })

  test('comes back so often and no more', async () => {
    using host = played([later('0')], { retries: 2 })
    expect(await refused(host.client.page('acme/app'))).toMatchObject({ status: 503, code: 'unexpected' })
    expect(host.statuses()).toEqual([503, 503, 503])
  })

  test.each([
    ['for longer than it may wait', later('61')],
    ['forever', later('Infinity')],
    ['for no time at all', () => new Response('', { status: 503 })],
    ['for a time nobody understands', later('soon')],
    ['though what it asks for is wrong', later('0', 404)],
  ])('does not come back if it should wait %s', async (_, answer) => {
    using host = played([answer])
    await refused(host.client.page('acme/app'))
    expect(host.sent).toHaveLength(1)
  })

  test('stops at once when it is told to, while it waits or before', async () => {
    const stop = new AbortController()
    using host = played([later('30')])
    const reading = host.client.page('acme/app', { signal: stop.signal })
    await until(() => host.sent.length > 0)
    stop.abort(new Error('Enough'))
    const again = host.client.version('acme/app', 'latest', { signal: stop.signal })
    expect(await Promise.allSettled([reading, again])).toMatchObject(
      [1, 2].map(() => ({ status: 'rejected', reason: { message: 'Enough' } })),
    )
    expect(host.sent).toHaveLength(1)
  })

  test('takes only the cursor of a link, so that no key goes to another server', async () => {
    const link = '<https://other.test/x?limit=1&cursor=a%2Bb&kind=c>; rel="next"'
    using host = played([() => Response.json(VERSIONS, { headers: { link } }), good], { key: 'clk_1' })
    expect(await host.client.allVersions('acme/app')).toEqual([])
    expect(host.sent.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/api/v1/teams/acme/products/app/changelog?limit=100', 'Bearer clk_1'],
      ['/api/v1/teams/acme/products/app/changelog?limit=100&cursor=a%2Bb', 'Bearer clk_1'],
    ])
  })

  test('takes neither a key nor a header of its own along to another server', async () => {
    using other = played([good])
    const moved = (to: string) => () => new Response(null, { status: 302, headers: { location: to } })
    for (const secret of [{ key: 'clk_1' }, { headers: { 'X-Site-Authorization': 'Basic x' } }]) {
      using host = played([moved(`${other.url}x`)], secret)
      expect(await refused(host.client.page('acme/app'))).toMatchObject({ status: 302, code: 'unexpected' })
      using own = played([moved('/moved?x=1'), good], secret)
      expect(await own.client.allVersions('acme/app')).toEqual([])
      expect(own.sent.map(({ path }) => path)).toEqual([expect.any(String), '/moved?x=1'])
      using endless = played([moved('/again')], secret)
      await refused(endless.client.page('acme/app'))
    }
    expect(other.requests()).toBe(0)
    using plain = played([moved(other.url)])
    expect(await plain.client.allVersions('acme/app')).toEqual([])
    expect(other.requests()).toBe(1)
  })

  test('stops if a server names the same page as the next one', async () => {
    const link = '<https://other.test/x?cursor=a>; rel="next"'
    using host = played([() => Response.json(VERSIONS, { headers: { link } })])
    expect((await refused(host.client.allVersions('acme/app'))).code).toBe('unexpected')
    expect(host.sent).toHaveLength(2)
  })

  test.each([
    ['a page of a proxy', () => new Response('<h1>Sign in</h1>')],
    ['JSON of something else', () => Response.json([])],
    ['an error of something else', () => new Response('Bad gateway', { status: 502 })],
  ])('takes %s for no changelog', async (_, answer) => {
    using host = played([answer])
    expect((await refused(host.client.page('acme/app'))).code).toBe('unexpected')
  })
})

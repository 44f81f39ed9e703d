import { describe, expect, test } from 'bun:test'
import { Counters, createMemory } from '../../../../src/http/metrics/counters.ts'
import { metricsText } from '../../../../src/http/metrics/exposition.ts'
import type { Store } from '../../../../src/store/store.ts'
import { samplesOf, sumOf } from '../../../support/servers/exposition.ts'
import { createOutage, openHandler } from '../../../support/servers/handler.ts'
import { bearer, GATED, keyedPath, publicPath, type Settings } from '../../../support/servers/server.ts'

const PATH = publicPath('acme', 'app')
const BUILD = { version: '1.2.3', commit: 'abc', engine: 'sqlite', schema: 5 }

function openWith(settings: Settings = {}, around?: (store: Store) => Store) {
  const memory = createMemory(1)
  const counters = new Counters(memory, 0)
  const server = openHandler(settings, around, counters)
  const { seed } = server
  const team = seed.team('acme')
  const product = seed.product(team, 'app')
  seed.version(product.changelogId, '1.0.0')
  return Object.assign(server, {
    counters,
    changelogId: product.changelogId,
    token: seed.key(team).token,
    select: seed.key(team, { kind: 'SELECT', products: [] }).token,
    samples: async () => samplesOf(await metricsText(memory, BUILD, 1_000)),
  })
}

/** The samples of a metric that are not 0. */
const counted = (samples: Map<string, number>, name: string) =>
  Object.fromEntries([...samples].filter(([key, value]) => key.startsWith(name) && value > 0))

describe('what is counted', () => {
  test('requests, each once, by surface, status and result of the cache, and how long each took', async () => {
    using server = openWith()
    const keyed = keyedPath('acme', 'app')
    const etag = (await server.get(PATH)).headers.get('etag') ?? ''
    for (const [path, headers] of [
      [PATH, {}],
      [PATH, {}],
      [PATH, { 'if-none-match': etag }],
      [publicPath('acme', 'nothing'), {}],
      [publicPath('acme', 'nothing'), {}],
      [keyed, bearer(server.token)],
      [keyed, bearer(server.token)],
      ['/changelog/acme/app', {}],
      ['/changelog/acme/app/feed.atom?x=1', {}],
      ['/changelog/acme/app/CHANGELOG.md', {}],
      ['/robots.txt', {}],
      ['/docs', {}],
      ['/livez', {}],
      ['/nowhere', {}],
    ] as const)
      await server.get(path, headers)
    await server.send('DELETE', PATH)
    await server.get(PATH, { host: 'two, hosts' })
    const samples = await server.samples()
    expect(counted(samples, 'changelogd_requests_total')).toEqual({
      'changelogd_requests_total{surface="public",status="200",cache="miss"}': 1,
      'changelogd_requests_total{surface="public",status="200",cache="hit"}': 2,
      'changelogd_requests_total{surface="public",status="304",cache="hit"}': 1,
      'changelogd_requests_total{surface="public",status="404",cache="miss"}': 1,
      'changelogd_requests_total{surface="public",status="404",cache="hit"}': 1,
      'changelogd_requests_total{surface="public",status="405",cache="none"}': 1,
      'changelogd_requests_total{surface="keyed",status="200",cache="miss"}': 1,
      'changelogd_requests_total{surface="keyed",status="200",cache="hit"}': 1,
      'changelogd_requests_total{surface="pages",status="200",cache="miss"}': 2,
      'changelogd_requests_total{surface="feeds",status="200",cache="miss"}': 2,
      'changelogd_requests_total{surface="docs",status="200",cache="none"}': 1,
      'changelogd_requests_total{surface="probes",status="200",cache="none"}': 1,
      'changelogd_requests_total{surface="other",status="404",cache="none"}': 1,
      'changelogd_requests_total{surface="other",status="400",cache="none"}': 1,
    })
    for (const [surface, count] of Object.entries({ public: 7, keyed: 2, pages: 2, feeds: 2, other: 2 })) {
      const name = 'changelogd_request_duration_seconds'
      expect(samples.get(`${name}_count{surface="${surface}"}`)).toBe(count)
      expect(samples.get(`${name}_bucket{surface="${surface}",le="+Inf"}`)).toBe(count)
      expect(samples.get(`${name}_sum{surface="${surface}"}`)).toBeGreaterThan(0)
    }
  })

  test('requests that the limit refuses, failed logins, and requests of clients that they block', async () => {
    using server = openWith({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1', ...GATED })
    const login = (password: string) => ({ authorization: `Basic ${btoa(`vera:${password}`)}` })
    for (const password of ['one', 'two', 'three', 'secret']) await server.get(PATH, login(password))
    const samples = await server.samples()
    expect(samples.get('changelogd_failed_logins_total')).toBe(3)
    expect(samples.get('changelogd_limiter_refusals_total{limit="failed_logins"}')).toBe(2)

    using open = openWith({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1' })
    for (let time = 0; time < 5; time++) await open.get(PATH)
    const refusals = counted(await open.samples(), 'changelogd_limiter_refusals_total')
    expect(refusals).toEqual({ 'changelogd_limiter_refusals_total{limit="requests"}': 3 })
  })

  test('keys that are refused, and none that is not', async () => {
    using server = openWith()
    const keyed = keyedPath('acme', 'app')
    for (const headers of [{}, bearer('clk_nonsense'), bearer('clk_nonsense'), { authorization: 'Bearer' }])
      await server.get(keyed, headers)
    await server.get(keyed, bearer(server.select))
    await server.get(keyedPath('rival', 'app'), bearer(server.token))
    await server.get(keyed, bearer(server.token))
    await server.get(keyedPath('acme', 'nothing'), bearer(server.token))
    const samples = await server.samples()
    expect(samples.get('changelogd_keys_refused_total{reason="unauthorized"}')).toBe(4)
    expect(samples.get('changelogd_keys_refused_total{reason="forbidden"}')).toBe(2)
  })

  test('changes of the data, and not the first look at it', async () => {
    using server = openWith()
    await server.get(PATH)
    expect((await server.samples()).get('changelogd_revision_changes_total')).toBe(0)
    for (const label of ['1.1.0', '1.2.0']) {
      server.seed.version(server.changelogId, label)
      await server.get(PATH)
      await server.get(PATH)
    }
    expect((await server.samples()).get('changelogd_revision_changes_total')).toBe(2)
  })

  test('reads of the store that fail, also where the client gets what was cached', async () => {
    const outage = createOutage()
    using server = openWith({}, outage.around)
    await server.get(PATH)
    expect((await server.samples()).get('changelogd_store_errors_total')).toBe(0)
    outage.begin()
    expect((await server.get(PATH)).status).toBe(200)
    expect((await server.get(publicPath('acme', 'other'))).status).toBe(503)
    const samples = await server.samples()
    expect(samples.get('changelogd_store_errors_total')).toBe(2)
    expect(samples.get('changelogd_requests_total{surface="public",status="200",cache="stale"}')).toBe(1)
    expect(samples.get('changelogd_requests_total{surface="public",status="503",cache="miss"}')).toBe(1)
  })
})

describe('a histogram', () => {
  test('has a value in the first bucket whose bound it does not pass, and in all above', async () => {
    const memory = createMemory(1)
    const counters = new Counters(memory, 0)
    for (const ms of [0.1, 0.11, 5_000, 6_000]) counters.request('public', 200, 'hit', ms)
    const samples = samplesOf(await metricsText(memory, BUILD, 0))
    const bucket = (le: string) =>
      samples.get(`changelogd_request_duration_seconds_bucket{surface="public",le="${le}"}`)
    expect(['0.0001', '0.00025', '2.5', '5', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 4])
    const sum = samples.get('changelogd_request_duration_seconds_sum{surface="public"}')
    expect(sum).toBeCloseTo(11.00021, 6)
  })
})

test('a status that is not known is counted as other', async () => {
  const memory = createMemory(1)
  for (const status of [418, 999]) new Counters(memory, 0).request('other', status, 'none', 1)
  const samples = samplesOf(await metricsText(memory, BUILD, 0))
  expect(samples.get('changelogd_requests_total{surface="other",status="other",cache="none"}')).toBe(2)
})

test('what several threads count is added up', async () => {
  const memory = createMemory(3)
  for (const thread of [0, 1, 1, 2]) new Counters(memory, thread).request('public', 200, 'hit', 1)
  new Counters(memory, 2).add('storeErrors')
  const samples = samplesOf(await metricsText(memory, BUILD, 0))
  expect(samples.get('changelogd_requests_total{surface="public",status="200",cache="hit"}')).toBe(4)
  expect(samples.get('changelogd_request_duration_seconds_count{surface="public"}')).toBe(4)
  expect(samples.get('changelogd_store_errors_total')).toBe(1)
  expect(samples.get('changelogd_threads')).toBe(3)
  expect(sumOf(samples, 'changelogd_build_info')).toBe(1)
})

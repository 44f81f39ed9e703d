import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '../../../../src/config/config.ts'
import { Refusal } from '../../../../src/domain/refusal.ts'
import { createMemory } from '../../../../src/http/metrics/counters.ts'
import { metricsText } from '../../../../src/http/metrics/exposition.ts'
import { refuseThreads, startThreads } from '../../../../src/http/threads/supervisor.ts'
import type { LogEntry } from '../../../../src/log/report.ts'
import { createWaiting } from '../../../../src/store/engines/wait.ts'
import { openForThreads } from '../../../../src/store/open.ts'
import { postgres } from '../../../support/postgres/cluster.ts'
import { proxyTo } from '../../../support/postgres/proxy.ts'
import { scratch } from '../../../support/scratch.ts'
import { seeder } from '../../../support/seed.ts'
import { samplesOf, sumOf } from '../../../support/servers/exposition.ts'
import { freePort } from '../../../support/servers/free-port.ts'
import { publicPath, type Settings } from '../../../support/servers/server.ts'
import { listenersOn } from '../../../support/threads/listeners.ts'
import { ORDERS, type Order, SHORT_LIVED, TOLD } from '../../../support/threads/orders.ts'
import { until } from '../../../support/until.ts'

const ENTRY = new URL('../../../support/threads/obedient-worker.ts', import.meta.url)
const REPLACED = 'A serving thread ended unexpectedly. A new one replaces it.'

async function start(settings: Settings = {}) {
  const reports: string[] = []
  const directory = scratch()
  const database = join(directory.path, 'x.db')
  const seed = seeder(database)
  seed.product(seed.team('acme'), 'app')
  seed.db.close()
  const config = readConfig({}, { PORT: '0', THREADS: '2', DATABASE_URL: database, ...settings })
  const report = (text: string) => reports.push(text)
  const store = await openForThreads(
    config.database,
    { waiting: createWaiting(), report: (event) => report(String(event)) },
    2,
  )
  const logger = { log: () => {}, report: ({ message }: LogEntry) => report(message) }
  const metrics = createMemory(config.threads)
  const server = await startThreads(config, store, logger, { entry: ENTRY, metrics })
  const orders = new BroadcastChannel(ORDERS)
  const port = Number(new URL(server.url).port)
  return {
    ...server,
    port,
    reports,
    samples: async () =>
      samplesOf(await metricsText(metrics, { version: '', commit: '', engine: '', schema: 0 }, 0)),
    order: (order: Order) => orders.postMessage(order),
    /** The status of a request on a connection of its own. */
    ask: async () => {
      const headers = { connection: 'close' }
      return (await fetch(server.url + publicPath('acme', 'app'), { headers })).status
    },
    [Symbol.asyncDispose]: async () => {
      orders.close()
      await server.stop()
      directory[Symbol.dispose]()
    },
  }
}

test('a thread that dies is replaced: the limit is what it was, and the operator gets the reason, without lines of source', async () => {
  await using server = await start({ RATE_LIMIT_BURST: '5', RATE_LIMIT_PER_MINUTE: '1' })
  expect([await server.ask(), await server.ask(), await server.ask()]).toEqual([200, 200, 200])
  server.order({ owner: 1, how: 'throw' })
  await until(() => server.reports.includes(REPLACED) && listenersOn(server.port) === 2)
  expect(server.reports).toEqual([expect.stringMatching(/^Error: told to die\n +at /), REPLACED])
  expect(server.reports.join('\n')).not.toMatch(/^\s*\d+ \|/m)
  expect([await server.ask(), await server.ask(), await server.ask()]).toEqual([200, 200, 429])
})

test('threads share the cache equally, and one that dies takes nothing away from what is counted, but what it had cached', async () => {
  await using server = await start({ CACHE_MAX_BYTES: '1000001' })
  using stack = new DisposableStack()
  const shares: number[] = []
  const told = stack.adopt(new BroadcastChannel(TOLD), (channel) => channel.close())
  told.onmessage = ({ data }) => shares.push(data)
  for (const owner of [1, 2]) server.order({ owner, how: 'tell its share of the cache' })
  await until(() => shares.length === 2)
  expect(shares).toEqual([500_000, 500_000])

  const counted = async () => sumOf(await server.samples(), 'changelogd_requests_total')
  const cached = async () => (await server.samples()).get('changelogd_cache_entries') ?? 0
  const replaced = () => server.reports.filter((text) => text === REPLACED).length
  let asked = 0
  // Until both threads have the response in their caches.
  await until(async () => {
    await server.ask()
    asked++
    return (await cached()) === 2
  })
  expect(await counted()).toBe(asked)
  for (const owner of [1, 2]) {
    server.order({ owner, how: 'throw' })
    await until(() => replaced() === owner)
  }
  expect([await cached(), await counted()]).toEqual([0, asked])
  await until(() => listenersOn(server.port) === 2)
  for (let time = 0; time < 10; time++) expect(await server.ask()).toBe(200)
  expect(await counted()).toBe(asked + 10)
})

test('threads that die again and again end the server with the reason, and none is left', async () => {
  await using server = await start({ SITE_NAME: SHORT_LIVED })
  server.order({ owner: 1, how: 'throw' })
  const failure = await server.failed.catch((error) => error)
  expect(failure).toBeInstanceOf(Refusal)
  expect(failure.message).toBe('5 serving threads ended within 60 seconds.')
  expect(server.reports.filter((text) => text === REPLACED)).toHaveLength(4)
  expect(server.reports.filter((text) => text.startsWith('Error: not worth living')).length).toBeGreaterThan(
    0,
  )
  expect(listenersOn(server.port)).toBe(0)
})

test('of two servers that start on one port at the same time, one is refused and the other has the port to itself', async () => {
  await using stack = new AsyncDisposableStack()
  const PORT = String(await freePort())
  const started = await Promise.allSettled([start({ PORT }), start({ PORT })])
  const servers = started.filter((one) => one.status === 'fulfilled').map(({ value }) => stack.use(value))
  const refusals = started.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
  expect(servers).toHaveLength(1)
  expect(refusals).toEqual([expect.any(Refusal)])
  expect(refusals[0].message).toStartWith(
    `Cannot listen on 127.0.0.1:${PORT}: another program is using that port`,
  )
  expect(listenersOn(Number(PORT))).toBe(2)
})

test('a stop does not wait for an answer of a thread that dies meanwhile, and the port is free again', async () => {
  const PORT = String(await freePort())
  const first = await start({ PORT })
  first.order({ owner: 1, how: 'throw' })
  await first[Symbol.asyncDispose]()
  expect(listenersOn(first.port)).toBe(0)
  await using second = await start({ PORT })
  expect(await second.ask()).toBe(200)
})

test('a stop does not wait for a thread that waits for its database', async () => {
  const cluster = await postgres()
  const address = await cluster.create()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => cluster.drop(address))
  const proxy = stack.use(await proxyTo(address))
  await using server = await start({ DATABASE_URL: proxy.address })
  await proxy.cut()
  server.order({ owner: 1, how: 'throw' })
  await until(() => server.reports.some((text) => text.includes('Waiting for it')))
  await server.stop()
  expect(listenersOn(server.port)).toBe(0)
  expect(server.reports.at(-1)).toContain('Waiting for it')
})

test('more than one thread is refused where threads cannot share a port', () => {
  expect(() => refuseThreads('darwin', '127.0.0.1')).toThrow(
    'THREADS is more than 1, which works only on Linux, not on darwin.',
  )
  expect(() => refuseThreads('linux', 'unix:/run/x.sock')).toThrow(
    'only one thread can listen on a unix socket',
  )
  expect(() => refuseThreads('linux', '127.0.0.1')).not.toThrow()
})

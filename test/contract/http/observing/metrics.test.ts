import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { scratch } from '../../../support/scratch.ts'
import { samplesOf, sumOf } from '../../../support/servers/exposition.ts'
import { freePort } from '../../../support/servers/free-port.ts'
import { rawRequest } from '../../../support/servers/raw-request.ts'
import {
  publicPath,
  SUBJECTS,
  type Subject,
  spawnServer,
  startServer,
  THE_BINARY,
  TWO_THREADS,
} from '../../../support/servers/server.ts'
import { listenersOn } from '../../../support/threads/listeners.ts'
import { until } from '../../../support/until.ts'

const PATH = publicPath('acme', 'app')
/** Each request on a connection of its own, so that every thread gets some. */
const ALONE = { connection: 'close' }

async function start(subject: Subject = THE_BINARY) {
  const port = await freePort()
  const server = await startServer(subject, { METRICS_PORT: String(port) })
  const metrics = `http://127.0.0.1:${port}/metrics`
  return Object.assign(server, {
    metrics,
    samples: async () => samplesOf(await (await fetch(metrics)).text()),
  })
}

describe('metrics', () => {
  test.each([SUBJECTS[1] as Subject, TWO_THREADS])(
    'of $name count each request once, whichever thread served it',
    async (subject) => {
      await using server = await start(subject)
      server.seed.product(server.seed.team('acme'), 'app')
      const { url } = server
      const statuses = Array.from(
        { length: 40 },
        async () => (await fetch(url + PATH, { headers: ALONE })).status,
      )
      expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
      await server.get('/livez')
      await until(async () => ((await server.samples()).get('changelogd_cache_entries') ?? 0) > 0)
      const samples = await server.samples()
      expect(sumOf(samples, 'changelogd_requests_total')).toBe(41)
      expect(sumOf(samples, 'changelogd_request_duration_seconds_count')).toBe(41)
      expect(samples.get('changelogd_threads')).toBe(Number(subject.env.THREADS ?? 1))
      for (const name of ['cache_bytes', 'event_loop_lag_seconds_count', 'cache_max_bytes'])
        expect(samples.get(`changelogd_${name}`)).toBeGreaterThan(0)
      for (const name of ['resident_memory_bytes', 'cpu_seconds_total', 'start_time_seconds'])
        expect(samples.get(`process_${name}`)).toBeGreaterThan(0)
      const engine = subject.engine === 'SQLite' ? 'sqlite' : 'postgresql'
      expect([...samples.keys()].find((key) => key.startsWith('changelogd_build_info'))).toMatch(
        new RegExp(`version="\\d+\\.\\d+\\.\\d+",commit="\\w*",engine="${engine}",schema="\\d+"`),
      )
    },
  )

  test('are at their own port alone, at one path, and it says where', async () => {
    await using server = await start()
    expect((await server.get('/metrics')).status).toBe(404)
    const { metrics, lines } = server
    const response = await fetch(metrics)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect((await fetch(new URL('/', metrics))).status).toBe(404)
    const posted = await fetch(metrics, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await until(() => lines.length === 2)
    expect(lines[1]).toEndWith(` changelogd has metrics on ${metrics}`)
    expect(await server.stop()).toBe(0)
    expect(listenersOn(Number(new URL(metrics).port))).toBe(0)
  })
})

describe('the port of the metrics', () => {
  test('keeps the server from starting if it is taken, and it says which', async () => {
    await using server = await startServer(THE_BINARY)
    using directory = scratch()
    const { port } = new URL(server.url)
    const own = await freePort()
    const child = spawnServer(THE_BINARY, {
      ...{ PORT: String(own), METRICS_PORT: port },
      DATABASE_URL: join(directory.path, 'x.db'),
    })
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toBe(
      `changelogd: Cannot listen on 127.0.0.1:${port}: another program is using that port, or the host is not an address of this machine. To choose another port or host: changelogd serve --metrics-port NUMBER --metrics-host ADDRESS\n`,
    )
    expect(listenersOn(own)).toBe(0)
  })

  test('serves them whatever the Host header says, and logs nothing of it', async () => {
    await using server = await start()
    const port = Number(new URL(server.metrics).port)
    const hosts = ['', 'a b', '[::1', 'a:99999', '%zz']
    for (const request of [
      'GET /metrics HTTP/1.0\r\n\r\n',
      ...hosts.map((host) => `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    ])
      expect(await rawRequest(port, request)).toStartWith('HTTP/1.1 200 OK')
    await server.stop()
    expect(await new Response(server.child.stderr).text()).toBe('')
  })
})

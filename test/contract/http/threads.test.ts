import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { scratch } from '../../support/scratch.ts'
import { listening, outputOf, startProcess } from '../../support/servers/process.ts'
import {
  publicPath,
  type Settings,
  SUBJECTS,
  spawnServer,
  startServer,
  THE_BINARY,
  THE_SOURCE,
} from '../../support/servers/server.ts'
import { listenersOn } from '../../support/threads/listeners.ts'
import { until } from '../../support/until.ts'

const PATH = publicPath('acme', 'app')
const TWO = { THREADS: '2' }

/** Connections of their own go to any of the threads. */
const ALONE = { connection: 'close' }

const portOf = (url: string): number => Number(new URL(url).port)

/** Does something so many times, at most a few at once. */
async function times<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return results
}

const count = (values: readonly number[]): Record<number, number> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((each) => each === value).length]),
  )

test.each([THE_SOURCE, ...SUBJECTS])(
  'each of two threads of $name listens on the one port that is printed once, and shows a commit in the next response',
  async (subject) => {
    await using server = await startServer(subject, TWO)
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    expect(server.lines).toHaveLength(1)
    expect(listenersOn(portOf(server.url))).toBe(2)
    for (let commit = 1; commit <= 10; commit++) {
      server.seed.version(changelogId, `1.0.${commit}`)
      const { url } = server
      const seen = await times(16, async () => {
        const response = await fetch(url + PATH, { headers: ALONE })
        return ((await response.json()) as { data: { versions: unknown[] } }).data.versions.length
      })
      expect(count(seen)).toEqual({ [commit]: 16 })
    }
  },
)

describe('two threads', () => {
  const start = async (settings: Settings = {}) => {
    const server = await startServer(THE_BINARY, { ...TWO, ...settings })
    const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
    return Object.assign(server, { changelogId })
  }

  test('allow exactly the burst together', async () => {
    await using server = await start({ RATE_LIMIT_BURST: '300', RATE_LIMIT_PER_MINUTE: '1' })
    const { url } = server
    const statuses = await times(400, async () => (await fetch(url + PATH, { headers: ALONE })).status)
    expect(count(statuses)).toEqual({ 200: 300, 429: 100 })
  })

  test('count failed logins together, and refuse the right password after that', async () => {
    await using server = await start({
      RATE_LIMIT_BURST: '50',
      RATE_LIMIT_PER_MINUTE: '1',
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'vera',
      PASSWORD_PROTECTION_PASSWORD: 'secret',
    })
    const { url } = server
    const login = (password: string) => ({ ...ALONE, authorization: `Basic ${btoa(`vera:${password}`)}` })
    const wrong = await times(80, async () => (await fetch(url + PATH, { headers: login('guess') })).status)
    expect(count(wrong)).toEqual({ 401: 50, 429: 30 })
    const right = await times(10, async () => (await fetch(url + PATH, { headers: login('secret') })).status)
    expect(count(right)).toEqual({ 429: 10 })
  })

  test('answer whole what is in flight on any of them when they are told to stop', async () => {
    await using server = await start()
    server.seed.db.transaction(() => {
      for (let at = 0; at < 500; at++)
        server.seed.version(server.changelogId, `${at}`, { title: 'x'.repeat(10_000) })
    })()
    const port = portOf(server.url)
    // 5 MB each, more than the sockets hold: most of it is still to be sent when the signal comes.
    const reads = Array.from({ length: 8 }, () => slowRead(port))
    await Promise.all(reads.map(({ begun }) => begun))
    server.child.kill('SIGTERM')
    await until(() => listenersOn(port) === 0)
    for (const { resume } of reads) resume()
    for (const { body } of reads) expect(JSON.parse(await body).data.versions).toHaveLength(500)
    expect(await server.child.exited).toBe(0)
  })

  test.each([
    ['two threads', 'one', TWO, {}],
    ['one thread', 'two', {}, TWO],
  ])('a server with %s lets none with %s start on its port', async (_, __, first, second) => {
    await using server = await startServer(THE_BINARY, first)
    using directory = scratch()
    const { port } = new URL(server.url)
    const DATABASE_URL = join(directory.path, 'x.db')
    const child = spawnServer(THE_BINARY, { ...second, PORT: port, DATABASE_URL })
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toBe(
      `changelogd: Cannot listen on 127.0.0.1:${port}: another program is using that port, or the host is not an address of this machine. To choose another port or host: changelogd serve --port NUMBER --host ADDRESS\n`,
    )
    expect((await server.get('/healthz')).status).toBe(200)
  })
})

test('auto is a thread for each core that the process may use', async () => {
  using directory = scratch()
  const start = async (before: readonly string[]) => {
    const command = [...before, ...THE_BINARY.command, 'serve', '--threads', 'auto', '--port', '0']
    const child = startProcess(command, { cwd: directory.path, env: { PATH: process.env.PATH ?? '' } })
    const listeners = listenersOn(portOf(await listening(child, outputOf(child))))
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    return listeners
  }
  expect(await start([])).toBe(availableParallelism())
  expect(await start(['taskset', '--cpu-list', '0'])).toBe(1)
})

/** A client that stops reading after the first bytes of a response, until it is resumed. */
function slowRead(port: number) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const chunks: Buffer[] = []
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (chunk) => {
    chunks.push(Buffer.from(chunk))
    if (chunks.length === 1) socket.pause()
    begun.resolve()
  })
  socket.on('close', () => {
    const response = Buffer.concat(chunks).toString()
    ended.resolve(response.slice(response.indexOf('\r\n\r\n') + 4))
  })
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return { begun: begun.promise, resume: () => socket.resume(), body: ended.promise }
}

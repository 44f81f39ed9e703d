import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { publicPath, startServer, THE_BINARY } from '../support/servers/server.ts'
import { until } from '../support/until.ts'

/** Takes milliseconds, and has a short response. */
const LONG_READ = `GET ${publicPath('acme', 'app')} HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n`
const SHORT_READ = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'

test('a thread with too much to do gives connections to an idle one, and no request is lost', async () => {
  await using server = await startServer(THE_BINARY, { THREADS: '2', CACHE_MAX_BYTES: '0' })
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  server.seed.db.transaction(() => {
    for (let at = 0; at < 2_000; at++) server.seed.version(changelogId, `1.${at}`)
  })()
  const { pid } = server.child
  const port = Number(new URL(server.url).port)
  const byThread = new Map([...workedMs(pid).keys()].map((thread) => [thread, [] as Client[]]))
  for (let count = 0; count < 20; count++) {
    const client = new Client(port)
    byThread.get(await threadOf(client, pid))?.push(client)
  }
  const sorted = [...byThread].sort(([, one], [, two]) => two.length - one.length)
  const [[, crowd], [idle, others]] = sorted as [[string, Client[]], [string, Client[]]]
  for (const client of others) client.close()

  let isOver = false
  const ask = async (client: Client, requests: readonly string[]) => {
    const statuses = new Set<number>()
    while (!isOver) for (const status of await client.ask(requests)) statuses.add(status)
    client.close()
    return { statuses: [...statuses], connections: client.connections }
  }
  const pipelining = crowd.slice(0, 4).map((client) => ask(client, [SHORT_READ, SHORT_READ, SHORT_READ]))
  const reading = crowd.slice(4).map((client) => ask(client, [LONG_READ]))
  const idleMs = () => workedMs(pid).get(idle) ?? 0
  const before = idleMs()
  // Only clients that have connected again ask the other thread.
  await until(() => idleMs() - before > 100)
  isOver = true
  const read = await Promise.all(reading)
  expect(new Set(read.flatMap(({ statuses }) => statuses))).toEqual(new Set([304]))
  expect(read.some(({ connections }) => connections > 1)).toBe(true)
  for (const each of await Promise.all(pipelining)) expect(each).toEqual({ statuses: [200], connections: 1 })
})

/** The thread that serves the connection of a client is the one that works when it asks. */
async function threadOf(client: Client, pid: number): Promise<string> {
  const before = workedMs(pid)
  for (let time = 0; time < 3; time++) await client.ask([LONG_READ])
  const worked = [...workedMs(pid)].map(([thread, ms]) => [thread, ms - (before.get(thread) ?? 0)] as const)
  return worked.reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

/** How long each serving thread of a process has worked, by its id. */
function workedMs(pid: number): Map<string, number> {
  const of = (thread: string, file: string) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')
  const threads = readdirSync(`/proc/${pid}/task`).filter((thread) => of(thread, 'comm') === 'Worker\n')
  return new Map(threads.map((thread) => [thread, Number(of(thread, 'schedstat').split(' ')[0]) / 1e6]))
}

/** Has one connection at a time. */
class Client {
  connections = 0
  private socket: Socket | null = null

  constructor(private readonly port: number) {}

  /** Sends the requests in one write, and gives the statuses of as many responses; fewer if the connection ends. */
  ask(requests: readonly string[]): Promise<number[]> {
    if (!this.socket) this.connections++
    const socket = this.socket ?? connect(this.port, '127.0.0.1')
    this.socket = socket
    const { promise, resolve } = Promise.withResolvers<number[]>()
    let text = ''
    const finish = () => {
      socket.removeAllListeners()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
      // What was not answered is status 0.
      resolve(requests.map((_, at) => statuses[at] ?? 0))
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const isClosing = /^connection: close\r$/im.test(text)
      if (!isClosing && text.split('\r\n\r\n').length > requests.length) finish()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.socket = null
      finish()
    })
    socket.write(requests.join(''))
    return promise
  }

  close(): void {
    this.socket?.destroy()
  }
}

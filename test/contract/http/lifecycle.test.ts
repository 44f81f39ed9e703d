import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { scratch } from '../../support/scratch.ts'
import { AS_A_SERVICE, linesOf, listening, outputOf, startProcess } from '../../support/servers/process.ts'
import {
  publicPath,
  type Settings,
  SUBJECTS,
  type Subject,
  spawnServer,
  startServer,
  THE_BINARY,
  TWO_THREADS,
} from '../../support/servers/server.ts'
import { listenersOn } from '../../support/threads/listeners.ts'
import { until } from '../../support/until.ts'

/** Whether nothing listens on the port any more. */
const isClosed = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(true))
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })

/** Runs a server that is expected not to start, and gives what it said. */
async function refusal(settings: Settings) {
  const child = spawnServer(THE_BINARY, settings)
  if ((await outputOf(child).address) !== null) child.kill('SIGKILL')
  const [status, stderr] = [await child.exited, await new Response(child.stderr).text()]
  return { status, lines: stderr.trim().split('\n') }
}

test.each([
  ['SIGTERM', SUBJECTS[1] as Subject],
  ['SIGINT', TWO_THREADS],
] as const)('a server ends with 0 at %s, though connections are open', async (signal, subject) => {
  await using server = await startServer(subject)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await server.get('/healthz')
  server.child.kill(signal)
  expect(await server.child.exited).toBe(0)
  socket.destroy()
})

test('without a terminal, SIGHUP leaves a server as it is; when its terminal closes, it ends with 0', async () => {
  using directory = scratch()
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATABASE_URL: join(directory.path, 'x.db') }
  const service = startProcess([...AS_A_SERVICE, ...THE_BINARY.command, 'serve'], {
    cwd: directory.path,
    env,
  })
  const url = await listening(service)
  const { lines } = linesOf(service.stderr)
  service.kill('SIGHUP')
  await until(() => lines.join().includes('There is no certificate to reload.'))
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  service.kill('SIGTERM')
  expect(await service.exited).toBe(0)

  const shown: string[] = []
  const data = (_: unknown, bytes: Uint8Array) => void shown.push(new TextDecoder().decode(bytes))
  const child = Bun.spawn([...THE_BINARY.command, 'serve'], { env, terminal: { cols: 100, rows: 40, data } })
  await until(() => shown.join('').includes('listening on'))
  child.terminal?.close()
  expect(await child.exited).toBe(0)
})

test('what is in flight when a server is told to stop is answered whole, however often it is told', async () => {
  await using server = await startServer(TWO_THREADS)
  const { changelogId } = server.seed.product(server.seed.team('acme'), 'app')
  const title = 'x'.repeat(10_000)
  server.seed.db.transaction(() => {
    for (let at = 0; at < 2_000; at++) server.seed.version(changelogId, `${at}`, { title })
  })()
  // 20 MB, more than the sockets hold: most of it is still to be sent when the signal comes.
  const port = Number(new URL(server.url).port)
  const socket = connect(port, '127.0.0.1')
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => {
    chunks.push(Buffer.from(chunk))
    begin()
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`GET ${publicPath('acme', 'app')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await begun
  socket.pause()
  server.child.kill('SIGTERM')
  await until(() => isClosed(port))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM'] as const) server.child.kill(signal)
  socket.resume()
  await closed
  const answer = Buffer.concat(chunks).toString()
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).data.versions).toHaveLength(2_000)
  expect(await server.child.exited).toBe(0)
})

test('a server goes on when its errors are no longer read', async () => {
  using directory = scratch()
  const database = join(directory.path, 'x.db')
  const command = ['bash', '-c', 'exec 2> >(:); exec "$@"', 'sh', ...THE_BINARY.command, 'serve']
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATABASE_URL: database }
  const child = startProcess(command, { cwd: directory.path, env })
  const url = await listening(child)
  // The reader has gone: it had the only other end of the pipe.
  await new Response(child.stderr).text()
  rmSync(`${database}-shm`)
  // It says that it lost the database, and that it reopened it.
  await until(() => existsSync(`${database}-shm`))
  await until(async () => (await fetch(`${url}/healthz`)).status === 200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('nohup keeps a server running when its terminal goes away', async () => {
  using directory = scratch()
  const child = startProcess(['nohup', ...THE_BINARY.command, 'serve'], {
    cwd: directory.path,
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATABASE_URL: join(directory.path, 'x.db') },
  })
  const url = await listening(child)
  if (existsSync('/proc/self/status')) {
    const signals = await Bun.file(`/proc/${child.pid}/status`).text()
    const caught = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(signals)?.[1]}`)
    expect(caught & 1n).toBe(0n)
  }
  child.kill('SIGHUP')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a server does not start on a file that is not changelogd’s, and leaves it as it is', async () => {
  using directory = scratch()
  const at = (name: string) => join(directory.path, name)
  using foreign = new Database(at('foreign.db'))
  foreign.run('CREATE TABLE precious (thing TEXT)')
  writeFileSync(at('notes.txt'), 'these are my notes, and they are longer than a header '.repeat(100))
  for (const name of ['foreign.db', 'notes.txt']) {
    const before = await Bun.file(at(name)).bytes()
    const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: at(name) })
    expect([status, lines]).toEqual([1, [expect.stringContaining(name)]])
    expect(await Bun.file(at(name)).bytes()).toEqual(before)
  }
})

test('a server creates its database for its owner alone, and says where it listens', async () => {
  using directory = scratch()
  const database = join(directory.path, 'new', 'deep', 'changelogd.db')
  const child = spawnServer(THE_BINARY, { PORT: '0', DATABASE_URL: `file:${database}` })
  const output = outputOf(child)
  await listening(child, output)
  expect(output.lines).toEqual([expect.stringMatching(/ changelogd .*http:\/\/127\.0\.0\.1:\d+/)])
  const mode = (path: string) => statSync(path).mode & 0o777
  for (const path of ['new', 'new/deep']) expect(mode(join(directory.path, path))).toBe(0o700)
  for (const suffix of ['', '-wal', '-shm']) expect(mode(database + suffix)).toBe(0o600)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a database removed under a server is noticed, and no command makes a new one in its place', async () => {
  await using server = await startServer(THE_BINARY)
  const probes = () =>
    Promise.all(
      ['/livez', '/readyz', '/healthz'].map(async (path) => {
        const response = await server.get(path)
        return [response.status, response.headers.get('retry-after'), await response.json()]
      }),
    )
  const ok = [200, null, { status: 'ok' }]
  expect(await probes()).toEqual([ok, ok, ok])
  rmSync(server.database)
  const error = { code: 'unavailable', message: 'The database is not responding.' }
  const unavailable = [503, '5', { error }]
  await until(async () => Bun.deepEquals(await probes(), [ok, unavailable, unavailable]))
  const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: server.database })
  expect([status, lines[0]]).toEqual([1, expect.stringContaining('was deleted, but')])
})

test('the binary runs from an empty directory without Bun, with threads too, and obeys no file it finds there', async () => {
  using directory = scratch()
  const binary = join(directory.path, 'changelogd')
  copyFileSync(THE_BINARY.command[0] as string, binary)
  writeFileSync(join(directory.path, '.env'), 'PASSWORD_PROTECTION=true\nPORT=1\n')
  writeFileSync(join(directory.path, 'bunfig.toml'), 'preload = ["./nothing.ts"]\n')
  const env = { PATH: '/nonexistent', PORT: '0' }
  const child = startProcess([binary, 'serve', '--threads', '3'], { cwd: directory.path, env })
  const url = await listening(child)
  expect(listenersOn(Number(new URL(url).port))).toBe(3)
  const headers = { connection: 'close' }
  for (let time = 0; time < 12; time++) expect((await fetch(`${url}/nowhere`, { headers })).status).toBe(404)
  expect(statSync(join(directory.path, 'data', 'changelogd.db')).isFile()).toBe(true)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

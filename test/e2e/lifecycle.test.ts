import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { scratch } from '../support/scratch.ts'
import { seeder } from '../support/seed.ts'
import { listening, outputOf, startProcess } from '../support/servers/process.ts'
import {
  PLENTY,
  PROGRAMS,
  publicPath,
  type Settings,
  type Subject,
  spawnServer,
  startServer,
} from '../support/servers/server.ts'
import { until } from '../support/until.ts'

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
const refusalOf = (subject: Subject) => async (settings: Settings) => {
  const child = spawnServer(subject, settings)
  if ((await outputOf(child).address) !== null) child.kill('SIGKILL')
  const [status, stderr] = [await child.exited, await new Response(child.stderr).text()]
  return { status, stderr, lines: stderr.trim().split('\n') }
}

describe.each(PROGRAMS)('the life of $name', (subject) => {
  const refusal = refusalOf(subject)

  test('SIGTERM, SIGINT and SIGHUP end it with 0, though connections are open', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      await using server = await startServer(subject)
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => {})
      await server.get('/healthz')
      server.child.kill(signal)
      expect(await server.child.exited).toBe(0)
      socket.destroy()
    }
  })

  test('it goes on serving when its errors are no longer read', async () => {
    using directory = scratch()
    const database = join(directory.path, 'x.db')
    const child = startProcess(['bash', '-c', 'exec 2> >(:); exec "$@"', 'sh', ...subject.command, 'serve'], {
      cwd: directory.path,
      env: { PATH: process.env.PATH ?? '', ...subject.env, PORT: '0', DATABASE_URL: database },
    })
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

  test('nohup keeps it running when its terminal goes away', async () => {
    using directory = scratch()
    const child = startProcess(['nohup', ...subject.command, 'serve'], {
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

  test('what is in flight when it is told to stop is answered whole, however often it is told', async () => {
    await using server = await startServer(subject)
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
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      server.child.kill(signal)
    socket.resume()
    await closed
    const answer = Buffer.concat(chunks).toString()
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
    expect(JSON.parse(body).data.versions).toHaveLength(2_000)
    expect(await server.child.exited).toBe(0)
  })

  test('a second one on the same port does not start, and says why', async () => {
    await using server = await startServer(subject)
    using directory = scratch()
    const { port } = new URL(server.url)
    const { status, lines } = await refusal({ PORT: port, DATABASE_URL: join(directory.path, 'x.db') })
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`127.0.0.1:${port}`)
    expect(lines[0]).toContain('another program is using that port')
    expect((await server.get('/healthz')).status).toBe(200)
  })

  test('all wrong settings are named at once, each with its value and what is allowed', async () => {
    const { status, stderr } = await refusal({
      PORT: '70000',
      DATABASE_URL: ':memory:',
      PASSWORD_PROTECTION: 'true',
      RATE_LIMIT_BURST: '-1',
      RATE_LIMIT_PER_MINUTE: 'many',
      TRUSTED_PROXIES: '10.0.0.0/8,nonsense',
      PUBLIC_MAX_AGE: '1.5',
      CACHE_MAX_BYTES: '64MB',
      LOG_REQUESTS: 'yes',
    })
    expect(status).toBe(1)
    for (const part of [
      'PORT is "70000", but must be a whole number from 0 to 65535',
      'DATABASE_URL is ":memory:", but must be a file',
      'PASSWORD_PROTECTION_USER is not set',
      'PASSWORD_PROTECTION_PASSWORD is not set',
      'RATE_LIMIT_BURST is "-1", but must be',
      'RATE_LIMIT_PER_MINUTE is "many"',
      'TRUSTED_PROXIES is "10.0.0.0/8,nonsense"',
      'PUBLIC_MAX_AGE is "1.5"',
      'CACHE_MAX_BYTES is "64MB"',
      'LOG_REQUESTS is "yes", but must be errors, all or off',
    ])
      expect(stderr).toContain(part)
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
  })

  test('a switch that is neither true nor false never leaves the gate open', async () => {
    for (const value of ['TRUE', '1', 'yes', 'on', ' true']) {
      const { status, stderr } = await refusal({
        PASSWORD_PROTECTION: value,
        PORT: '0',
        DATABASE_URL: '/dev/null/x',
      })
      expect(status).toBe(1)
      expect(stderr).toContain(`PASSWORD_PROTECTION is "${value}", but must be true or false`)
    }
  })

  test('the gate’s credential may come from files', async () => {
    using directory = scratch()
    const [user, password] = [join(directory.path, 'user'), join(directory.path, 'password')]
    writeFileSync(user, 'vera\n')
    writeFileSync(password, 'secret\n')
    await using server = await startServer(subject, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER_FILE: user,
      PASSWORD_PROTECTION_PASSWORD_FILE: password,
    })
    const authorization = `Basic ${btoa('vera:secret')}`
    expect((await server.get('/openapi.json', { authorization })).status).toBe(200)
    const missing = await refusal({
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USER: 'vera',
      PASSWORD_PROTECTION_PASSWORD_FILE: join(directory.path, 'nowhere'),
      DATABASE_URL: join(directory.path, 'x.db'),
    })
    expect(missing.status).toBe(1)
    expect(missing.stderr).toContain('PASSWORD_PROTECTION_PASSWORD_FILE')
  })
})

describe.each(PROGRAMS.filter(({ engine }) => engine === 'SQLite'))('the file of $name', (subject) => {
  const refusal = refusalOf(subject)

  test('it creates its database for its owner alone, and says where it listens', async () => {
    using directory = scratch()
    const database = join(directory.path, 'new', 'deep', 'changelogd.db')
    const child = spawnServer(subject, { PORT: '0', DATABASE_URL: `file:${database}` })
    const output = outputOf(child)
    await listening(child, output)
    expect(output.lines).toEqual([expect.stringMatching(/ changelogd .*http:\/\/127\.0\.0\.1:\d+/)])
    expect(statSync(join(directory.path, 'new')).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory.path, 'new', 'deep')).mode & 0o777).toBe(0o700)
    for (const file of [database, `${database}-wal`, `${database}-shm`])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('a database from a newer program is refused, and left as it is', async () => {
    using directory = scratch()
    const database = join(directory.path, 'x.db')
    const server = spawnServer(subject, { PORT: '0', DATABASE_URL: database })
    await listening(server)
    server.kill('SIGTERM')
    await server.exited
    const db = new Database(database)
    db.run('PRAGMA user_version = 999')
    db.close()
    const before = await Bun.file(database).bytes()
    const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: database })
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('newer')
    expect(await Bun.file(database).bytes()).toEqual(before)
  })

  test('a file that is not changelogd’s is refused, and left as it is', async () => {
    using directory = scratch()
    const foreign = join(directory.path, 'foreign.db')
    const db = new Database(foreign)
    db.run('CREATE TABLE precious (thing TEXT)')
    db.close()
    const text = join(directory.path, 'notes.txt')
    writeFileSync(text, 'these are my notes, and they are longer than a header '.repeat(100))
    for (const file of [foreign, text]) {
      const before = await Bun.file(file).bytes()
      const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: file })
      expect(status).toBe(1)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(file)
      expect(await Bun.file(file).bytes()).toEqual(before)
    }
  })

  test('a place where nothing can be created is refused with the reason', async () => {
    using directory = scratch()
    const file = join(directory.path, 'file')
    writeFileSync(file, '')
    const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: join(file, 'x.db') })
    expect(status).toBe(1)
    expect(lines).toHaveLength(1)
    mkdirSync(join(directory.path, 'dir'))
    chmodSync(join(directory.path, 'dir'), 0o500)
    for (const target of [join(directory.path, 'dir'), '/dev/null']) {
      const refused = await refusal({ PORT: '0', DATABASE_URL: target })
      expect(refused.status).toBe(1)
      expect(refused.lines).toEqual([expect.stringContaining(`${target} is not a file`)])
    }
  })

  test('a damaged database is a 503, and fills no log: the same error is printed once a while', async () => {
    using directory = scratch()
    const database = join(directory.path, 'x.db')
    const seed = seeder(database)
    const { changelogId } = seed.product(seed.team('acme'), 'app')
    const id = seed.version(changelogId, '1.0.0', { description: 'x'.repeat(20_000) })
    seed.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    seed.db.close()
    breakOverflow(database)
    const child = spawnServer(subject, { PORT: '0', DATABASE_URL: database, ...PLENTY })
    const url = await listening(child)
    const path = publicPath('acme', 'app', `/versions/${id}`)
    for (let time = 0; time < 20; time++) expect((await fetch(url + path)).status).toBe(503)
    child.kill('SIGTERM')
    await child.exited
    const printed = (await new Response(child.stderr).text()).split('\n')
    const times = printed.filter((line) => line.includes('does not answer')).length
    expect([times > 0, times < 5]).toEqual([true, true])
  })

  test('a database removed under it is noticed, and no command makes a new one in its place', async () => {
    await using server = await startServer(subject)
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
    const unavailable = [
      503,
      '5',
      { error: { code: 'unavailable', message: 'The database does not answer.' } },
    ]
    expect(await probes()).toEqual([ok, unavailable, unavailable])
    const { status, lines } = await refusal({ PORT: '0', DATABASE_URL: server.database })
    expect(status).toBe(1)
    expect(lines[0]).toContain('was deleted, but')
  })
})

test('the binary runs from an empty directory without Bun, and obeys no file it finds there', async () => {
  using directory = scratch()
  writeFileSync(join(directory.path, '.env'), 'PASSWORD_PROTECTION=true\nPORT=1\n')
  writeFileSync(join(directory.path, 'bunfig.toml'), 'preload = ["./nothing.ts"]\n')
  const binary = join(import.meta.dir, '../../dist/changelogd')
  const child = startProcess([binary, 'serve'], {
    cwd: directory.path,
    env: { PATH: '/nonexistent', PORT: '0' },
  })
  const url = await listening(child)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/nowhere`)).status).toBe(404)
  expect(statSync(join(directory.path, 'data', 'changelogd.db')).isFile()).toBe(true)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

/** Makes the first page that continues a long text lead nowhere. */
function breakOverflow(database: string): void {
  const bytes = readFileSync(database)
  const page = bytes.indexOf('x'.repeat(4000)) - 4
  bytes.fill(0xff, page, page + 4)
  writeFileSync(database, bytes)
}

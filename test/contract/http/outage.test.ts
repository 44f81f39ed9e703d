import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { open } from '../../../src/store/open.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { blockingDatabase } from '../../support/postgres/blocking.ts'
import { Engine } from '../../support/postgres/engine.ts'
import { seederOn } from '../../support/seed.ts'
import { type Child, killProcess, linesOf, listening, outputOf } from '../../support/servers/process.ts'
import {
  bearer,
  fingerprint,
  keyedPath,
  PLENTY,
  publicPath,
  type Settings,
  spawnServer,
  THE_BINARY,
  TWO_THREADS,
} from '../../support/servers/server.ts'
import { until } from '../../support/until.ts'

const PUBLIC = publicPath('acme', 'app')
const KEYED = keyedPath('acme', 'app')
const MISSING = publicPath('acme', 'missing')

let engine: Engine
let token: string
beforeAll(async () => {
  engine = await Engine.start()
  ;(await open(engine.address(), 'create', createWaiting())).close()
  const seed = seederOn(blockingDatabase(engine.address()))
  const team = seed.team('acme')
  seed.version(seed.product(team, 'app').changelogId, '1.0.0')
  token = seed.key(team).token
  seed.db.close()
})
afterAll(() => engine[Symbol.asyncDispose]())

const rename = async (name: string) => {
  const client = new SQL(engine.address(), { max: 1 })
  await client`update team set name = ${name}`
  await client.close()
}

describe('an outage of PostgreSQL', () => {
  let child: Child | undefined
  afterEach(async () => {
    if (child) await killProcess(child)
  })

  const spawn = (settings: Settings = {}, subject = THE_BINARY) => {
    child = spawnServer(subject, { PORT: '0', DATABASE_URL: engine.address(), ...PLENTY, ...settings })
    return { child, log: linesOf(child.stderr).lines, output: outputOf(child) }
  }
  const start = async (settings: Settings = {}, subject = THE_BINARY) => {
    const { child, log, output } = spawn(settings, subject)
    const url = await listening(child, output)
    const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
    return {
      child,
      log,
      get,
      status: async (path: string, headers = {}) => (await get(path, headers)).status,
      /** Resolves when it has noticed that the engine is away, and when it is back. */
      lost: () => until(async () => (await get(KEYED, bearer(token))).status === 503),
      back: () => until(async () => (await get('/readyz')).status === 200),
    }
  }

  test.each([
    ['killed under two threads', TWO_THREADS, () => engine.kill(), () => engine.start()],
    ['stopped', THE_BINARY, () => engine.freeze(), () => engine.thaw()],
  ] as const)(
    '%s: the public gets what is cached, nobody waits, and all is back by itself',
    async (_, subject, end, revive) => {
      await rename('old')
      const server = await start({}, subject)
      const { get, status } = server
      const before = await fingerprint(await get(PUBLIC))
      const etag = (await get(PUBLIC)).headers.get('etag') as string
      expect([await status(KEYED, bearer(token)), await status(MISSING)]).toEqual([200, 404])

      await end()
      await server.lost()
      expect(await fingerprint(await get(PUBLIC))).toBe(before)
      expect([await status(PUBLIC, { 'if-none-match': etag }), await status(MISSING)]).toEqual([304, 404])
      for (const path of [
        `${PUBLIC}?limit=1`,
        publicPath('acme', 'other'),
        `${PUBLIC}/versions/ver_x`,
        '/readyz',
        '/healthz',
      ]) {
        const response = await get(path)
        expect({ path, status: response.status }).toEqual({ path, status: 503 })
        expect(response.headers.get('retry-after')).toBe('5')
        expect(await response.json()).toEqual({
          error: { code: 'unavailable', message: 'The database is not responding.' },
        })
      }
      expect([await status('/livez'), await status(KEYED, bearer(token))]).toEqual([200, 503])

      await revive()
      await rename('new')
      await server.back()
      for (const [path, headers] of [
        [PUBLIC, {}],
        [KEYED, bearer(token)],
      ] as const)
        expect(await (await get(path, headers)).json()).toMatchObject({ data: { team: { name: 'new' } } })
      server.child.kill('SIGTERM')
      expect(await server.child.exited).toBe(0)
    },
  )

  test('nothing but its own lines is in its log', async () => {
    const server = await start({ LOG_FORMAT: 'json' })
    const events = () => server.log.map((line) => JSON.parse(line).event)
    // What listens to the engine is cut off and cannot come back for a while.
    await using admin = new SQL(engine.address('postgres'), { max: 1 })
    const listeners = async () =>
      (await admin`select pid from pg_stat_activity where query ilike 'listen%'`).length
    const refused = () => engine.log().split('not currently accepting connections').length
    await until(async () => (await listeners()) > 0)
    const before = refused()
    await admin`alter database changelogd with allow_connections false`
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`
    await until(() => refused() > before)
    await admin`alter database changelogd with allow_connections true`
    await until(async () => (await listeners()) > 0)
    expect(server.log).toEqual([])

    await engine.kill()
    await until(() => events().includes('database_unavailable'))
    await engine.start()
    await until(() => events().includes('database_back'))
    server.child.kill('SIGTERM')
    expect(await server.child.exited).toBe(0)
    expect(events()).toEqual(['database_unavailable', 'database_back'])
  })
})

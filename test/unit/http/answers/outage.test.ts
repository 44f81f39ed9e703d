import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../../src/domain/refusal.ts'
import { openHandler } from '../../../support/servers/handler.ts'
import { bearer, keyedPath, publicPath } from '../../../support/servers/server.ts'

describe('while the store does not answer', () => {
  const path = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')
  let server: ReturnType<typeof openHandler>
  let token: string
  let versionPath: string
  /** How long ago the store last answered, or null if it answers. */
  let away: number | null
  /** Whether it still answers for keys: it may go away between two questions of one request. */
  let knowsKeys: boolean

  const open = (settings: Record<string, string> = {}) => {
    away = null
    knowsKeys = false
    server = openHandler(settings, (store) => {
      const orAway = <Args extends unknown[], Result>(work: (...args: Args) => Result | Promise<Result>) =>
        (async (...args: Args) => {
          if (away !== null) throw new Unavailable('The database is not responding.')
          return work(...args)
        }) satisfies typeof work
      return {
        ...store,
        unconfirmedFor: () => away ?? 0,
        ping: orAway(store.ping),
        findGrant: (hash, now) =>
          (knowsKeys ? store : { findGrant: orAway(store.findGrant) }).findGrant(hash, now),
        readChangelog: orAway(store.readChangelog),
        readVersion: orAway(store.readVersion),
        readStamp: orAway(store.readStamp),
      }
    })
    const { seed } = server
    const team = seed.team('acme')
    const { changelogId } = seed.product(team, 'app')
    versionPath = `/versions/${seed.version(changelogId, '1.0.0')}`
    token = seed.key(team).token
  }
  beforeEach(() => open())
  afterEach(() => server[Symbol.dispose]())

  const status = async (target: string, headers: Record<string, string> = {}) =>
    (await server.get(target, headers)).status
  const read = async (target: string, headers: Record<string, string> = {}) => {
    const response = await server.get(target, headers)
    const { ratelimit, date, ...rest } = response.headers.toJSON()
    return { status: response.status, headers: rest, body: await response.text() }
  }

  test('cached public responses are the same as before, for OUTAGE_CACHE_SECONDS', async () => {
    for (const target of [path, `${path}?limit=1`, path + versionPath]) {
      away = null
      const before = await read(target)
      const compressed = await read(target, { 'accept-encoding': 'gzip' })
      for (away of [999, 1_000, 299_999]) {
        expect(await read(target)).toEqual(before)
        expect(await read(target, { 'accept-encoding': 'gzip' })).toEqual(compressed)
        expect(await status(target, { 'if-none-match': before.headers.etag as string })).toBe(304)
      }
      away = 300_000
      expect(await status(target)).toBe(503)
    }
    expect((await server.send('HEAD', path)).status).toBe(503)
    away = 1_000
    expect((await server.send('HEAD', path)).status).toBe(200)
  })

  test('what is not cached is a 503 that says when to try again, never a 404', async () => {
    await status(path)
    away = 1_000
    for (const target of [`${path}?limit=2`, publicPath('acme', 'nothing'), path + versionPath]) {
      const response = await server.get(target)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } })
    }
    expect(await status(`${path}?limit=0`)).toBe(400)
  })

  test('what was not found is not found for as long, if that is cached', async () => {
    const missing = publicPath('acme', 'missing')
    const before = await read(missing)
    expect(before.status).toBe(404)
    away = 299_999
    expect(await read(missing)).toEqual(before)
    away = 300_000
    expect(await status(missing)).toBe(503)
  })

  test('keyed routes are a 503 after a second, whatever is cached', async () => {
    const missing = keyedPath('acme', 'missing')
    const wrong = bearer(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)
    const statuses = async () => [
      await status(keyed, bearer(token)),
      await status(keyed + versionPath, bearer(token)),
      await status(missing, bearer(token)),
      await status(keyed, wrong),
    ]
    for (away of [null, 999]) expect(await statuses()).toEqual([200, 200, 404, 401])
    away = 1_000
    expect(await statuses()).toEqual([503, 503, 503, 503])
    knowsKeys = true
    expect(await statuses()).toEqual([503, 503, 503, 401])
    away = null
    expect(await statuses()).toEqual([200, 200, 404, 401])
  })

  test('with OUTAGE_CACHE_SECONDS=0 public routes are a 503 after a second too', async () => {
    server[Symbol.dispose]()
    open({ OUTAGE_CACHE_SECONDS: '0' })
    for (away of [null, 999]) expect(await status(path)).toBe(200)
    away = 1_000
    expect(await status(path)).toBe(503)
  })

  test('that is logged once, not for each request', async () => {
    away = 1_000
    for (let time = 0; time < 5; time++) expect(await status(path)).toBe(503)
    expect(server.errors).toEqual([expect.any(Unavailable)])
  })

  test('once the store answers again, what changed meanwhile is served and nothing that was cached', async () => {
    const name = async (target: string, headers = {}) =>
      ((await (await server.get(target, headers)).json()) as { data: { team: { name: string } } }).data.team
        .name
    const names = async () => [await name(path), await name(keyed, bearer(token))]
    expect(await names()).toEqual(['acme', 'acme'])
    away = 5_000
    expect(await status(path)).toBe(200)
    server.seed.db.run("UPDATE team SET name = 'renamed'")
    away = null
    expect(await names()).toEqual(['renamed', 'renamed'])
  })
})

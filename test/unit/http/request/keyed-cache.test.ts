import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { noting, openHandler } from '../../../support/servers/handler.ts'
import { bearer, keyedPath } from '../../../support/servers/server.ts'

/**
 * Cached keyed reads skip `authorize`: the cache key names the API key and the target. So every test first reads
 * what each key may read, for then its grant and the responses are cached.
 */
describe('a cached keyed response', () => {
  let server: ReturnType<typeof openHandler>
  let reads = 0
  const counted = noting(['readChangelog'], () => reads++)
  let appId: string
  let tokens: { full: string; select: string; other: string; rival: string }
  const [app, tool] = [keyedPath('acme', 'app'), keyedPath('acme', 'tool')]

  beforeEach(async () => {
    server = openHandler({}, counted)
    const { seed } = server
    const acme = seed.team('acme', { visibility: 'private' })
    appId = seed.product(acme, 'app').id
    const toolId = seed.product(acme, 'tool').id
    const rival = seed.team('rival')
    seed.product(rival, 'app')
    tokens = {
      full: seed.key(acme).token,
      select: seed.key(acme, { kind: 'SELECT', products: [appId] }).token,
      other: seed.key(acme, { kind: 'SELECT', products: [toolId] }).token,
      rival: seed.key(rival).token,
    }
    for (const [token, path] of [
      [tokens.full, app],
      [tokens.full, tool],
      [tokens.select, app],
      [tokens.other, tool],
      [tokens.rival, keyedPath('rival', 'app')],
    ] as const)
      for (const encoding of ['identity', 'gzip'])
        expect((await server.get(path, { ...bearer(token), 'accept-encoding': encoding })).status).toBe(200)
  })
  afterEach(() => server[Symbol.dispose]())

  const statusOf = async (token: string, path: string, headers: Record<string, string> = {}) =>
    (await server.get(path, { ...bearer(token), ...headers })).status

  test('is sent without another read', async () => {
    const before = reads
    expect([await statusOf(tokens.select, app), await statusOf(tokens.full, tool)]).toEqual([200, 200])
    expect(reads).toBe(before)
  })

  test('of another key is never sent to a SELECT key', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }])
      for (const [token, own, notOwn] of [
        [tokens.select, app, tool],
        [tokens.other, tool, app],
      ] as const) {
        expect(await statusOf(token, notOwn, headers)).toBe(403)
        expect([200, 304]).toContain(await statusOf(token, own, headers))
      }
  })

  test('of a FULL key is never sent to a key of another team', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }])
      for (const path of [app, tool]) {
        expect(await statusOf(tokens.rival, path, headers)).toBe(403)
        expect([200, 304]).toContain(await statusOf(tokens.full, path, headers))
      }
    expect(await statusOf(tokens.full, keyedPath('rival', 'app'))).toBe(403)
  })

  test('is never sent without a key, to an unknown key or on the public route', async () => {
    expect((await server.get(app)).status).toBe(401)
    expect(await statusOf(tokens.full.toUpperCase(), app)).toBe(401)
    expect(await statusOf(tokens.full, app.replace('/teams', '/public/teams'))).toBe(404)
  })

  test('is not sent any more once its product is detached from the key', async () => {
    server.seed.db.run('DELETE FROM api_key_product WHERE product_id = ?', [appId])
    expect([await statusOf(tokens.select, app), await statusOf(tokens.select, app)]).toEqual([403, 403])
    expect(await statusOf(tokens.full, app)).toBe(200)
  })
})

test('a product detached while a request is being authorized is not cached for the key', async () => {
  let detach = () => {}
  using server = openHandler({}, (store) => ({
    ...store,
    findGrant: async (hash, now) => {
      const grant = await store.findGrant(hash, now)
      detach()
      return grant
    },
  }))
  const { seed } = server
  const acme = seed.team('acme')
  const { id } = seed.product(acme, 'app')
  const { token } = seed.key(acme, { kind: 'SELECT', products: [id] })
  detach = () => seed.db.run('DELETE FROM api_key_product')
  const statuses: number[] = []
  for (let time = 0; time < 4; time++)
    statuses.push((await server.get(keyedPath('acme', 'app'), bearer(token))).status)
  expect(statuses).toEqual([404, 403, 403, 403])
})

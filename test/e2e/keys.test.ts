import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newToken } from '../../src/domain/token.ts'
import {
  bearer,
  fingerprint,
  keyedPath,
  publicPath,
  SUBJECTS,
  startServer,
  type TestServer,
} from '../support/servers/server.ts'

describe.each([...SUBJECTS])('keys in $name', (subject) => {
  let server: TestServer
  let full: { id: string; token: string }
  let select: { id: string; token: string }
  let disabled: { id: string; token: string }
  let teamId: string
  let appId: string
  const path = keyedPath('acme', 'app')

  beforeAll(async () => {
    server = await startServer(subject)
    const { seed } = server
    teamId = seed.team('acme', { visibility: 'private' })
    const app = seed.product(teamId, 'app')
    appId = app.id
    seed.product(teamId, 'tool')
    seed.version(app.changelogId, '1.0.0')
    seed.product(seed.team('rival'), 'app')
    full = seed.key(teamId)
    select = seed.key(teamId, { kind: 'SELECT', products: [app.id] })
    disabled = seed.key(teamId, { status: 'disabled' })
  })
  afterAll(async () => {
    await server.stop()
  })

  const read = async (target: string, headers: Record<string, string> = {}) => {
    const response = await server.get(target, headers)
    const text = await response.text()
    return {
      status: response.status,
      error: JSON.parse(text).error as { code: string; message: string },
      response,
    }
  }

  test('without a token: 401 that says the bearer token is missing, with WWW-Authenticate', async () => {
    const { status, error, response } = await read(path)
    expect(status).toBe(401)
    expect(error.code).toBe('unauthorized')
    expect(error.message).toContain('bearer token is missing')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="changelogd"')
  })

  test('a token in the query never authenticates, and the error says where to send it', async () => {
    const { status, error } = await read(`${path}?access_token=${full.token}`)
    expect(status).toBe(401)
    expect(error.message).toContain('bearer token is missing')
    expect(error.message).toContain('never read')
    expect(error.message).not.toContain(full.token)
  })

  test('the scheme may be written in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await read(path, { authorization: `${scheme} ${full.token}` })).status).toBe(200)
  })

  test.each([
    ['another character for the space', (token: string) => `BearerX${token}`],
    ['two headers in one', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['a Basic with it, without password protection', (token: string) => `Basic YTpi, Bearer ${token}`],
    ['a token cut short', (token: string) => `Bearer ${token.slice(0, -1)}`],
  ])('%s does not authenticate', async (_, header) => {
    const { status, error, response } = await read(path, { authorization: header(full.token) })
    expect(status).toBe(401)
    expect(error.code).toBe('unauthorized')
    expect(error.message).not.toContain('clk_')
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
  })

  test('unknown, disabled, expired and mistyped keys get one and the same answer', async () => {
    const expired = server.seed.key(teamId, { expiresAt: 1 })
    const outlived = server.seed.key(teamId, { tokenExpiresAt: 1 })
    const answers = new Set<string>()
    for (const token of [newToken(), disabled.token, expired.token, outlived.token, 'clk_nonsense'])
      answers.add(await fingerprint(await server.get(path, bearer(token))))
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain('"status":401')
  })

  test('FULL reads every product of its team', async () => {
    expect((await read(path, bearer(full.token))).status).toBe(200)
    expect((await read(keyedPath('acme', 'tool'), bearer(full.token))).status).toBe(200)
  })

  test('SELECT reads the products attached to it and no other', async () => {
    expect((await read(path, bearer(select.token))).status).toBe(200)
    expect((await read(keyedPath('acme', 'tool'), bearer(select.token))).status).toBe(403)
  })

  test('403 does not reveal whether the other team or product exists', async () => {
    for (const [key, exists, missing] of [
      [full, keyedPath('rival', 'app'), keyedPath('nobody', 'app')],
      [full, keyedPath('rival', 'app'), keyedPath('%zz', 'app')],
      [select, keyedPath('rival', 'app'), keyedPath('nobody', 'nothing')],
      [select, keyedPath('acme', 'tool'), keyedPath('acme', 'nothing')],
      [select, keyedPath('acme', 'tool'), keyedPath('acme', '%zz')],
      [select, keyedPath('acme', 'tool', '/versions/x'), keyedPath('acme', 'tool')],
    ] as const) {
      const response = await fingerprint(await server.get(exists, bearer(key.token)))
      expect(response).toContain('"status":403')
      expect(response).toContain('forbidden')
      expect(await fingerprint(await server.get(missing, bearer(key.token)))).toBe(response)
    }
  })

  test('404 only for what the key could read if it existed', async () => {
    for (const target of [
      keyedPath('acme', 'nothing'),
      keyedPath('acme', '%zz'),
      keyedPath('acme', 'app', '/versions/ver_00000000000000000000000000'),
    ]) {
      const { status, error } = await read(target, bearer(full.token))
      expect({ target, status, code: error.code }).toEqual({ target, status: 404, code: 'not_found' })
    }
  })

  test('401 comes before 403, 403 before 400, 400 before 404', async () => {
    const bad = '?limit=0'
    expect((await read(keyedPath('rival', 'nothing', bad))).status).toBe(401)
    expect((await read(keyedPath('rival', 'nothing', bad), bearer(disabled.token))).status).toBe(401)
    expect((await read(keyedPath('rival', 'nothing', bad), bearer(full.token))).status).toBe(403)
    expect((await read(keyedPath('acme', 'nothing', bad), bearer(select.token))).status).toBe(403)
    expect((await read(keyedPath('acme', 'nothing', bad), bearer(full.token))).status).toBe(400)
    expect((await read(keyedPath('acme', 'nothing'), bearer(full.token))).status).toBe(404)
  })

  test('a key changes nothing on a public route', async () => {
    expect((await read(publicPath('acme', 'app'), bearer(full.token))).status).toBe(404)
    expect((await read(publicPath('rival', 'app'), bearer('nonsense'))).status).toBe(200)
  })

  test('a key that is disabled, detached or deleted is refused by the next request', async () => {
    const { seed } = server
    const key = seed.key(teamId, { kind: 'SELECT', products: [appId] })
    const status = async () => (await read(path, bearer(key.token))).status
    expect([await status(), await status()]).toEqual([200, 200])
    seed.db.run("UPDATE api_key SET status = 'disabled' WHERE id = ?", [key.id])
    expect(await status()).toBe(401)
    seed.db.run("UPDATE api_key SET status = 'active' WHERE id = ?", [key.id])
    expect([await status(), await status()]).toEqual([200, 200])
    seed.db.run('DELETE FROM api_key_product WHERE key_id = ?', [key.id])
    expect(await status()).toBe(403)
    seed.db.run('DELETE FROM api_key WHERE id = ?', [key.id])
    expect(await status()).toBe(401)
  })

  test('a product that takes over the slug of an attached product is not readable with the key', async () => {
    const { seed } = server
    const old = seed.product(teamId, 'swap')
    const key = seed.key(teamId, { kind: 'SELECT', products: [old.id] })
    expect((await read(keyedPath('acme', 'swap'), bearer(key.token))).status).toBe(200)
    seed.db.run("UPDATE product SET slug = 'swapped' WHERE id = ?", [old.id])
    seed.product(teamId, 'swap')
    expect((await read(keyedPath('acme', 'swap'), bearer(key.token))).status).toBe(403)
    expect((await read(keyedPath('acme', 'swapped'), bearer(key.token))).status).toBe(200)
  })

  test('keyed routes are never limited', async () => {
    await using tight = await startServer(subject, { RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_MINUTE: '1' })
    const team = tight.seed.team('acme')
    tight.seed.product(team, 'app')
    const { token } = tight.seed.key(team)
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await tight.get(path, bearer(token))).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await tight.get(path)).status).toBe(401)
    expect((await tight.get(path, bearer(token))).headers.get('ratelimit')).toBeNull()
  })
})

import { describe, expect, test } from 'bun:test'
import { newToken } from '../../../src/domain/token.ts'
import { serverForAll } from '../../support/servers/for-all.ts'
import { bearer, keyedPath, publicPath, THE_BINARY } from '../../support/servers/server.ts'

const PATH = keyedPath('acme', 'app')

describe('keys', () => {
  const site = serverForAll(THE_BINARY, (seed) => {
    const team = seed.team('acme', { visibility: 'private' })
    const app = seed.product(team, 'app')
    seed.product(team, 'tool')
    seed.version(app.changelogId, '1.0.0')
    seed.product(seed.team('rival'), 'app')
    const full = seed.key(team).token
    const select = seed.key(team, { kind: 'SELECT', products: [app.id] }).token
    const disabled = seed.key(team, { status: 'disabled' }).token
    const expired = [{ expiresAt: 1 }, { tokenExpiresAt: 1 }].map((fields) => seed.key(team, fields).token)
    return { team, app: app.id, full, select, refused: [disabled, ...expired, newToken(), 'clk_nonsense'] }
  })
  const status = (path: string, token: string) => site.status(path, bearer(token))

  test('without a token: 401 that says it is missing and never read from the URL, with WWW-Authenticate', async () => {
    for (const [query, said] of [
      ['', 'bearer token is missing'],
      [`?access_token=${site.filled.full}`, 'never read'],
    ] as const) {
      const response = await site.get(PATH + query)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="changelogd"')
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      expect(error).toEqual({ code: 'unauthorized', message: expect.stringContaining(said) })
      expect(error.message).not.toContain(site.filled.full)
    }
  })

  test('unknown, disabled, expired and mistyped keys get one and the same answer', async () => {
    const answers = await Promise.all(site.filled.refused.map((token) => site.print(PATH, bearer(token))))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"status":401')
  })

  test('FULL reads every product of its team, SELECT those attached to it and no other', async () => {
    const { full, select } = site.filled
    const tool = keyedPath('acme', 'tool')
    expect([await status(PATH, full), await status(tool, full)]).toEqual([200, 200])
    expect([await status(PATH, select), await status(tool, select)]).toEqual([200, 403])
  })

  test('403 does not reveal whether the other team or product exists', async () => {
    const { full, select } = site.filled
    for (const [token, exists, missing] of [
      [full, keyedPath('rival', 'app'), keyedPath('nobody', 'app')],
      [select, keyedPath('acme', 'tool'), keyedPath('acme', 'nothing')],
      [select, keyedPath('acme', 'tool'), keyedPath('acme', '%zz')],
      [select, keyedPath('acme', 'tool', '/versions/x'), keyedPath('acme', 'tool')],
    ] as const) {
      const response = await site.print(exists, bearer(token))
      expect(response).toMatch(/"status":403.*forbidden/)
      expect(await site.print(missing, bearer(token))).toBe(response)
    }
  })

  test('a key changes nothing on a public route, and what it could read is a 404 if it does not exist', async () => {
    expect(await status(publicPath('acme', 'app'), site.filled.full)).toBe(404)
    expect(await status(publicPath('rival', 'app'), 'nonsense')).toBe(200)
    expect(await status(keyedPath('acme', 'nothing'), site.filled.full)).toBe(404)
  })

  test('a key that is disabled, detached or deleted is refused by the next request', async () => {
    const { seed } = site.server
    const { id, token } = seed.key(site.filled.team, { kind: 'SELECT', products: [site.filled.app] })
    const seen = () => status(PATH, token)
    expect([await seen(), await seen()]).toEqual([200, 200])
    seed.db.run("UPDATE api_key SET status = 'disabled' WHERE id = ?", [id])
    expect(await seen()).toBe(401)
    seed.db.run("UPDATE api_key SET status = 'active' WHERE id = ?", [id])
    expect([await seen(), await seen()]).toEqual([200, 200])
    seed.db.run('DELETE FROM api_key_product WHERE key_id = ?', [id])
    expect(await seen()).toBe(403)
    seed.db.run('DELETE FROM api_key WHERE id = ?', [id])
    expect(await seen()).toBe(401)
  })

  test('a product that takes over the slug of an attached product is not readable with the key', async () => {
    const { seed } = site.server
    const old = seed.product(site.filled.team, 'swap')
    const { token } = seed.key(site.filled.team, { kind: 'SELECT', products: [old.id] })
    expect(await status(keyedPath('acme', 'swap'), token)).toBe(200)
    seed.db.run("UPDATE product SET slug = 'swapped' WHERE id = ?", [old.id])
    seed.product(site.filled.team, 'swap')
    expect(await status(keyedPath('acme', 'swap'), token)).toBe(403)
    expect(await status(keyedPath('acme', 'swapped'), token)).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { expectDocumented } from '../../support/documented.ts'
import { openHandler } from '../../support/servers/handler.ts'
import { bearer, keyedPath, publicPath } from '../../support/servers/server.ts'

describe('the request pipeline', () => {
  let server: ReturnType<typeof openHandler>
  let token: string
  let select: string
  const path = publicPath('acme', 'app')
  const keyed = keyedPath('acme', 'app')

  beforeAll(() => {
    server = openHandler()
    const { seed } = server
    const team = seed.team('acme')
    const { id, changelogId } = seed.product(team, 'app')
    seed.version(changelogId, '1.0.0')
    token = seed.key(team).token
    select = seed.key(team, { kind: 'SELECT', products: [id] }).token
  })
  afterAll(() => server[Symbol.dispose]())

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'OPTIONS'])(
    '%s is a 405 that says what is allowed, before routing',
    async (method) => {
      for (const [target, allow] of [
        [path, 'GET, HEAD, OPTIONS'],
        ['/api/v1/public/nonsense', 'GET, HEAD, OPTIONS'],
        [keyed, 'GET, HEAD'],
        ['/openapi.json', 'GET, HEAD, OPTIONS'],
        ['/healthz', 'GET, HEAD'],
        ['/nowhere', 'GET, HEAD'],
      ] as const) {
        if (method === 'OPTIONS' && allow.includes('OPTIONS')) continue
        const response = await server.send(method, target, bearer(token))
        expect({ target, status: response.status }).toEqual({ target, status: 405 })
        expect(response.headers.get('allow')).toBe(allow)
        expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
      }
    },
  )

  test('errors come in the order 401, 403, 400, 404', async () => {
    const status = async (target: string, key?: string) =>
      (await server.get(target, key === undefined ? {} : bearer(key))).status
    const wrong = '?limit=0'
    for (const rest of ['', wrong]) {
      expect(await status(keyedPath('rival', 'nothing', rest))).toBe(401)
      expect(await status(keyedPath('rival', 'nothing', rest), 'nonsense')).toBe(401)
      expect(await status(keyedPath('rival', 'nothing', rest), token)).toBe(403)
      expect(await status(keyedPath('acme', 'nothing', rest), select)).toBe(403)
    }
    expect(await status(keyedPath('acme', 'nothing', wrong), token)).toBe(400)
    expect(await status(keyedPath('acme', 'nothing'), token)).toBe(404)
  })

  test('a path has one spelling: a needless escape is another, of nothing', async () => {
    expect((await server.get(path)).status).toBe(200)
    for (const [plain, escaped] of [
      ['acme', '%61cme'],
      ['acme', 'acm%65'],
      ['app', '%61%70%70'],
      ['changelog', 'change%6Cog'],
      ['changelog', 'change%6cog'],
      ['v1', 'v%31'],
    ] as const)
      for (const [target, headers] of [
        [path, {}],
        [`${path}?limit=1`, {}],
        [keyed, bearer(token)],
      ] as const) {
        const response = await server.get(target.replace(plain, escaped), headers)
        expect({ target, escaped, status: response.status }).toEqual({ target, escaped, status: 404 })
      }
    expect((await server.get('/%68ealthz')).status).toBe(404)
    expect((await server.get('/openapi%2Ejson')).status).toBe(404)
  })

  test('an escape in a query is no other spelling of the path', async () => {
    expect((await server.get(`${path}?since=2026%2D01%2D01`)).status).toBe(200)
  })

  describe('for any header, only documented responses', () => {
    const text = fc.stringMatching(/^[ -~]{0,40}$/)
    const runs = { numRuns: 300 }

    test('of Authorization, and none but the key itself opens', async () => {
      const piece = fc.oneof(
        fc.constantFrom('Bearer', 'bearer ', 'Basic', ' ', ', ', '=', 'clk_', token.slice(0, 20), 'YTpi'),
        fc.stringMatching(/^[ -~]{0,16}$/),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
          const authorization = pieces.join('')
          const response = await server.get(keyed, { authorization })
          await expectDocumented(response, authorization)
          expect(response.status).toBe(401)
        }),
        runs,
      )
    })

    test('of If-None-Match and Accept-Encoding', async () => {
      await fc.assert(
        fc.asyncProperty(text, text, async (tags, encoding) => {
          const response = await server.get(path, { 'if-none-match': tags, 'accept-encoding': encoding })
          await expectDocumented(response, { tags, encoding })
          expect([200, 304]).toContain(response.status)
        }),
        runs,
      )
    })

    test('of X-Forwarded-For and X-Site-Authorization', async () => {
      await fc.assert(
        fc.asyncProperty(text, text, async (forwarded, site) => {
          const headers = { 'x-forwarded-for': forwarded, 'x-site-authorization': site }
          expect((await server.get(path, headers)).status).toBe(200)
        }),
        runs,
      )
    })
  })

  test('a request that passes leaves nothing in the log', () => {
    expect(server.errors).toEqual([])
  })
})

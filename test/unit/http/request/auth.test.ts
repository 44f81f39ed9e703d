import { afterAll, describe, expect, test } from 'bun:test'
import { newToken } from '../../../../src/domain/token.ts'
import { createCache } from '../../../../src/http/cache.ts'
import { authorize, createAuth } from '../../../../src/http/request/auth.ts'
import { ApiError } from '../../../../src/http/request/errors.ts'
import type { Grant } from '../../../../src/store/store.ts'
import fc from '../../../support/fast-check.ts'
import { noting, openStore } from '../../../support/servers/handler.ts'

const MISSING = 'The bearer token is missing: send it as "Authorization: Bearer <API_KEY>".'
const MALFORMED = 'The Authorization header is malformed: it must be "Bearer <API_KEY>".'
const INVALID = 'The API key is not valid.'

describe('authenticate', () => {
  const start = Date.UTC(2026, 0, 1)
  let now = start
  /** How often the store was asked for a grant. */
  let lookups = 0

  const opened = openStore()
  const { seed, store } = opened
  const teamId = seed.team('acme')
  const key = seed.key(teamId)
  const counting = noting(['findGrant'], () => lookups++)
  const auth = createAuth(counting(store), createCache(store, 0), () => now)
  afterAll(() => opened[Symbol.dispose]())

  /** What the error says, or the id of the key. */
  const outcome = async (authorization: string | null, elsewhere?: string): Promise<string> => {
    try {
      return (await auth.authenticate(authorization, elsewhere)).keyId
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      expect(error.code).toBe('unauthorized')
      return error.message
    }
  }

  test('takes the key in any case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect(await outcome(`${scheme} ${key.token}`)).toBe(key.id)
  })

  test.each([
    ['no header', () => null, MISSING],
    ['an empty header', () => '', MISSING],
    ['only the scheme', () => 'Bearer', MALFORMED],
    ['only the scheme and a space', () => 'Bearer ', MALFORMED],
    ['two spaces', (token: string) => `Bearer  ${token}`, MALFORMED],
    ['a tab', (token: string) => `Bearer\t${token}`, MALFORMED],
    ['no space', (token: string) => `Bearer${token}`, MALFORMED],
    ['another character for the space', (token: string) => `BearerX${token}`, MALFORMED],
    ['a space in front', (token: string) => ` Bearer ${token}`, MISSING],
    ['a space behind', (token: string) => `Bearer ${token} `, MALFORMED],
    ['a line break behind', (token: string) => `Bearer ${token}\n`, MALFORMED],
    ['a quoted token', (token: string) => `Bearer "${token}"`, MALFORMED],
    ['a comma after', (token: string) => `Bearer ${token},`, MALFORMED],
    ['two tokens', (token: string) => `Bearer ${token} ${token}`, MALFORMED],
    ['two headers in one', (token: string) => `Bearer ${token}, Bearer ${token}`, MALFORMED],
    ['a Basic before it', (token: string) => `Basic YTpi, Bearer ${token}`, MISSING],
    ['a Basic after it', (token: string) => `Bearer ${token}, Basic YTpi`, MALFORMED],
    ['the token alone', (token: string) => token, MISSING],
    ['another scheme', (token: string) => `Token ${token}`, MISSING],
    ['Basic with the token', (token: string) => `Basic ${btoa(`${token}:`)}`, MISSING],
    ['a token in another case', (token: string) => `Bearer ${token.toUpperCase()}`, INVALID],
    ['a token cut short', (token: string) => `Bearer ${token.slice(0, -1)}`, INVALID],
    ['a token with padding', (token: string) => `Bearer ${token}=`, INVALID],
    ['an unknown token', () => `Bearer ${newToken()}`, INVALID],
  ])('%s does not authenticate', async (_, header, message) => {
    expect(await outcome(header(key.token))).toBe(message)
    expect(message).not.toContain('clk_')
  })

  test('no other header than the key itself authenticates', async () => {
    const piece = fc.oneof(
      fc.constantFrom('Bearer', 'bearer ', 'Basic', ' ', ', ', '=', 'clk_', key.token.slice(0, 20), 'YTpi'),
      fc.stringMatching(/^[ -~]{0,16}$/),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        expect([MISSING, MALFORMED, INVALID]).toContain(await outcome(pieces.join('')))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a token found elsewhere never authenticates, and the error says so without the token', async () => {
    expect(await outcome(null, key.token)).toBe(`${MISSING} A token in the URL is never read.`)
    expect(await outcome('Token x', key.token)).toBe(`${MISSING} A token in the URL is never read.`)
  })

  test('a header without a token is refused without asking the store', async () => {
    const before = lookups
    for (const header of [null, '', 'Basic YTpi', 'Bearer', `Bearer ${key.token} x`, key.token])
      await outcome(header)
    expect(lookups).toBe(before)
  })

  test('unknown, mistyped, disabled and expired tokens are each looked up once until the data changes', async () => {
    const { seed } = opened
    const headers = [
      newToken(),
      'nonsense',
      `${key.token.slice(0, -1)}${key.token.endsWith('x') ? 'y' : 'x'}`,
      seed.key(teamId, { status: 'disabled' }).token,
      seed.key(teamId, { expiresAt: now }).token,
      seed.key(teamId, { tokenExpiresAt: now }).token,
    ].map((token) => `Bearer ${token}`)
    const lookupsFor = async (header: string) => {
      const before = lookups
      expect(await outcome(header)).toBe(INVALID)
      return lookups - before
    }
    for (const header of headers)
      expect([await lookupsFor(header), await lookupsFor(header), await lookupsFor(header)]).toEqual([
        1, 0, 0,
      ])
    seed.team('another')
    for (const header of headers) expect(await lookupsFor(header)).toBe(1)
  })

  test('a refused key that is enabled authenticates at once', async () => {
    const { seed } = opened
    const { id, token } = seed.key(teamId, { status: 'disabled' })
    for (let time = 0; time < 2; time++) expect(await outcome(`Bearer ${token}`)).toBe(INVALID)
    seed.db.run("UPDATE api_key SET status = 'active' WHERE id = ?", [id])
    expect(await outcome(`Bearer ${token}`)).toBe(id)
  })

  test('however many tokens are refused, those that are valid stay cached', async () => {
    await outcome(`Bearer ${key.token}`)
    for (let time = 0; time < 6_000; time++) await outcome(`Bearer ${time}`)
    expect(auth.cachedGrant(`Bearer ${key.token}`)?.keyId).toBe(key.id)
  })

  test('4,096 refused tokens are cached, and no more', async () => {
    const lookupsFor = async (at: number) => {
      const before = lookups
      expect(await outcome(`Bearer refused-${at}`)).toBe(INVALID)
      return lookups - before
    }
    for (let at = 0; at < 4_096; at++) await lookupsFor(at)
    for (let at = 0; at < 4_096; at++) expect(await lookupsFor(at)).toBe(0)
    expect(await lookupsFor(4_096)).toBe(1)
    expect([await lookupsFor(4_096), await lookupsFor(0)]).toEqual([0, 1])
  })

  test('cached grants take 4 MiB: 64 keys with 1,016 products each, and no more', async () => {
    const { seed } = opened
    const tokens = seed.db.transaction(() => {
      const team = seed.team('large')
      for (let at = 0; at < 1_016; at++) seed.product(team, `p${at}`)
      const keys = Array.from({ length: 65 }, () => seed.key(team, { kind: 'SELECT' }))
      seed.db.run(
        `INSERT INTO api_key_product (key_id, product_id, team_id)
        SELECT api_key.id, product.id, product.team_id FROM api_key JOIN product USING (team_id) WHERE team_id = ?`,
        [team],
      )
      return keys.map(({ token }) => token)
    })()
    const isCached = (token: string) => auth.cachedGrant(`Bearer ${token}`) !== null
    for (const token of tokens.slice(0, 64)) await outcome(`Bearer ${token}`)
    expect(tokens.filter(isCached)).toEqual(tokens.slice(0, 64))
    await outcome(`Bearer ${tokens[64]}`)
    expect(tokens.filter(isCached)).toEqual(tokens.slice(1))
  })

  test('a key is looked up once until the data changes, and then again', async () => {
    const { seed } = opened
    const { id, token } = seed.key(teamId)
    const header = `Bearer ${token}`
    expect(auth.cachedGrant(header)).toBeNull()
    const before = lookups
    for (let time = 0; time < 3; time++) expect(await outcome(header)).toBe(id)
    expect(lookups).toBe(before + 1)
    expect(auth.cachedGrant(header)?.keyId).toBe(id)
    seed.db.run("UPDATE api_key SET status = 'disabled' WHERE id = ?", [id])
    expect(auth.cachedGrant(header)).toBeNull()
    expect(await outcome(header)).toBe(INVALID)
  })

  test('a key that is cached is refused from the moment it expires', async () => {
    const { seed } = opened
    const keys = [
      seed.key(teamId, { expiresAt: start + 1_000 }),
      seed.key(teamId, { tokenExpiresAt: start + 1_000 }),
    ]
    const headers = keys.map(({ token }) => `Bearer ${token}`)
    now = start + 999
    for (const [at, header] of headers.entries()) {
      expect(await outcome(header)).toBe(keys[at]?.id as string)
      expect(auth.cachedGrant(header)).not.toBeNull()
    }
    now = start + 1_000
    for (const header of headers) {
      expect(auth.cachedGrant(header)).toBeNull()
      expect(await outcome(header)).toBe(INVALID)
    }
    now = start
  })
})

describe('authorize', () => {
  const grant = (kind: Grant['kind'], ...products: string[]): Grant => ({
    keyId: 'key_1',
    teamId: 'team_1',
    teamSlug: 'acme',
    kind,
    products: new Set(products),
    expiresAt: null,
  })
  const ANOTHER_TEAM = 'This key belongs to another team.'
  const ANOTHER_PRODUCT = 'This key cannot read this product.'

  test.each([
    ['FULL, any product of its team', grant('FULL'), 'acme', 'app', null],
    ['FULL, another team', grant('FULL'), 'rival', 'app', ANOTHER_TEAM],
    ['FULL, its team in another case', grant('FULL'), 'ACME', 'app', ANOTHER_TEAM],
    ['SELECT, an attached product', grant('SELECT', 'app', 'tool'), 'acme', 'tool', null],
    ['SELECT, another product', grant('SELECT', 'app'), 'acme', 'tool', ANOTHER_PRODUCT],
    ['SELECT without products', grant('SELECT'), 'acme', 'app', ANOTHER_PRODUCT],
    ['SELECT, a product of that name in another team', grant('SELECT', 'app'), 'rival', 'app', ANOTHER_TEAM],
    ['SELECT, another team and product', grant('SELECT', 'app'), 'rival', 'tool', ANOTHER_TEAM],
  ])('%s', (_, held, team, product, message) => {
    let thrown: unknown = null
    try {
      authorize(held, team, product)
    } catch (error) {
      thrown = error
    }
    if (message === null) expect(thrown).toBeNull()
    else expect(thrown).toMatchObject({ name: 'ApiError', code: 'forbidden', message })
  })
})

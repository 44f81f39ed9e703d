import { describe, expect, test } from 'bun:test'
import { hashToken } from '../../../../src/domain/token.ts'
import { openStoreOn } from '../../../support/servers/handler.ts'
import { ENGINES } from '../../../support/servers/server.ts'

const END = Date.UTC(2026, 0, 2)

describe.each(ENGINES)('on %s', (engine) => {
  test.each([
    ['its key', { expiresAt: END }],
    ['its token', { tokenExpiresAt: END }],
    ['its key, before its token', { expiresAt: END, tokenExpiresAt: END + 1 }],
    ['its token, before its key', { expiresAt: END + 1, tokenExpiresAt: END }],
  ])('a grant ends at the moment at which %s expires', async (_, fields) => {
    using opened = await openStoreOn(engine)
    const { seed, store } = opened
    const { id, token } = seed.key(seed.team('acme'), fields)
    const grantAt = async (now: number) => (await store.findGrant(hashToken(token), now)).value
    expect(await grantAt(END - 1)).toMatchObject({ keyId: id, expiresAt: END })
    expect(await grantAt(END)).toBeNull()
  })
})

import { expect, test } from 'bun:test'
import { createTokens } from '../../../../src/desk/request/tokens.ts'
import { DAY_MS } from '../../../../src/domain/time/time.ts'

const SECRET = 'secret'
const mira = { name: 'Mira' }

/** A token as it would have been made earlier: its moment stands first, and is signed. */
function madeEarlier(token: string, by: number): string {
  const content = Buffer.from(token, 'base64url').subarray(0, 32)
  content.writeBigUInt64BE(content.readBigUInt64BE() - BigInt(by))
  const signature = new Bun.CryptoHasher('sha256', SECRET)
    .update(content)
    .update(`user ${mira.name}`)
    .digest()
  return Buffer.concat([content, signature]).toString('base64url')
}

test('a token of a page that was open for a week still counts', () => {
  const tokens = createTokens(SECRET)
  expect(tokens.isValid(mira, madeEarlier(tokens.of(mira), 7 * DAY_MS))).toBe(true)
})

test('a token counts for its user and its desk alone', () => {
  const tokens = createTokens()
  const token = tokens.of(mira)
  expect(tokens.isValid(mira, token)).toBe(true)
  expect(tokens.isValid({ name: 'Tomas' }, token)).toBe(false)
  expect(tokens.isValid({ name: null }, token)).toBe(false)
  expect(createTokens().isValid(mira, token)).toBe(false)
})

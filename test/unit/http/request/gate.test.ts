import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../../src/config/config.ts'
import { createGate } from '../../../../src/http/request/gate.ts'

const PASSWORD = 'pässwörd: with colon'
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const GOOD = basic('vera', PASSWORD)
const KEY = 'Bearer clk_x'

const gate = createGate({ user: 'vera', password: PASSWORD })
const pass = (authorization: string | null, site: string | null = null) => {
  const headers = new Headers()
  if (authorization !== null) headers.set('authorization', authorization)
  if (site !== null) headers.set('x-site-authorization', site)
  return gate(headers)
}

describe('the gate', () => {
  test.each([
    ['the credential in Authorization', GOOD, null, null],
    ['the scheme in another case', `bAsIc ${GOOD.slice(6)}`, null, null],
    ['the credential in X-Site-Authorization', null, GOOD, null],
    ['it there, and a key in Authorization', KEY, GOOD, KEY],
    ['it there, and anything in Authorization', basic('a', 'b'), GOOD, basic('a', 'b')],
    ['Basic, then Bearer', `${GOOD}, ${KEY}`, null, KEY],
    ['Bearer, then Basic', `${KEY}, ${GOOD}`, null, KEY],
    ['both without a space after the comma', `${GOOD},${KEY}`, null, KEY],
    ['both with spaces around the comma', `${KEY} \t,  ${GOOD}`, null, KEY],
    ['both in other cases', `basic ${GOOD.slice(6)}, bearer clk_x`, null, 'bearer clk_x'],
    ['Basic between two others', `${KEY}, ${GOOD}, Token x`, null, `${KEY}, Token x`],
    ['the right credential before another', `${GOOD}, ${basic('a', 'b')}`, null, basic('a', 'b')],
  ])('admits %s, and leaves the rest for the routes', (_, authorization, site, rest) => {
    expect(pass(authorization, site)).toEqual({ admitted: true, attempted: true, authorization: rest })
  })

  test.each([
    ['a wrong password', basic('vera', 'nope'), null],
    ['a wrong user', basic('eva', PASSWORD), null],
    ['the user in another case', basic('Vera', PASSWORD), null],
    ['an empty password', basic('vera', ''), null],
    ['more than the password', basic('vera', `${PASSWORD}x`), null],
    ['less than the password', basic('vera', PASSWORD.slice(0, -1)), null],
    ['a wrong password with a key', `${basic('vera', 'x')}, ${KEY}`, null],
    ['a key in the site header', null, KEY],
    ['a wrong site header with the right Authorization', GOOD, basic('a', 'b')],
    ['an empty site header with the right Authorization', GOOD, ''],
    ['a credential that is not base64', 'Basic ???', null],
    ['a credential in another alphabet', `Basic ${Buffer.from('vera:ÿÿÿ').toString('base64url')}`, null],
    ['a credential without a colon', `Basic ${btoa('vera')}`, null],
    ['the right credential and more', `${GOOD} x`, null],
    ['two spaces', `Basic  ${GOOD.slice(6)}`, null],
    ['something before the credential in the site header', null, `x ${GOOD}`],
    ['two credentials, the wrong one first', `${basic('a', 'b')}, ${GOOD}`, null],
  ])('refuses %s as a failed login', (_, authorization, site) => {
    expect(pass(authorization, site)).toMatchObject({ admitted: false, attempted: true })
  })

  test.each([
    ['no header', null],
    ['an empty header', ''],
    ['a key alone', KEY],
    ['two keys', `${KEY}, ${KEY}`],
    ['another scheme', 'Digest x'],
    ['another scheme that ends in basic', `x${GOOD}`],
    ['only the scheme', 'Basic'],
    ['no space after the scheme', `Basic${GOOD.slice(6)}`],
  ])('refuses %s, which is no attempt to log in', (_, authorization) => {
    expect(pass(authorization)).toEqual({ admitted: false, attempted: false, authorization })
  })
})

test('a switch that is neither true nor false never leaves the gate open', () => {
  for (const value of ['TRUE', '1', 'yes', 'on', ' true'])
    expect(() => readConfig({}, { PASSWORD_PROTECTION: value })).toThrow(
      `PASSWORD_PROTECTION is "${value}", but must be true or false`,
    )
})

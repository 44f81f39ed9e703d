import { describe, expect, test } from 'bun:test'
import { newId } from '../../../../src/domain/id.ts'
import { newToken } from '../../../../src/domain/token.ts'
import { createMask } from '../../../../src/http/logging/mask.ts'
import fc from '../../../support/fast-check.ts'

const GATE = { user: 'vera', password: 'Tr0ub4dor+hörse' }
const mask = createMask(GATE)

const escapedBytes = (bytes: Buffer) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const escaped = (text: string) => escapedBytes(Buffer.from(text))
const escapedAgain = (text: string) => text.replaceAll('%', '%25')
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the access log shows', () => {
  test.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/126.0 Safari/537.36',
    'acme-docs-builder/1.2.3-beta.1 (4f68cb6a5d0e; ops@acme.test)',
    '/api/v1/public/teams/acme-2/products/fast-uri/changelog',
    `/api/v1/teams/acme/products/my-app/changelog/versions/${newId('ver')}`,
    '/changelog/acme/app/1.0.0-rc.1%2Bbuild.5',
    '//double//wp-login.php',
    '/%zz/%',
    '192.0.2.1, 2001:db8::1, [2001:db8::1]:443, unknown',
    '5f3b8a0e-7d3c-4a55-9c1e-0d9a7c2f4b11',
  ])('%s as it is', (text) => {
    expect(mask(text)).toBe(text)
  })

  test('any slug, label and word: nothing ordinary is hidden', () => {
    const word = fc
      .stringMatching(/^[a-z0-9]{1,12}([-._][a-z0-9]{1,12}){0,4}$/)
      .filter((text) => !text.includes('clk_'))
    fc.assert(
      fc.property(word, (text) => mask(`/changelog/${text}`) === `/changelog/${text}`),
      { numRuns: 5_000 },
    )
  })

  test('512 characters of a text', () => {
    expect(mask('a'.repeat(512))).toBe('a'.repeat(512))
    expect(mask('/a'.repeat(10_000))).toBe(`${'/a'.repeat(256)}…`)
  })
})

describe('the access log hides', () => {
  const ways: Record<string, (secret: string) => string> = {
    'as it is': (secret) => secret,
    escaped,
    'escaped twice': (secret) => escapedAgain(escaped(secret)),
    'escaped five times': (secret) => [1, 2, 3, 4].reduce(escapedAgain, escaped(secret)),
    'as the bytes of a header': (secret) => Buffer.from(secret).toString('latin1'),
    'escaped as Latin-1': (secret) => escapedBytes(Buffer.from(secret, 'latin1')),
    'escaped as Latin-1 after other letters': (secret) =>
      `%c3%b6${escapedBytes(Buffer.from(secret, 'latin1'))}`,
    'escaped before a byte that is no letter': (secret) => `${escaped(secret)}%ff`,
    'in base64 as Latin-1': (secret) => Buffer.from(secret, 'latin1').toString('base64'),
    'in base64': base64,
    'in base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
    'in base64 after a user': (secret) => base64(`vera:${secret}`),
    'in base64 after another user': (secret) => base64(`x:${secret}`),
    'in base64 between other bytes': (secret) => base64(`{"p":"${secret}"}`),
    'in base64 that is escaped': (secret) => escapedAgain(escaped(base64(`x:${secret}`))),
  }

  test.each(Object.entries(ways))('keys and the password, %s', (_, write) => {
    for (const secret of [newToken(), GATE.password]) {
      const written = write(secret)
      expect(mask(`/x/${written}/y`)).toBe('/x/…/y')
      expect(mask(`curl/8 a${written}b z`)).toMatch(/^curl\/8 a?…b? z$/)
      expect(mask(`${'/pad'.repeat(120)}/${written}`)).not.toContain(written.slice(8))
    }
  })

  test('several at once, each in its own way', () => {
    const secrets = [
      escaped(newToken()),
      base64(newToken()),
      newToken(),
      escapedAgain(escaped(GATE.password)),
    ]
    expect(mask(`/a/${secrets.join('/b/')}/c`)).toBe('/a/…/b/…/b/…/b/…/c')
  })

  test('a text whose escapes have no end', () => {
    expect(mask(`/%${'25'.repeat(500)}41`)).toBe('…')
  })

  test('a short password only where it is one', () => {
    const short = createMask({ user: 'vera', password: 'app' })
    expect(short('/changelog/acme/app')).toBe('/changelog/acme/app')
    expect(short(`/x/${base64('vera:app')} vera:app`)).toBe('/x/… …')
  })
})

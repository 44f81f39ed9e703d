import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newId } from '../../../../src/domain/id.ts'
import { newToken } from '../../../../src/domain/token.ts'
import { loggedAddresses, loggedAgent, loggedPath } from '../../../../src/http/pipeline/logging/log-text.ts'

const path = (target: string) => loggedPath(`http://x${target}`)

describe('the access log shows', () => {
  test.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
    'curl/8.5.0',
    'python-requests/2.32.3',
    'Go-http-client/1.1',
    'kube-probe/1.29',
    'Apache-HttpClient/4.5.14 (Java/17.0.11)',
    'acme-docs-builder/1.2.3-beta.1',
    'node',
  ])('the usual agent %s', (agent) => {
    expect(loggedAgent(agent)).toBe(agent)
  })

  test('every path of the API, and what scanners usually look for', () => {
    const product = '/teams/acme-2/products/my-app/changelog'
    for (const target of [
      `/api/v1/public${product}`,
      `/api/v1${product}/versions/${newId('ver')}`,
      '/healthz',
      '/openapi.json',
      '/',
      '/favicon.ico',
      '/robots.txt',
      '/wp-login.php',
      '//double//',
    ]) {
      expect(path(target)).toBe(target)
      expect(path(`${target}?access_token=x`)).toBe(target)
    }
  })

  test('addresses, with and without a port', () => {
    const header = '192.0.2.1, 2001:db8::1, ::ffff:192.0.2.1, 192.0.2.1:4711, [2001:db8::1]:443'
    expect(loggedAddresses(header)).toBe(header)
  })

  test('nothing where there is no header', () => {
    expect([loggedAgent(null), loggedAddresses(null)]).toEqual([undefined, undefined])
  })
})

describe('the access log hides', () => {
  const basic = Buffer.from('vera:secret').toString('base64')

  test.each([
    ['Basic credentials', `Basic ${basic}`, 'Basic …'],
    ['the same without padding', 'Basic dmVyYTpzZWNyZXQ', 'Basic …'],
    ['after other characters', 'x/dmVyYTpzZWNyZXQ xxdmVyYTpzZWNyZXQ', '… …'],
    ['short ones in small letters', 'bjpo', '…'],
    ['a user and a password as they are', 'vera:secret', '…'],
    ['encoded twice', Buffer.from(basic).toString('base64url'), '…'],
    ['in hexadecimal', Buffer.from('vera:secret').toString('hex'), '…'],
    ['a key', 'clk_0123456789abcdefghijABCDEFGHIJ01234567', '…'],
    ['the begin of a key', 'clk_abc/1.0', '…'],
    ['a user without a password', 'Basic YWRtaW46', 'Basic …'],
    ['a password without a user', 'Basic OnNlY3JldA', 'Basic …'],
    ['UTF-16', 'Basic dgBlAHIAYQA6AGEAYgBjAA', 'Basic …'],
    ['base32', 'ozsxeyj2mfrgg', '…'],
    ['hexadecimal with hyphens', 'v76-65-72-61-3a-61-62-63', '…'],
    ['the codes of characters', '118.101.114.97.58.97.98.99', '…'],
    ['octal codes', '166_145_162_141_72_141', '…'],
    ['what is split over words', 'x dmVyYT pzZWNy ZXQ', 'x …'],
    ['what is too long', 'a'.repeat(25), '…'],
    ['what is not ASCII', 'ägent', '…'],
    ['an address with more in it', 'curl/8.5.0 (+https://clk_x.example)', 'curl/8.5.0 …'],
  ])('in an agent %s', (_, agent, expected) => {
    expect(loggedAgent(agent)).toBe(expected)
  })

  test.each([
    ['/clk_0123456789abcdefghijABCDEFGHIJ01234567', '/…'],
    ['/x/%63lk_0123/y', '/x/…/y'],
    ['/x/%252563lk/y', '/x/…/y'],
    ['/766572613a736563726574', '/…'],
    ['/dmVyYTpzZWNyZXQ', '/…'],
    ['/ozsxeyj2mfrgg', '/…'],
    ['/76-65-72-61-3a-61-62-63', '/…'],
    ['/x/7665/7261/3a61/6263', '/x/…'],
    ['/118/101/114/97/58/97/98/99', '/…'],
    ['/vera:secret', '/…'],
    [`/${'a'.repeat(65)}`, '/…'],
  ])('in the path %s', (target, expected) => {
    expect(path(target)).toBe(expected)
  })

  test('in an X-Forwarded-For everything that is not an address', () => {
    expect(loggedAddresses(`192.0.2.1, ${basic}, ::1%${newToken()}, unknown,`)).toBe('192.0.2.1, …, …, …, ')
  })

  test('what is more than a reader would look at', () => {
    expect(loggedAgent('word '.repeat(10_000))).toBe(`${'word '.repeat(24)}…`)
    expect(path('/a'.repeat(10_000))).toBe(`${'/a'.repeat(24)}/…`)
    // 512 characters, without what is between the words.
    const [word, segment] = ['word'.repeat(6), 'segment-'.repeat(8).slice(0, -1)]
    expect(loggedAgent(`${word} `.repeat(24))).toBe(`${`${word} `.repeat(21)}…`)
    expect(path(`/${segment}`.repeat(24))).toBe(`${`/${segment}`.repeat(8)}/…`)
  })

  test('any credential, encoded in any way and any number of times', () => {
    const bytes = (text: string) => [...Buffer.from(text)]
    const hex = (byte: number) => byte.toString(16).padStart(2, '0')
    const encoders: Record<string, (text: string) => string> = {
      url: encodeURIComponent,
      'url, every character': (text) =>
        bytes(text)
          .map((byte) => `%${hex(byte)}`)
          .join(''),
      base64: (text) => Buffer.from(text).toString('base64'),
      base64url: (text) => Buffer.from(text).toString('base64url'),
      hexadecimal: (text) => Buffer.from(text).toString('hex'),
      'hexadecimal with hyphens': (text) => bytes(text).map(hex).join('-'),
      base32,
      html: (text) =>
        bytes(text)
          .map((byte) => `&#${byte};`)
          .join(''),
      'html, hexadecimal': (text) =>
        bytes(text)
          .map((byte) => `&#x${hex(byte)};`)
          .join(''),
      json: (text) =>
        [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    }
    const secret = fc.oneof(
      fc
        .tuple(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[!-~]{1,16}$/))
        .map((pair) => pair.join(':')),
      fc
        .tuple(
          fc.stringMatching(/^[a-z]{1,10}$/),
          fc.string({ unit: fc.constantFrom('ä', 'é', '€', 'x'), minLength: 2 }),
        )
        .map((pair) => pair.join(':')),
      fc.constant(0).map(newToken),
    )
    const surroundings = fc.stringMatching(/^[A-Za-z0-9./;(-]{0,3}$/)
    fc.assert(
      fc.property(
        secret,
        fc.array(fc.constantFrom(...Object.keys(encoders)), { minLength: 1, maxLength: 4 }),
        surroundings,
        (credential, names, before) => {
          const encoded = names.reduce((text, name) => encoders[name]?.(text) as string, credential)
          for (const text of [encoded, before + encoded]) {
            expect(loggedAgent(text) ?? '').not.toContain(encoded)
            expect(path(`/x/${text}`)).not.toContain(encoded)
            expect(loggedAddresses(text) ?? '').not.toContain(encoded)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

/** RFC 4648 base32 without padding, in small letters as a slug may have them. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}

import { describe, expect, test } from 'bun:test'
import {
  type Address,
  type Cidr,
  parseAddress,
  parseCidr,
  UNIX_PEERS,
} from '../../../../src/domain/addresses/ip-address.ts'
import { clientAddress, isTrustedPeer, UNKNOWN } from '../../../../src/http/request/client.ts'

const TRUSTED = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8:ffff::/48'].map((text) => parseCidr(text) as Cidr)
const address = (text: string) => parseAddress(text) as Address

const client = (peer: string | undefined, forwardedFor: string | null, trusted: readonly Cidr[] = TRUSTED) =>
  clientAddress(peer, new Headers(forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor }), trusted)

describe('the address of a client', () => {
  test.each([
    ['192.0.2.1', null],
    ['192.0.2.1', '198.51.100.7'],
    ['127.0.0.1', '198.51.100.7'],
    ['::1', '198.51.100.7'],
  ])('is the peer’s without trusted proxies: %s with X-Forwarded-For %s', (peer, forwardedFor) => {
    expect(client(peer, forwardedFor, [])).toEqual(address(peer))
  })

  test('is the one that the peer of a unix socket names, if such peers are trusted; otherwise it is unknown', () => {
    expect(client('unix', '192.0.2.1', [...TRUSTED, UNIX_PEERS])).toEqual(address('192.0.2.1'))
    expect(client('unix', '192.0.2.1, 10.1.2.3', [...TRUSTED, UNIX_PEERS])).toEqual(address('192.0.2.1'))
    expect(client('unix', null, [UNIX_PEERS])).toEqual(UNKNOWN)
    expect(client('unix', '192.0.2.1')).toEqual(UNKNOWN)
    expect(client('unix', '192.0.2.1', [])).toEqual(UNKNOWN)
    // A connection that is closed already has no address either, and is not trusted for that.
    expect(client(undefined, '192.0.2.1', [UNIX_PEERS])).toEqual(UNKNOWN)
    expect(client('127.0.0.1', '192.0.2.1', [UNIX_PEERS])).toEqual(address('127.0.0.1'))
  })

  test('is the peer’s if the peer is not a trusted proxy', () => {
    expect(client('192.0.2.1', '198.51.100.7')).toEqual(address('192.0.2.1'))
  })

  test.each([
    ['the only entry', '192.0.2.1', '192.0.2.1'],
    ['the last entry, whatever the client wrote before it', '8.8.8.8, 192.0.2.1', '192.0.2.1'],
    ['the last that is not a trusted proxy', 'garbage, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['the same with IPv6 proxies', '192.0.2.1, 2001:db8:ffff::7, 10.1.2.3', '192.0.2.1'],
    ['an entry without spaces', '8.8.8.8,192.0.2.1', '192.0.2.1'],
    ['an entry with a port', '192.0.2.1:4711', '192.0.2.1'],
    ['a mapped address', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a mapped address in hexadecimal', '::ffff:c000:0201', '192.0.2.1'],
    ['a mapped address in brackets, with a port', '[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['an IPv6 address', '2001:db8:1:2::1', '2001:db8:1:2::1'],
    ['an IPv6 address in another notation', '2001:0DB8:0001:0002:0:0:0:1', '2001:db8:1:2::1'],
    ['an IPv6 address in brackets', '[2001:db8:1:2::1]', '2001:db8:1:2::1'],
    ['a trusted proxy if there is no other', '10.1.2.3, 10.1.2.4', '10.1.2.3'],
  ])('behind a trusted proxy is %s', (_, forwardedFor, expected) => {
    expect(client('127.0.0.1', forwardedFor)).toEqual(address(expected))
    expect(client('::ffff:127.0.0.1', forwardedFor)).toEqual(address(expected))
  })

  test.each([
    ['no header', null, '127.0.0.1'],
    ['an empty header', '', '127.0.0.1'],
    ['a word', 'unknown', '127.0.0.1'],
    ['what looks like an address', '192.0.2.999', '127.0.0.1'],
    ['an empty last entry', '192.0.2.1,', '127.0.0.1'],
    ['text before an address in brackets', 'x[2001:db8::1]', '127.0.0.1'],
    ['text after an address in brackets', '[2001:db8::1]x', '127.0.0.1'],
    ['a word before a trusted proxy', '192.0.2.1, unknown, 10.1.2.3', '10.1.2.3'],
  ])('is that of the proxy which passed on %s', (_, forwardedFor, expected) => {
    expect(client('127.0.0.1', forwardedFor)).toEqual(address(expected))
  })

  test('headers are believed of a trusted proxy only', () => {
    const isTrusted = (peer?: string) => isTrustedPeer(peer, [...TRUSTED, UNIX_PEERS])
    expect(['10.1.2.3', 'unix'].map(isTrusted)).toEqual([true, true])
    expect(['192.0.2.1', 'not an address', undefined].map(isTrusted)).toEqual([false, false, false])
  })

  test('is one and the same for all whose own is not known, and no client has it', () => {
    for (const peer of [undefined, '', 'not an address']) expect(client(peer, '192.0.2.1')).toEqual(UNKNOWN)
    expect(UNKNOWN).toEqual(address('::'))
  })
})

import { describe, expect, test } from 'bun:test'
import {
  type Address,
  addressText,
  inCidr,
  isV4,
  parseAddress,
  parseCidr,
} from '../../../../src/domain/addresses/ip-address.ts'
import fc from '../../../support/fast-check.ts'

describe('parseAddress', () => {
  test.each([
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '::FFFF:c000:0201'],
    ['192.0.2.1', '0:0:0:0:0:ffff:c000:201'],
    ['192.0.2.1', '0000:0000:0000:0000:0000:ffff:192.0.2.1'],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1'],
    ['2001:db8::1', '2001:DB8::0.0.0.1'],
    ['fe80::1', 'fe80::1%eth0'],
    ['::', '0:0:0:0:0:0:0:0'],
  ])('%s and %s are one address', (one, other) => {
    expect(parseAddress(one)).not.toBeNull()
    expect(parseAddress(one)).toEqual(parseAddress(other))
  })

  test.each([
    ...['', ' ', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '1..2.3', '1.2.3.4 ', '0x7f.0.0.1', ':'],
    ...[':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', '12345::', 'g::'],
    ...['::1.2.3', '1.2.3.4::', 'unknown'],
  ])('%p is no address', (text) => {
    expect(parseAddress(text)).toBeNull()
  })

  test('every IPv4 address survives every notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const address = parseAddress(text)
        expect(address && isV4(address)).toBe(true)
        expect(parseAddress(`::ffff:${text}`)).toEqual(address)
      }),
    )
  })

  test('every IPv6 address is parsed', () => {
    fc.assert(fc.property(fc.ipV6(), (text) => expect(parseAddress(text)).not.toBeNull()))
  })
})

describe('parseCidr', () => {
  const holds = (cidr: string, address: string) => {
    const network = parseCidr(cidr)
    const parsed = parseAddress(address)
    return network !== null && parsed !== null && inCidr(parsed, network)
  }

  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['0.0.0.0/0', '192.0.2.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7/32', '192.0.2.8', false],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
  ])('%s holds %s: %p', (cidr, address, expected) => {
    expect(holds(cidr, address)).toBe(expected)
  })

  test.each([
    ...['', '/8', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '::/129', '10.0.0.0/8/8', 'all'],
    ...['10.0.0.0/0x8'],
  ])('%p is no network', (text) => {
    expect(parseCidr(text)).toBeNull()
  })
})

describe('addressText', () => {
  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['fe80:0:0:0:0:0:0:0', 'fe80::'],
    ['10:100:0:0:0:0:10:100', '10:100::10:100'],
  ])('%s is written %s', (text, written) => {
    expect(addressText(parseAddress(text) as Address)).toBe(written)
  })

  test('names the address it was given', () => {
    const word = fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff_ffff))
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (address) => {
        expect(parseAddress(addressText(address))).toEqual(address)
      }),
    )
  })
})

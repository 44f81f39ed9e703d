import { describe, expect, test } from 'bun:test'
import { newSipKey, sipHash } from '../../../../../src/http/pipeline/limits/sip-hash.ts'

const words = (hex: string): Int32Array => new Int32Array(new Uint8Array(Buffer.from(hex, 'hex')).buffer)

const hashed = (key: Int32Array, message: Int32Array): string => {
  const result = new Uint32Array(2)
  sipHash(key, message[0] as number, message[1] as number, message[2] as number, result)
  return Buffer.from(result.buffer).toString('hex')
}

describe('sipHash', () => {
  // As `openssl mac -macopt size:8 -macopt c-rounds:1 -macopt d-rounds:3 -macopt hexkey:… SIPHASH` gives them.
  test.each([
    ['000102030405060708090a0b0c0d0e0f', '000102030405060708090a0b', 'a2d9b457b184a378'],
    ['00000000000000000000000000000000', '000000000000000000000000', 'df9457863a68ce21'],
    ['ffffffffffffffffffffffffffffffff', 'ffffffffffffffffffffffff', '42bc40c4e071f8b0'],
    ['8f14e45fceea167a5a36dedd4bea2543', '04000000000000000102c0de', 'c1c0eeded72f9b7b'],
    ['0f1e2d3c4b5a69788796a5b4c3d2e1f0', '06000000b80d012001000200', '7c301e21b5916da0'],
  ])('with the key %s, of %s is %s', (key, message, expected) => {
    expect(hashed(words(key), words(message))).toBe(expected)
  })

  test('gives the same for words below and above zero, as the same bits', () => {
    const key = newSipKey()
    const signed = words('06000000b80d0120ffffffff')
    const result = new Uint32Array(2)
    sipHash(key, 6, 0x20010db8, 0xffffffff, result)
    expect(Buffer.from(result.buffer).toString('hex')).toBe(hashed(key, signed))
  })

  test('a new key has 128 random bits', () => {
    const keys = Array.from({ length: 64 }, newSipKey)
    for (let word = 0; word < 4; word++) {
      const values = new Set(keys.map((key) => key[word]))
      expect(values.size).toBeGreaterThan(60)
    }
  })
})

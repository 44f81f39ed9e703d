import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import {
  decode,
  ENCODINGS,
  type Encoding,
  encode,
  negotiateEncoding,
} from '../../../../src/http/answers/encoding.ts'
import fc, { anyText } from '../../../support/fast-check.ts'

describe('negotiateEncoding', () => {
  test.each<[string | null, Encoding]>([
    [null, 'identity'],
    ['', 'identity'],
    ['zstd', 'zstd'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br', 'br'],
    ['  gzip  ,  br ;  q=0.9 ', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.5, zstd;q=0.4', 'br'],
    ['*', 'zstd'],
    ['*;q=0', 'identity'],
    ['*;q=0.5, gzip', 'gzip'],
    ['zstd;q=0, br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['identity', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    ['gzip;level=9', 'gzip'],
    ['gzip;level=9;q=0', 'identity'],
    ['x-gzip, zstdd, gzipp', 'identity'],
    [`${'a,'.repeat(15)}gzip`, 'gzip'],
    [`${'a,'.repeat(16)}gzip`, 'identity'],
  ])('Accept-Encoding: %p gets %s', (accept, expected) => {
    expect(negotiateEncoding(accept)).toBe(expected)
  })

  test('any text gets one of the encodings', () => {
    fc.assert(
      fc.property(anyText(40), (accept) => {
        expect(['zstd', 'br', 'gzip', 'identity']).toContain(negotiateEncoding(accept))
      }),
    )
  })
})

test.each([
  ['zstd', Bun.zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('%s decodes to the same text', async (encoding, decode) => {
  for (const text of ['', '{}', JSON.stringify({ title: 'Ünïcödé 🎉'.repeat(1_000) })])
    expect(Buffer.from(decode((await encode(text, encoding)) ?? Buffer.from(''))).toString()).toBe(text)
})

const TEXT = Array.from({ length: 2_000 }, (_, at) => `line ${at * at} of ${at % 7} words`).join('\n')

test('a body of any length is decoded to its text in each encoding, and a damaged one is an error', async () => {
  expect(ENCODINGS).toEqual(['zstd', 'br', 'gzip', 'identity'])
  for (const text of ['', 'é', TEXT, TEXT.repeat(3)]) {
    expect(await decode(new Blob([text]), 'identity')).toBe(text)
    for (const encoding of ['zstd', 'br', 'gzip'] as const)
      expect(await decode(new Blob([await encode(text, encoding)]), encoding)).toBe(text)
  }
  for (const encoding of ['zstd', 'br', 'gzip'] as const)
    await expect(decode(new Blob(['damaged']), encoding)).rejects.toThrow()
})

test('levels are those of a middle way', async () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  for (const text of [TEXT, TEXT.repeat(3)]) {
    expect(await encode(text, 'gzip')).toEqual(gzipSync(text, { level: 6 }))
    expect(await encode(text, 'br')).toEqual(brotliCompressSync(text, { params }))
    expect(await encode(text, 'zstd')).toEqual(Buffer.from(Bun.zstdCompressSync(text, { level: 3 })))
  }
})

/** The next turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a text of up to 64 KiB is encoded at once, a longer one off the event loop', async () => {
  for (const encoding of ['zstd', 'br', 'gzip'] as const) {
    await turn()
    expect(encode('x'.repeat(64 * 1_024), encoding)).toBeInstanceOf(Buffer)
    expect(encode('x'.repeat(64 * 1_024 + 1), encoding)).toBeInstanceOf(Promise)
  }
})

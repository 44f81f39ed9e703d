import type { BrotliOptions, gzip, ZlibOptions } from 'node:zlib'
import { weightsIn } from '../request/accept.ts'

/** In order of preference. */
const COMPRESSED = ['zstd', 'br', 'gzip'] as const
export const ENCODINGS = [...COMPRESSED, 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]
type Compressed = Exclude<Encoding, 'identity'>

/** The last `Accept-Encoding` and its result: most clients send one of a few. */
let last: { accept: string; encoding: Encoding } | undefined

export function negotiateEncoding(accept: string | null): Encoding {
  if (accept === null) return 'identity'
  if (accept !== last?.accept) last = { accept, encoding: bestOf(accept) }
  return last.encoding
}

function bestOf(accept: string): Encoding {
  const weights = weightsIn(accept)
  let best: Encoding = 'identity'
  let most = weights.get('identity') ?? 0
  for (const encoding of COMPRESSED) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    const isBetter = best === 'identity' ? weight >= most : weight > most
    if (weight > 0 && isBetter) [best, most] = [encoding, weight]
  }
  return best
}

/** Loaded on first use: that takes longer than the rest of a server's start. */
const loadZlib = () => require('node:zlib') as typeof import('node:zlib')

type Bytes = Buffer<ArrayBuffer>

interface Coder {
  now(text: string): Bytes
  later(text: string): Promise<Bytes>
  decode(body: Uint8Array): Promise<Bytes>
}

const zlibCoder = (
  encode: 'brotliCompress' | 'gzip',
  decode: 'brotliDecompress' | 'gunzip',
  options: () => ZlibOptions & BrotliOptions,
): Coder => ({
  now: (text) => loadZlib()[`${encode}Sync`](text, options()),
  later: (text) => promised((done) => (loadZlib()[encode] as typeof gzip)(text, options(), done)),
  decode: (body) => promised((done) => loadZlib()[decode](body, done)),
})

const promised = (start: (done: (error: Error | null, bytes: Bytes) => void) => void): Promise<Bytes> =>
  new Promise((resolve, reject) => start((error, bytes) => (error ? reject(error) : resolve(bytes))))

// Small bodies are encoded on the event loop: higher levels save a tenth in two to three times the time.
const ZSTD = { level: 3 }
const GZIP = { level: 6 }
const BROTLI_QUALITY = 4

const CODERS: Record<Compressed, Coder> = {
  zstd: {
    now: (text) => Buffer.from(Bun.zstdCompressSync(text, ZSTD)),
    later: async (text) => Buffer.from(await Bun.zstdCompress(text, ZSTD)),
    decode: async (body) => Buffer.from(await Bun.zstdDecompress(body)),
  },
  br: zlibCoder('brotliCompress', 'brotliDecompress', () => ({
    params: { [loadZlib().constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  })),
  gzip: zlibCoder('gzip', 'gunzip', () => GZIP),
}

/**
 * The longest text that is encoded on the event loop, in a few milliseconds: Bun closes a connection with pipelined requests behind
 * a response that is not ready at once.
 */
const MAX_LENGTH = 64 * 1_024

export const encode = (text: string, encoding: Compressed): Bytes | Promise<Bytes> =>
  text.length > MAX_LENGTH ? CODERS[encoding].later(text) : CODERS[encoding].now(text)

export const decode = async (body: Blob, encoding: Encoding): Promise<string> =>
  encoding === 'identity' ? body.text() : (await CODERS[encoding].decode(await body.bytes())).toString()

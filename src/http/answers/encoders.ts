type Zlib = typeof import('node:zlib')
type Encoded = Buffer<ArrayBuffer>

/** Loaded on first use: that takes longer than the rest of a server's start. */
const loadZlib = () => require('node:zlib') as Zlib

// Small bodies are encoded on the event loop: higher levels save a tenth in two to three times the time.
const ZSTD = { level: 3 }
const GZIP = { level: 6 }
const BROTLI_QUALITY = 4

const brotliOptions = ({ constants }: Zlib) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
})

/** A synchronous and an asynchronous encoder for each encoding, and its decoder. */
export const ENCODERS = {
  zstd: {
    now: (text) => Buffer.from(Bun.zstdCompressSync(text, ZSTD)),
    later: async (text) => Buffer.from(await Bun.zstdCompress(text, ZSTD)),
    decode: async (body) => Buffer.from(await Bun.zstdDecompress(body)),
  },
  br: {
    now: (text) => loadZlib().brotliCompressSync(text, brotliOptions(loadZlib())),
    later: (text) => promised((done) => loadZlib().brotliCompress(text, brotliOptions(loadZlib()), done)),
    decode: (body) => promised((done) => loadZlib().brotliDecompress(body, done)),
  },
  gzip: {
    now: (text) => loadZlib().gzipSync(text, GZIP),
    later: (text) => promised((done) => loadZlib().gzip(text, GZIP, done)),
    decode: (body) => promised((done) => loadZlib().gunzip(body, done)),
  },
} satisfies Record<string, Coder>

interface Coder {
  now(text: string): Encoded
  later(text: string): Promise<Encoded>
  decode(body: Uint8Array): Promise<Encoded>
}

function promised(start: (done: (error: Error | null, encoded: Encoded) => void) => void): Promise<Encoded> {
  return new Promise((resolve, reject) =>
    start((error, encoded) => (error ? reject(error) : resolve(encoded))),
  )
}

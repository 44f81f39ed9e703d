import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Encoder = (text: string) => Promise<Buffer<ArrayBuffer>>

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** An encoder for each encoding. They work off the event loop: a large body takes milliseconds. */
export const ENCODERS = {
  zstd: async (text) => Buffer.from(await Bun.zstdCompress(text, { level: 6 })),
  br: async (text) => Buffer.from(await promisify(brotliCompress)(text, { params: BROTLI })),
  gzip: async (text) => Buffer.from(await promisify(gzip)(text, { level: 6 })),
} satisfies Record<string, Encoder>

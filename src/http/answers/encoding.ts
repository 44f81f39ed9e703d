import { weightsIn } from '../request/accept.ts'
import { ENCODERS } from './encoders.ts'

/** In order of preference. */
const COMPRESSED = ['zstd', 'br', 'gzip'] as const
export const ENCODINGS = [...COMPRESSED, 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The last `Accept-Encoding` and its result: most clients send one of a few. */
let lastAccept = ''
let lastEncoding: Encoding = 'identity'

export function negotiateEncoding(accept: string | null): Encoding {
  if (accept === null || accept === '') return 'identity'
  if (accept !== lastAccept) {
    lastEncoding = bestOf(accept)
    lastAccept = accept
  }
  return lastEncoding
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

/**
 * The longest text that is encoded on the event loop, in a few milliseconds: Bun closes a connection with pipelined requests behind
 * a response that is not ready at once.
 */
const MAX_LENGTH = 64 * 1_024

type Compressed = (typeof COMPRESSED)[number]

export const encode = (
  text: string,
  encoding: Compressed,
): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> =>
  text.length > MAX_LENGTH ? ENCODERS[encoding].later(text) : ENCODERS[encoding].now(text)

/** The text of a body in this encoding. */
export const decode = async (body: Blob, encoding: Encoding): Promise<string> =>
  encoding === 'identity'
    ? body.text()
    : (await ENCODERS[encoding].decode(await body.bytes())).toString('utf8')

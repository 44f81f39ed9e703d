import type { PlainBody } from '../reading/serialize.ts'
import { ENCODERS } from './encoders.ts'

/** In order of preference. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number] | 'identity'

/** The most entries of an `Accept-Encoding` that are read. */
const MAX_ENTRIES = 16

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
  const weights = new Map<string, number>()
  for (const entry of accept.toLowerCase().split(',').slice(0, MAX_ENTRIES)) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  let best: Encoding = 'identity'
  let most = weights.get('identity') ?? 0
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    const isBetter = best === 'identity' ? weight >= most : weight > most
    if (weight > 0 && isBetter) [best, most] = [encoding, weight]
  }
  return best
}

/**
 * The longest text encoded on the event loop, and the most of all texts in one turn: a few milliseconds. Not
 * asynchronously, because Bun closes a connection with pipelined requests behind a response that is not ready at once.
 */
const MAX_LENGTH = 64 * 1_024
const MAX_LENGTH_PER_TURN = 8 * MAX_LENGTH
let lengthInTurn = 0

/** A promise for a long text; null if this turn has encoded too much: then the text is sent unencoded. */
export function encode(
  text: PlainBody,
  encoding: Exclude<Encoding, 'identity'>,
): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> | null {
  if (text.length > MAX_LENGTH) return ENCODERS[encoding].later(text)
  if (lengthInTurn + text.length > MAX_LENGTH_PER_TURN) return null
  if (lengthInTurn === 0)
    setImmediate(() => {
      lengthInTurn = 0
    })
  lengthInTurn += text.length
  return ENCODERS[encoding].now(text)
}

/** Best first: the order of choice among encodings that the client accepts equally. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number] | 'identity'

/** At most so many entries of an `Accept-Encoding` are read. */
const MAX_ENTRIES = 16

/** The encoding to send, by the client's `Accept-Encoding`. */
export function negotiateEncoding(accept: string | null): Encoding {
  if (accept === null || accept === '') return 'identity'
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

/** The encoders are loaded when first used: that takes longer than everything else a server loads at its start. */
export const encode = async (
  text: string,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<Buffer<ArrayBuffer>> => (await import('./encoders.ts')).ENCODERS[encoding](text)

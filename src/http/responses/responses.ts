/**
 * A body as it goes over the wire, with the headers of its 200 and of its 304. Made once, sent many times: the
 * body as a `Blob`, which Bun sends without a copy, and the headers as `Headers`, which it copies into a response
 * in a third of the time that a plain object takes.
 */
export class Answer {
  private ok: Headers | undefined
  private notModified: Headers | undefined

  constructor(
    readonly body: Blob,
    readonly etag: string,
    private readonly headings: HeaderFields,
    private readonly encoding: string | null,
  ) {}

  /** The headers of the answer, or of the 304 that stands for it. Made when they are first sent. */
  headers(isKnown: boolean): Headers {
    if (isKnown) {
      this.notModified ??= new Headers({ etag: this.etag, ...this.headings })
      return this.notModified
    }
    this.ok ??= new Headers({
      'content-type': 'application/json',
      etag: this.etag,
      ...this.headings,
      ...(this.encoding !== null && { 'content-encoding': this.encoding }),
    })
    return this.ok
  }
}

export type HeaderFields = Readonly<Record<string, string>>

/** The answer that carries this JSON text, in this coding if that is worth it, with `headings` for both statuses. */
export async function createAnswer(json: string, wish: Coding, headings: HeaderFields): Promise<Answer> {
  const coding = json.length >= LEAST_TO_ENCODE ? wish : 'identity'
  const isEncoded = coding !== 'identity'
  const body = new Blob([isEncoded ? await encode(json, coding) : json])
  // A strong tag names the bytes, so each coding has its own; and a page that gets a successor is another page.
  const link = headings.link === undefined ? '' : hash(headings.link)
  const etag = `"${hash(json)}${link}${isEncoded ? `-${coding}` : ''}"`
  return new Answer(body, etag, headings, isEncoded ? coding : null)
}

/**
 * Sends an answer, or 304 if the client says it has it. For requests that have passed every check. `rate` is
 * the header that differs with every public answer; the one before it is overwritten, as responses have copies.
 */
export function send(answer: Answer, request: Headers, rate: string | null = null): Response {
  const tags = request.get('if-none-match')
  const isKnown = tags !== null && matches(tags, answer.etag)
  const headers = answer.headers(isKnown)
  if (rate !== null) headers.set('ratelimit', rate)
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(answer.body, { headers })
}

/** An answer of the moment, for nobody to keep. */
export const jsonResponse = (status: number, body: object, extra: HeaderFields = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...extra },
  })

export type Coding = (typeof CODINGS)[number] | 'identity'

/** Smaller bodies fit in a packet anyway. */
const LEAST_TO_ENCODE = 1_024

/** Best first: the order in which codings are chosen that the client likes equally. */
const CODINGS = ['zstd', 'br', 'gzip'] as const

/** The encoders are loaded when first asked for: that takes longer than all else a server loads at its start. */
const encode = async (json: string, coding: Exclude<Coding, 'identity'>): Promise<Buffer<ArrayBuffer>> =>
  (await import('./encoders.ts')).ENCODERS[coding](json)

/** The coding to send, by the client's `Accept-Encoding`. */
export function negotiate(accept: string | null): Coding {
  if (accept === null || accept === '') return 'identity'
  const wishes = new Map<string, number>()
  for (const entry of accept.toLowerCase().split(',').slice(0, 16)) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    wishes.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const wish = (coding: string) => wishes.get(coding) ?? wishes.get('*') ?? 0
  let best: Coding = 'identity'
  let most = wishes.get('identity') ?? 0
  for (const coding of CODINGS) {
    const weight = wish(coding)
    const isBetter = best === 'identity' ? weight >= most : weight > most
    if (weight > 0 && isBetter) [best, most] = [coding, weight]
  }
  return best
}

/** Weak comparison with any of the tags in an `If-None-Match`. */
function matches(tags: string, etag: string): boolean {
  return (
    tags === etag ||
    tags === '*' ||
    tags.split(',').some((tag) => {
      const trimmed = tag.trim()
      return trimmed === '*' || trimmed === etag || trimmed === `W/${etag}`
    })
  )
}

const hash = (text: string): string => Bun.hash.xxHash3(text).toString(36).padStart(13, '0')

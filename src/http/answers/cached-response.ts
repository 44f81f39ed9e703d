import { handOver } from '../../domain/turns.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { decode, type Encoding, encode } from './encoding.ts'

/** A text to send. Those with the same headers share one object of them. */
export interface Body {
  readonly kind: 'body'
  text: string | Uint8Array<ArrayBuffer>
  headers: HeaderFields
  /** JSON by default. */
  type?: string
}

/**
 * An encoded body with the headers of its 200 and its 304, created once and sent many times: the body is a `Blob`,
 * which Bun sends without a copy, and the headers are `Headers`, which it copies three times as fast as a plain object.
 */
export class CachedResponse {
  private ok: Headers | undefined
  private notModified: Headers | undefined

  constructor(
    readonly body: Blob,
    readonly etag: string,
    private readonly fields: HeaderFields,
    private readonly type: string,
    private readonly encoding: Encoding,
  ) {}

  async content(): Promise<Body> {
    return {
      kind: 'body',
      text: await decode(this.body, this.encoding),
      headers: this.fields,
      type: this.type,
    }
  }

  /** The headers of the 200 or of the 304, created on first use. */
  headers(isNotModified: boolean): Headers {
    if (isNotModified) {
      this.notModified ??= new Headers({ etag: this.etag, ...this.fields })
      return this.notModified
    }
    this.ok ??= new Headers({
      'content-type': this.type,
      etag: this.etag,
      ...this.fields,
      ...(this.encoding !== 'identity' && { 'content-encoding': this.encoding }),
    })
    return this.ok
  }
}

/** Texts of megabytes are joined, hashed and copied in turns of their own: each takes milliseconds. */
const LONG = 1_000_000
/** Smaller bodies fit in one packet anyway. */
const MIN_LENGTH_TO_ENCODE = 1_024

/** Creates a response with this text, encoded as `accepted` unless it is too small, or with bytes as they are. `fields` are headers of both statuses. */
export async function createCachedResponse(
  text: Body['text'],
  accepted: Encoding,
  fields: HeaderFields,
  type = 'application/json',
): Promise<CachedResponse> {
  const isLong = text.length > LONG
  if (isLong) await handOver()
  // A strong tag names the bytes, so each encoding has its own; and a page with a next page has another tag.
  const tag = hash(text) + (fields.link === undefined ? '' : hash(fields.link))
  if (isLong) await handOver()
  if (accepted === 'identity' || typeof text !== 'string' || text.length < MIN_LENGTH_TO_ENCODE)
    return new CachedResponse(new Blob([text]), `"${tag}"`, fields, type, 'identity')
  const encoded = await encode(text, accepted)
  return new CachedResponse(new Blob([encoded]), `"${tag}-${accepted}"`, fields, type, accepted)
}

/** Responses with one content, in the encodings that clients ask for, each made once. */
export class Encoded {
  readonly kind = 'encoded'

  constructor(
    private readonly body: () => Body | Promise<Body>,
    /** Gets each when it is made. */
    private readonly keep: (response: CachedResponse, encoding: Encoding) => void = () => {},
    private readonly made = new Map<Encoding, CachedResponse | Promise<CachedResponse>>(),
  ) {}

  as(encoding: Encoding): CachedResponse | Promise<CachedResponse> {
    const response = this.made.get(encoding) ?? this.make(encoding)
    this.made.set(encoding, response)
    return response
  }

  private async make(encoding: Encoding): Promise<CachedResponse> {
    const { text, headers, type } = await this.body()
    const response = await createCachedResponse(text, encoding, headers, type)
    this.keep(response, encoding)
    return response
  }
}

/**
 * Sends the response, or a 304. Only for requests that have passed every check. `rateLimit` is the only header that
 * differs each time; every `Response` copies the headers, so replacing the previous one is safe.
 */
export function send(
  cached: CachedResponse,
  request: Pick<Headers, 'get'>,
  rateLimit: string | null = null,
): Response {
  const tags = request.get('if-none-match')
  const isNotModified = tags !== null && matches(tags, cached.etag)
  const headers = cached.headers(isNotModified)
  if (rateLimit !== null) headers.set('ratelimit', rateLimit)
  return isNotModified ? new Response(null, { status: 304, headers }) : new Response(cached.body, { headers })
}

/** Weak comparison with the tags of an `If-None-Match`. */
const matches = (tags: string, etag: string): boolean =>
  tags === etag || tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

const hash = (text: Body['text']): string => Bun.hash.xxHash3(text).toString(36).padStart(13, '0')

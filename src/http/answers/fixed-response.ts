import type { Context } from '../request/context.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { type CachedResponse, createCachedResponse, send } from './cached-response.ts'
import { type Encoding, negotiateEncoding } from './encoding.ts'

/** A text that never changes: built on first use, and encoded once each way. */
export function createFixedResponse(
  headers: HeaderFields,
  build: () => string,
): (context: Context) => Promise<Response> {
  const responses = new Map<Encoding, CachedResponse>()
  let text: string | undefined

  return async ({ request }) => {
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    let response = responses.get(encoding)
    if (!response) {
      text ??= build()
      response = await createCachedResponse(text, encoding, headers)
      responses.set(encoding, response)
    }
    return send(response, request.headers)
  }
}

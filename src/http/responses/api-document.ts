import { type CachedResponse, createCachedResponse, send } from './cached-response.ts'
import { type Encoding, negotiateEncoding } from './encoding.ts'
import type { HeaderFields } from './json.ts'

/** Responds with the description of the API. It never changes, so it is described once, and encoded once each way. */
export function createDocumentResponder(headers: HeaderFields) {
  const responses = new Map<Encoding, CachedResponse>()
  let json: string | undefined

  return async (request: Request, describe: () => object): Promise<Response> => {
    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    let response = responses.get(encoding)
    if (!response) {
      json ??= JSON.stringify(describe())
      response = await createCachedResponse(json, encoding, headers)
      responses.set(encoding, response)
    }
    return send(response, request.headers)
  }
}

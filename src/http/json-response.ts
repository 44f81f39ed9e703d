export type HeaderFields = Readonly<Record<string, string>>

/** Every response is what its `Content-Type` says. */
export const NO_SNIFFING: HeaderFields = { 'x-content-type-options': 'nosniff' }

/** A response with a JSON body that no one may cache. */
export const jsonResponse = (status: number, body: object, extra: HeaderFields = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...NO_SNIFFING, ...extra },
  })

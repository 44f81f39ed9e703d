export type HeaderFields = Readonly<Record<string, string>>

/** A response with a JSON body that no one may cache. */
export const jsonResponse = (status: number, body: object, extra: HeaderFields = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...extra },
  })

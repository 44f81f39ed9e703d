export type HeaderFields = Readonly<Record<string, string>>

export const NO_SNIFFING: HeaderFields = { 'x-content-type-options': 'nosniff' }

/** JSON that must not be cached. */
export const jsonResponse = (status: number, body: object, extra: HeaderFields = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...NO_SNIFFING, ...extra },
  })

export function withHeaders(response: Response, headers: HeaderFields): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

import type { Cidr } from '../../../domain/ip-address.ts'
import { after } from '../after.ts'
import { isTrustedPeer } from '../client.ts'
import type { Handler } from '../pipeline.ts'

/** The header in which a proxy names a request, so that its log and ours can be compared. */
const REQUEST_ID = 'x-request-id'

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/**
 * The name that a trusted proxy has given to a request, if it is well-formed. Some proxies pass on what the client sent: what
 * could be an API key, or is readable in base64 or hexadecimal, is not taken, because it would be logged.
 */
export function givenId(request: Request, peer: string | undefined, trusted: readonly Cidr[]): string | null {
  if (trusted.length === 0) return null
  const id = request.headers.get(REQUEST_ID)
  return id !== null && isWellFormed(id) && isTrustedPeer(peer, trusted) ? id : null
}

const isWellFormed = (id: string): boolean =>
  WELL_FORMED.test(id) &&
  !/clk_/i.test(id) &&
  !(['base64', 'hex'] as const).some((encoding) =>
    READABLE.test(Buffer.from(id, encoding).toString('latin1')),
  )

/** Six bytes are readable by chance once in four hundred times, and the sixteen of a usual id never. */
const READABLE = /^[ -~]{6,}$/

/** The handler, whose responses carry the id that a trusted proxy gave; without one, they stay as they are. */
export function withGivenIds(handler: Handler, trusted: readonly Cidr[]): Handler {
  return (request, peer, trace) => {
    if (!request.headers.has(REQUEST_ID)) return handler(request, peer, trace)
    const address = peer()
    const id = givenId(request, address, trusted)
    const response = handler(request, () => address, trace)
    return id === null ? response : after(response, (response) => withId(response, id))
  }
}

export function withId(response: Response, id: string): Response {
  response.headers.set(REQUEST_ID, id)
  return response
}

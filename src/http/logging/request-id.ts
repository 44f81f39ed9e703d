import type { Cidr } from '../../domain/addresses/ip-address.ts'
import { isTrustedPeer } from '../request/client.ts'
import { type Handler, whenReady } from '../request/context.ts'
import { withHeaders } from '../request/json-response.ts'
import type { Mask } from './mask.ts'

/** Proxies name requests in this header, so that logs can be compared. */
const REQUEST_ID = 'x-request-id'

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/** The id that a trusted proxy gave a request. Ignored with a secret in it, because it would be logged. */
export function givenId(
  request: Request,
  peer: string | undefined,
  trusted: readonly Cidr[],
  mask: Mask,
): string | null {
  if (trusted.length === 0) return null
  const id = request.headers.get(REQUEST_ID)
  return id !== null && WELL_FORMED.test(id) && mask(id) === id && isTrustedPeer(peer, trusted) ? id : null
}

/** Adds the id that a trusted proxy gave to responses. */
export function withGivenIds(handler: Handler, trusted: readonly Cidr[], mask: Mask): Handler {
  return (request, peer, trace) => {
    if (!request.headers.has(REQUEST_ID)) return handler(request, peer, trace)
    const known = peer()
    const id = givenId(request, known?.address, trusted, mask)
    const response = handler(request, () => known, trace)
    return id === null ? response : whenReady(response, (response) => withId(response, id))
  }
}

export const withId = (response: Response, id: string): Response =>
  withHeaders(response, { [REQUEST_ID]: id })

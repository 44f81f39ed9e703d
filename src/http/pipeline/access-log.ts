import { loggedAddresses, loggedAgent, loggedPath } from './log-text.ts'
import type { Handler } from './pipeline.ts'

/**
 * The handler, with one JSON line written for each request when its response is ready. What the client sent is shown
 * as far as it can hold no credential.
 */
export function withAccessLog(handler: Handler, now: () => number, write: (line: string) => void): Handler {
  return async (request, peer) => {
    const start = performance.now()
    // Asked before the response: afterwards the address is no longer known.
    const address = peer()
    const response = await handler(request, () => address)
    const line = {
      time: new Date(now()).toISOString(),
      method: request.method,
      path: loggedPath(request.url),
      status: response.status,
      ms: Math.round((performance.now() - start) * 1000) / 1000,
      peer: address ?? null,
      forwardedFor: loggedAddresses(request.headers.get('x-forwarded-for')),
      userAgent: loggedAgent(request.headers.get('user-agent')),
    }
    write(JSON.stringify(line))
    return response
  }
}

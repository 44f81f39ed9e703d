import type { Handler } from './pipeline.ts'

/** The handler, with one JSON line written for each request when its response is ready. */
export function withAccessLog(handler: Handler, now: () => number, write: (line: string) => void): Handler {
  return async (request, peer) => {
    const start = performance.now()
    // Asked before the response: afterwards the address is no longer known.
    const address = peer()
    const response = await handler(request, () => address)
    const line = {
      time: new Date(now()).toISOString(),
      method: request.method,
      path: pathOf(request.url),
      status: response.status,
      ms: Math.round((performance.now() - start) * 1000) / 1000,
      peer: address ?? null,
      forwardedFor: request.headers.get('x-forwarded-for') ?? undefined,
      userAgent: request.headers.get('user-agent') ?? undefined,
    }
    write(withoutTokens(JSON.stringify(line)))
    return response
  }
}

/** Without the query, which may hold a credential that was put there by mistake. */
const pathOf = (url: string): string => {
  const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '')
  try {
    const plain = decodeURIComponent(path)
    return TOKEN.test(plain) ? plain : path
  } catch {
    return path
  }
}

/** Anything that looks like a key is left out, wherever in the line it is. */
const TOKEN = /(clk_)?[0-9A-Za-z]{36,}/

const withoutTokens = (line: string): string => line.replace(new RegExp(TOKEN, 'g'), 'clk_…')

import type { Handler } from './pipeline.ts'

/** One JSON line for each request, written when its answer is ready. */
export function logging(handler: Handler, now: () => number, write: (line: string) => void): Handler {
  return async (request, peer) => {
    const start = performance.now()
    // Asked at once: after the answer nobody knows it any more.
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

/** Without the query, which may carry a credential that somebody put there by mistake. */
const pathOf = (url: string): string => {
  const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '')
  try {
    const plain = decodeURIComponent(path)
    return TOKEN.test(plain) ? plain : path
  } catch {
    return path
  }
}

/** What looks like a key, wherever it stands: it is not written either. */
const TOKEN = /(clk_)?[0-9A-Za-z]{36,}/

const withoutTokens = (line: string): string => line.replace(new RegExp(TOKEN, 'g'), 'clk_…')

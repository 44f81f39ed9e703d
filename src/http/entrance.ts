import { timingSafeEqual } from 'node:crypto'

/** How long a one-time address works. */
const VALID_MS = 600_000

export interface Entrance {
  /** A new path, which works once. The one before no longer works. */
  open(): string
  /** Lets the browser in that opens that path, and leads it on. Null for other requests. */
  enter(request: Request, pathname: string): Response | null
  /** True for a browser that was let in. */
  knows(request: Request): boolean
}

/**
 * Lets browsers in by addresses that work once, and knows them by a cookie. Browsers send a cookie to every port: its name
 * is for other servers of this program, `path` for others.
 */
export function createEntrance(
  name: string,
  { path, leadsTo = path }: { path: string; leadsTo?: string },
  now = Date.now,
): Entrance {
  const session = randomToken()
  const cookie = `changelogd-${name}-${randomToken()}`
  let token = randomToken()
  let until = 0
  return {
    open: () => {
      token = randomToken()
      until = now() + VALID_MS
      return `/${name}/${token}`
    },
    enter: ({ method }, pathname) => {
      if (now() >= until || method !== 'GET' || !isEqual(pathname, `/${name}/${token}`)) return null
      until = 0
      const value = `${cookie}=${session}; Path=${path}; HttpOnly; SameSite=Strict`
      return new Response(null, {
        status: 303,
        headers: { location: leadsTo, 'set-cookie': value, ...PRIVATE },
      })
    },
    knows: ({ headers }) =>
      isEqual(new Bun.CookieMap(headers.get('cookie') ?? '').get(cookie) ?? '', session),
  }
}

/** No cache keeps the response, and no linked page learns its address. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

export const randomToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `authorization` is left for the routes. */
export interface GateResult {
  admitted: boolean
  /** False without a credential: that is no failed login. */
  attempted: boolean
  authorization: string | null
}

export type Gate = (headers: Headers) => GateResult

const BASIC = /^basic ([A-Za-z0-9+/]+={0,2})$/i

/**
 * Site-wide HTTP Basic authentication with one credential, in `X-Site-Authorization` or, without that, in
 * `Authorization`, alone or with a bearer token (`Basic …, Bearer …`, in either order: two header lines are joined). A
 * bearer token alone does not pass.
 */
export function createGate({ user, password }: { user: string; password: string }): Gate {
  const expected = digest(`${user}:${password}`)

  return (headers) => {
    const authorization = headers.get('authorization')
    const site = headers.get('x-site-authorization')
    const { basic, rest } = site === null ? split(authorization) : { basic: site, rest: authorization }
    const credential = basic === null ? null : decode(basic)
    return {
      admitted: credential !== null && crypto.timingSafeEqual(digest(credential), expected),
      attempted: basic !== null,
      authorization: rest,
    }
  }
}

/** Digests have one length, so the time to compare them reveals nothing. */
const digest = (text: string) => Bun.SHA256.hash(text)

function split(header: string | null): { basic: string | null; rest: string | null } {
  if (header === null) return { basic: null, rest: null }
  const parts = header.split(/\s*,\s*/)
  const at = parts.findIndex((part) => /^basic /i.test(part))
  if (at < 0) return { basic: null, rest: header }
  const [basic] = parts.splice(at, 1)
  return { basic: basic as string, rest: parts.length > 0 ? parts.join(', ') : null }
}

/** `user:password`, or null if it is malformed. */
function decode(header: string): string | null {
  const encoded = BASIC.exec(header)?.[1]
  return encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8')
}

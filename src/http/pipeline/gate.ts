/** Whether a request passes the gate, and the `Authorization` that is left for the routes. */
export interface GateResult {
  admitted: boolean
  /** Whether the request has a credential at all: without one it is no failed login. */
  attempted: boolean
  authorization: string | null
}

export type Gate = (headers: Headers) => GateResult

const BASIC = /^basic ([A-Za-z0-9+/]+={0,2})$/i

/**
 * Site-wide HTTP Basic authentication with one credential. It is in `X-Site-Authorization` or, if that is absent,
 * in `Authorization`, alone or together with a bearer token (`Basic …, Bearer …`, in either order: what two header
 * lines become). A bearer token alone does not pass.
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

/** Digests have one length, so the time of the comparison tells nothing about the password. */
const digest = (text: string) => Bun.SHA256.hash(text)

/** Separates `Basic …` from the rest of an `Authorization` header. */
function split(header: string | null): { basic: string | null; rest: string | null } {
  if (header === null) return { basic: null, rest: null }
  const parts = header.split(/\s*,\s*/)
  const at = parts.findIndex((part) => /^basic /i.test(part))
  if (at < 0) return { basic: null, rest: header }
  const [basic] = parts.splice(at, 1)
  return { basic: basic as string, rest: parts.length > 0 ? parts.join(', ') : null }
}

/** The `user:password` of a Basic credential, or null if it is malformed. */
function decode(header: string): string | null {
  const encoded = BASIC.exec(header)?.[1]
  return encoded === undefined ? null : Buffer.from(encoded, 'base64').toString('utf8')
}

/**
 * Path and query of a URL; the whole text if it has no host. Needless escapes in the path are decoded, so that
 * everything has one spelling from here on.
 */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : 0)
  const target = start <= 0 ? url : url.slice(start)
  return target.includes('%') ? target.replace(PATH, withoutNeedlessEscapes) : target
}

const PATH = /^[^?#]*/

/** Without the query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

export const parametersOf = (target: string): URLSearchParams => new URLSearchParams(queryOf(target))

/** The query of a target, with its question mark. */
export const queryOf = (target: string): string => target.slice(pathOf(target).length)

/** Known, but never read: the 401 says so. */
export const TOKEN = 'access_token'

/** The path with parameters of these names, in their order: unknown parameters must not create cache entries. */
export function reducedTarget(target: string, names: readonly string[]): string {
  const path = pathOf(target)
  if (path === target || names.length === 0) return path
  const kept = keep(target.slice(path.length + 1), names)
  return kept === '' ? path : `${path}?${kept}`
}

/** A query that `URLSearchParams` would not change. */
const PLAIN = /^[a-z]+=[\w*.-]*(&[a-z]+=[\w*.-]*)*$/

/** As `URLSearchParams` writes them, seven times as fast. Hides the value of a token. */
function keep(query: string, names: readonly string[]): string {
  const given = (PLAIN.test(query) ? query : String(new URLSearchParams(query))).split('&')
  const kept: string[] = []
  for (const name of names)
    for (const each of given)
      if (each.startsWith(name) && each[name.length] === '=') kept.push(name === TOKEN ? `${TOKEN}=x` : each)
  return kept.join('&')
}

/** A path with a `%` that begins no escape stays as it is: decoding could make it an escape. */
const withoutNeedlessEscapes = (path: string): string =>
  NO_ESCAPE.test(path)
    ? path
    : path.replace(NEEDLESS_ESCAPE, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

const NO_ESCAPE = /%(?![\da-f]{2})/i

/** An escape of an unreserved character (RFC 3986): `%61` for `a`. */
const NEEDLESS_ESCAPE = /%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

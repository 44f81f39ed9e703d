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

export const parametersOf = (target: string): URLSearchParams =>
  new URLSearchParams(target.slice(pathOf(target).length))

/** A path with a `%` that begins no escape stays as it is: decoding could make it an escape. */
const withoutNeedlessEscapes = (path: string): string =>
  NO_ESCAPE.test(path)
    ? path
    : path.replace(NEEDLESS_ESCAPE, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

const NO_ESCAPE = /%(?![\da-f]{2})/i

/** An escape of an unreserved character (RFC 3986): `%61` for `a`. */
const NEEDLESS_ESCAPE = /%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

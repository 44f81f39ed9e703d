/** The addresses of what a product can follow. */

export const SOURCE_RULE =
  'the address of a repository or a file: https://…, ssh://…, git@host:path, or an absolute path on this machine'

const MOST = 1_000
/** Parameters that hold a secret: addresses are stored, exported and logged. */
const SECRET = /token|secret|passw|auth|key$|^sig/i
const SCP = /^[\w.-]+@[\w.-]+:[^\s:][^\s]*$/

/** The address as it is stored; null if a product cannot follow it, for example because a password is in it. */
export function sourceAddress(text: string): string | null {
  const address = text.trim()
  if (address.length > MOST || /\p{Cc}/u.test(address)) return null
  if (address.startsWith('/')) return address
  if (SCP.test(address) && !address.startsWith('-')) return address
  const url = URL.parse(address)
  if (!url || !/^(https?|ssh):$/.test(url.protocol) || url.hostname === '') return null
  const isHttp = url.protocol !== 'ssh:'
  if (url.password || (isHttp && url.username) || url.hash) return null
  if ([...url.searchParams.keys()].some((name) => SECRET.test(name))) return null
  return isHttp ? url.href.replace(/(?<=[^/])\/$/, '') : address
}

export const isLocalPath = (address: string): boolean => address.startsWith('/')

/** The addresses of sources. */

export const SOURCE_RULE = 'an https:// or ssh:// address, git@host:path, or an absolute path on this machine'

const MOST = 1_000
/** Parameters that hold a secret: addresses are stored, exported and logged. */
const SECRET =
  /token|secret|passw|pwd|auth|credential|signature|session|jwt|key(?:_?id)?$|(?:^|[-_.])sig(?:$|[-_.])|^(?:code|sid)$/i
/** A user or host that begins with a hyphen would be an option of ssh. */
const SCP = /^[\w.][\w.-]*@[\w.][\w.-]*:[^\s:][^\s]*$/
const SSH = /^ssh:\/\/(?:[\w.][\w.-]*@)?(?:[\w.][\w.-]*|\[[\da-f:.]+\])(?::\d+)?\//i

/** True if the name of a parameter tells of a secret. */
export const hasSecret = ({ searchParams }: URL): boolean =>
  [...searchParams.keys()].some((name) => SECRET.test(name))

/** The address as it is stored; null if a product cannot follow it, for example because a password is in it. */
export function sourceAddress(text: string): string | null {
  const address = text.trim()
  if (address.length > MOST || /\p{Cc}/u.test(address)) return null
  if (address.startsWith('/')) return address
  if (SCP.test(address)) return address
  const url = URL.parse(address)
  if (!url || !/^(https?|ssh):$/.test(url.protocol) || url.hostname === '') return null
  const isHttp = url.protocol !== 'ssh:'
  if (!isHttp && !SSH.test(address)) return null
  if (url.password || (isHttp && url.username) || url.hash) return null
  if (hasSecret(url)) return null
  return isHttp ? url.href.replace(/(?<=[^/])\/$/, '') : address
}

export const isLocalPath = (address: string): boolean => address.startsWith('/')

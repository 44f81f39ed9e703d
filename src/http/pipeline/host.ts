import { parseAddress } from '../../domain/ip-address.ts'

const NAME = /^[\w.-]+$/
const V6 = /^\[([\da-f:.]+)\]$/i

/**
 * Whether a `Host` header could name a server: a host name or an address, with or without a port, or nothing at all.
 * Two `Host` lines arrive as one, joined by a comma, and are none.
 */
export function isHost(header: string): boolean {
  if (header === '') return true
  const host = header.replace(/:\d{0,5}$/, '')
  const v6 = V6.exec(host)?.[1]
  return v6 === undefined ? NAME.test(host) : parseAddress(v6) !== null
}

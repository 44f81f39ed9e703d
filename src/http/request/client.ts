import {
  type Address,
  type Cidr,
  inCidr,
  parseAddress,
  UNIX_PEERS,
} from '../../domain/addresses/ip-address.ts'

/** Clients with an unknown address share one bucket. */
export const UNKNOWN: Address = [0, 0, 0, 0]

export const UNIX_PEER = 'unix'

/**
 * The client of a request: the peer or, behind trusted proxies, the last address in `X-Forwarded-For` that is not
 * theirs. The header is read from the right, because clients control the left. An entry that is no address ends it: the
 * proxy that sent it is the client. Untrusted peers of a unix socket share one address.
 */
export function clientAddress(peer: string | undefined, headers: Headers, trusted: readonly Cidr[]): Address {
  let address = peerAddress(peer)
  if (!address) return UNKNOWN
  let hops: string[] | undefined
  while (isTrusted(address, trusted)) {
    hops ??= headers.get('x-forwarded-for')?.split(',') ?? []
    const hop = hops.pop()
    const next: Address | null = hop === undefined ? null : parseAddress(withoutPort(hop.trim()))
    if (!next) return address
    address = next
  }
  return address
}

/** True if headers of the peer are believed. */
export function isTrustedPeer(peer: string | undefined, trusted: readonly Cidr[]): boolean {
  const address = peerAddress(peer)
  return address !== null && isTrusted(address, trusted)
}

/** The last peer and its address: many requests come from one client, or through one proxy. */
let lastPeer: string | undefined
let lastAddress: Address | null = null

function peerAddress(peer: string | undefined): Address | null {
  if (peer === undefined) return null
  if (peer !== lastPeer) {
    lastAddress = peer === UNIX_PEER ? UNIX_PEERS.network : parseAddress(peer)
    lastPeer = peer
  }
  return lastAddress
}

const isTrusted = (address: Address, trusted: readonly Cidr[]): boolean =>
  trusted.some((network) => inCidr(address, network))

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1] as string
  return /^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}

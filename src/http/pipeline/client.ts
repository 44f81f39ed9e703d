import {
  type Address,
  type Cidr,
  inCidr,
  parseAddress,
  UNIX_PEERS,
} from '../../domain/addresses/ip-address.ts'

/** The address of every client whose own is not known: they share one bucket. */
export const UNKNOWN: Address = [0, 0, 0, 0]

/** The peer of a unix socket, which has no address. */
export const UNIX_PEER = 'unix'

/**
 * The address a request came from: the peer's or, if the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy's. Peers of a unix socket share one address unless they are trusted. The header is read from the right, because clients can write
 * whatever they like on the left. At an entry that is not an address, the proxy that passed it on is the client.
 */
export function clientAddress(peer: string | undefined, headers: Headers, trusted: readonly Cidr[]): Address {
  let address = peerAddress(peer)
  if (!address) return UNKNOWN
  if (trusted.length === 0) return address
  const hops = headers.get('x-forwarded-for')?.split(',') ?? []
  while (isTrusted(address, trusted)) {
    const hop = hops.pop()
    const next: Address | null = hop === undefined ? null : parseAddress(withoutPort(hop.trim()))
    if (!next) return address
    address = next
  }
  return address
}

/** Whether what the other end of the connection says of a request is believed. */
export function isTrustedPeer(peer: string | undefined, trusted: readonly Cidr[]): boolean {
  const address = peerAddress(peer)
  return address !== null && isTrusted(address, trusted)
}

function peerAddress(peer: string | undefined): Address | null {
  if (peer === UNIX_PEER) return UNIX_PEERS.network
  return peer === undefined ? null : parseAddress(peer)
}

const isTrusted = (address: Address, trusted: readonly Cidr[]): boolean =>
  trusted.some((network) => inCidr(address, network))

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
export function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1] as string
  return /^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}

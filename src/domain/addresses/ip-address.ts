/** IP addresses as numbers: one address has many notations, so addresses are parsed before they are compared. */

/** An address as 128 bits in four words, most significant first. IPv4 is ::ffff:a.b.c.d, whatever its notation. */
export type Address = readonly [number, number, number, number]

export interface Cidr {
  network: Address
  /** How many leading bits count, of 128. */
  bits: number
}

const MAPPED = 0xffff

/** Stands for the peers of a unix socket among networks. No host has the unspecified address. */
export const UNIX_PEERS: Cidr = { network: [0, 0, 0, 0], bits: 128 }

/** Null if the text is no address. A zone (`%eth0`) is ignored. */
export function parseAddress(text: string): Address | null {
  const v4 = parseV4(text)
  if (v4 !== null) return [0, 0, MAPPED, v4]
  const plain = text.replace(/%.*$/, '').replace(/(?<=:)[\d.]+$/, (end) => {
    const low = parseV4(end)
    return low === null ? end : groupsOf(low).join(':')
  })
  // The parser of URLs knows the notations of IPv6, and takes more than these.
  const written = /^[\da-f:]*(?:[\da-f]|::)$/i.test(plain)
    ? URL.parse(`http://[${plain}]`)?.hostname
    : undefined
  if (written === undefined) return null
  const [front = [], back = []] = written
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').map((group) => Number.parseInt(group || '0', 16)))
  const groups = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back]
  const word = (at: number) => ((groups[at] as number) * 0x10000 + (groups[at + 1] as number)) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** A leading zero is octal to some and decimal to others: refused. */
const OCTET = /^(?:0|[1-9]\d{0,2})$/

function parseV4(text: string): number | null {
  const octets = text.split('.')
  const isAddress = octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)
  return isAddress ? octets.reduce((value, octet) => value * 256 + Number(octet), 0) : null
}

const groupsOf = (word: number): string[] => [word >>> 16, word & 0xffff].map((group) => group.toString(16))

/** `192.0.2.0/24`, `2001:db8::/32`, or a single address; null if it is none of these. */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/')
  const network = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (!network) return null
  if (slash < 0) return { network, bits: 128 }
  const length = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(length)) return null
  const isV4 = !text.includes(':')
  const bits = Number(length) + (isV4 ? 96 : 0)
  return bits <= 128 ? { network, bits } : null
}

export function inCidr(address: Address, { network, bits }: Cidr): boolean {
  for (let word = 0; word < 4; word++) {
    const counted = Math.min(32, Math.max(0, bits - word * 32))
    // A shift by 32 is a shift by 0 in JavaScript.
    const mask = counted === 0 ? 0 : (-1 << (32 - counted)) >>> 0
    if (((address[word] as number) & mask) >>> 0 !== ((network[word] as number) & mask) >>> 0) return false
  }
  return true
}

/** 127.0.0.0/8 and ::1. */
const LOOPBACK: readonly Cidr[] = [
  { network: [0, 0, 0xffff, 0x7f000000], bits: 96 + 8 },
  { network: [0, 0, 0, 1], bits: 128 },
]

export const isLoopback = (address: Address): boolean => LOOPBACK.some((cidr) => inCidr(address, cidr))

/** True for an address or name of a host that only this machine reaches. */
export function isThisMachine(host: string): boolean {
  const address = parseAddress(host)
  return address ? isLoopback(address) : host === 'localhost'
}

export const isV4 = (address: Address): boolean =>
  address[0] === 0 && address[1] === 0 && address[2] === MAPPED

/** An address as RFC 5952 writes it, IPv4 with dots. */
export function addressText(address: Address): string {
  if (isV4(address)) return [24, 16, 8, 0].map((shift) => (address[3] >>> shift) & 255).join('.')
  return new URL(`http://[${address.flatMap(groupsOf).join(':')}]`).hostname.slice(1, -1)
}

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
  return parseV6(text)
}

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

export const isV4 = (address: Address): boolean =>
  address[0] === 0 && address[1] === 0 && address[2] === MAPPED

/** An address as RFC 5952 writes it, IPv4 with dots. */
export function addressText(address: Address): string {
  if (isV4(address)) return [24, 16, 8, 0].map((shift) => (address[3] >>> shift) & 255).join('.')
  const text = address
    .flatMap((word) => [word >>> 16, word & 0xffff].map((group) => group.toString(16)))
    .join(':')
  // The longest run of at least two groups of zeros, the first of several.
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].sort((one, other) => other[0].length - one[0].length)
  const run = runs[0]
  if (!run) return text
  const before = text.slice(0, run.index).replace(/:$/, '')
  const after = text.slice(run.index + run[0].length).replace(/^:/, '')
  return `${before}::${after}`
}

/** Character by character, without a regular expression: it runs once per request. */
function parseV4(text: string): number | null {
  let value = 0
  let octet = -1
  let octets = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 46
    if (code === 46) {
      if (octet < 0) return null
      value = value * 256 + octet
      octets++
      octet = -1
    } else if (code >= 48 && code <= 57) {
      // A leading zero is octal to some and decimal to others: refused.
      if (octet === 0) return null
      octet = (octet < 0 ? 0 : octet * 10) + code - 48
      if (octet > 255) return null
    } else return null
  }
  return octets === 4 ? value : null
}

function parseV6(text: string): Address | null {
  const zone = text.indexOf('%')
  const plain = zone < 0 ? text : text.slice(0, zone)
  const halves = plain.split('::')
  if (halves.length > 2) return null
  const front = groups(halves[0] as string, halves.length === 1)
  const back = halves.length === 2 ? groups(halves[1] as string, true) : []
  if (!front || !back) return null
  const missing = 8 - front.length - back.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const all = [...front, ...new Array<number>(missing).fill(0), ...back] as number[]
  const word = (at: number) => ((all[at] as number) * 0x10000 + (all[at + 1] as number)) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** The 16-bit groups of one side of `::`; the last two may be written as an IPv4 address. */
function groups(text: string, mayEndInV4: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const result: number[] = []
  for (const [at, part] of parts.entries()) {
    if (mayEndInV4 && at === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part)
      if (v4 === null) return null
      result.push(Math.floor(v4 / 0x10000), v4 % 0x10000)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return null
      result.push(Number.parseInt(part, 16))
    }
  }
  return result
}

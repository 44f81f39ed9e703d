export type IdPrefix = 'team' | 'prod' | 'clog' | 'ver' | 'chg' | 'key' | 'src' | 'hk' | 'msg' | 'kept'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)
const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** A TypeID: a prefix for the kind and a UUIDv7 in Crockford base32. Ids sort by age, also within a millisecond. */
export const newId = (prefix: IdPrefix): string => idOf(prefix, Bun.randomUUIDv7('buffer'))

function idOf(prefix: IdPrefix, bytes: Buffer): string {
  const first = bytes[0] as number
  let suffix = `${ALPHABET[first >> 5]}${ALPHABET[first & 31]}`
  // The other 120 bits are three groups of 40, and 10 bits are two digits. A large import creates 800,000 ids.
  for (let at = 1; at < 16; at += 5) {
    const high = bytes.readUIntBE(at, 3)
    const low = bytes.readUIntBE(at + 2, 3)
    suffix += PAIRS[high >> 14] as string
    suffix += PAIRS[(high >> 4) & 1023] as string
    suffix += PAIRS[(low >> 10) & 1023] as string
    suffix += PAIRS[low & 1023] as string
  }
  return `${prefix}_${suffix}`
}

/** True if the text has the form of an id of that kind; only the store knows if such a record exists. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && ID.test(text)

/** The bits of a UUIDv7 that vary: 48 of time, then 74 random ones. */
const RANDOM_BITS = 74n
/** With less room than this between two ids, a random one in between might not be unique. */
const LEAST_ROOM = 1n << 40n

/** `count` new ids in rising order between two ids, or just below `above`. Null if there is no room. */
export function idsBetween(
  prefix: IdPrefix,
  lower: string | null,
  upper: string,
  count: number,
): string[] | null {
  const last = freeBitsOf(upper)
  const from = lower === null ? last - (BigInt(count + 3) << RANDOM_BITS) : freeBitsOf(lower)
  // The first quarter, which leaves room for many more ids that each come right above the last.
  const step = (last - from) / BigInt(count + 3)
  if (from < 0n || step < LEAST_ROOM) return null
  return Array.from({ length: count }, (_, at) =>
    idOf(prefix, bytesOf(from + step * BigInt(at + 1) + (randomBits() % step))),
  )
}

function freeBitsOf(id: string): bigint {
  let bits = 0n
  for (const digit of id.slice(id.indexOf('_') + 1)) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(digit))
  return ((bits >> 80n) << RANDOM_BITS) | (((bits >> 64n) & 0xfffn) << 62n) | (bits & ((1n << 62n) - 1n))
}

function bytesOf(value: bigint): Buffer {
  const high = ((value >> RANDOM_BITS) << 16n) | 0x7000n | ((value >> 62n) & 0xfffn)
  const low = (0b10n << 62n) | (value & ((1n << 62n) - 1n))
  return Buffer.from(((high << 64n) | low).toString(16).padStart(32, '0'), 'hex')
}

const randomBits = (): bigint => BigInt(`0x${crypto.getRandomValues(Buffer.alloc(16)).toString('hex')}`)

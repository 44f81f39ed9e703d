/** The kinds of record that have an id, by the prefix of their ids. */
export type IdPrefix = 'team' | 'prod' | 'clog' | 'ver' | 'chg' | 'key'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)
const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/**
 * A new id by the TypeID convention: a prefix that tells the kind, then a UUIDv7 in 26 characters of
 * Crockford base32. Newer ids sort after older ones as text, also within a millisecond.
 */
export function newId(prefix: IdPrefix): string {
  const bytes = Bun.randomUUIDv7('buffer')
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

/** Whether the text has the form of an id of that kind; only the store knows whether such a record exists. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && ID.test(text)

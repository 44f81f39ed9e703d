/** The kinds of record that have an id, by the prefix their ids carry. */
export type IdPrefix = 'team' | 'prod' | 'clog' | 'ver' | 'chg' | 'key'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/**
 * A new id by the TypeID convention: a prefix that tells the kind, then a UUIDv7 in 26 characters of
 * Crockford base32. Ids made later sort after ids made earlier, in text order, also within a millisecond.
 */
export function newId(prefix: IdPrefix): string {
  const bytes = Bun.randomUUIDv7('buffer')
  const high = bytes.readBigUInt64BE(0)
  const low = bytes.readBigUInt64BE(8)
  let rest = (high << 64n) | low
  let suffix = ''
  for (let digit = 0; digit < 26; digit++) {
    suffix = ALPHABET[Number(rest & 31n)] + suffix
    rest >>= 5n
  }
  return `${prefix}_${suffix}`
}

/** Whether the text has the form of an id of that kind; whether such a record exists is the store's to say. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && ID.test(text)

/**
 * Whether a text could be decoded to a credential: by base64, base32 or hexadecimal, as decimal or octal codes, by the
 * escapes of URLs, HTML and JSON, as UTF-8 or UTF-16, and by several of these one after another.
 */

/** A key, or a colon between two characters as in `user:password`. */
const CREDENTIAL = /clk_|[^:]:./

/** The same where the text is known from its begin to its end: the user or the password may be empty. */
const WHOLE_CREDENTIAL = /clk_|[^:]:|^:./

/** How often a text is decoded. A word that is short enough to be shown has no room for more. */
const MAX_DECODINGS = 5

/** Whether the text, or a part of it, can be decoded to a credential. */
export function hidesCredential(text: string, decodings = MAX_DECODINGS): boolean {
  if (decodings === 0 || text.length < 4) return false
  const [parts, wholes] = [decodedParts(text), decodedWhole(text)]
  return (
    parts.some((inner) => CREDENTIAL.test(inner)) ||
    wholes.some((inner) => WHOLE_CREDENTIAL.test(inner)) ||
    [...new Set([...parts, ...wholes])].some((inner) => hidesCredential(inner, decodings - 1))
  )
}

/** As much of joined words as is decoded. A credential that short shows a colon, or its begin, within it. */
const MAX_JOINED = 120

/**
 * Whether a credential is split over these words, from the first one on. What unrelated words are decoded to is soon
 * unreadable, so only what is readable from the first byte on counts.
 */
export function hidesAcross(words: readonly string[]): boolean {
  const letters = words.map((word) => word.replace(/[^A-Za-z0-9]+/g, ''))
  const joined = letters.join('').slice(0, MAX_JOINED)
  const start = letters[0]?.length ?? 0
  const candidates: [Uint8Array, lettersPerByte: number][] = [
    [Buffer.from(joined, 'base64'), 4 / 3],
    [base32(joined), 8 / 5],
    [Buffer.from(joined, 'hex'), 2],
    ...codes(words.join(' ').slice(0, MAX_JOINED)).map((bytes): [Uint8Array, number] => [bytes, 2]),
  ]
  return candidates.some(([bytes, lettersPerByte]) => {
    const text = LEADING.exec(textOf(bytes))?.[0] ?? ''
    if (text.length * lettersPerByte <= start) return false
    return WHOLE_CREDENTIAL.test(text) || hidesCredential(text, 2)
  })
}

/** The readable parts of what base64, hexadecimal or escapes give. Each may begin anywhere in the text. */
function decodedParts(text: string): string[] {
  // The characters between words may also be some of base64.
  const words = new Set([text, ...text.split(/[^A-Za-z0-9]+/)].filter((word) => word.length > 3))
  const bytes = [...words].flatMap((word) =>
    [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64')),
  )
  // Its digits may be apart from each other.
  for (const digits of text.replace(/[^A-Za-z0-9]+/g, '').match(/[\da-f]{6,}/gi) ?? [])
    bytes.push(Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex'))
  const texts = bytes.flatMap((each) => each.toString().match(READABLE) ?? [])
  if (/[%&\\]/.test(text)) texts.push(text.replace(ESCAPE, unescaped))
  return texts.filter((inner) => inner !== text)
}

/** What the text is decoded to where all of that is readable, which it is by chance only in rare cases. */
function decodedWhole(text: string): string[] {
  const words = text.split(/[^A-Za-z0-9]+/)
  const joined = words.join('')
  const texts = [...words.flatMap(byLetters), ...[...words, joined].flatMap(byHex)]
  const joinedTexts = words.length > 1 ? [...byLetters(joined), ...codes(text).map(textOf)] : []
  return [
    ...texts.filter((inner) => WHOLE.test(inner)),
    ...joinedTexts.filter((inner) => WHOLE_ASCII.test(inner)),
  ].filter((inner) => inner !== text)
}

/** What base64 and base32 make of a word, from one of its first characters on. */
function byLetters(word: string): string[] {
  if (word.length < 3) return []
  const bytes: Uint8Array[] = [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64'))
  for (const run of word.match(/[a-z2-7]{4,}/gi) ?? [])
    for (let start = 0; start < 8; start++) bytes.push(base32(run.slice(start)))
  return bytes.map(textOf)
}

const byHex = (word: string): string[] =>
  (word.match(/[\da-f]{4,}/gi) ?? []).flatMap((run) =>
    [run, run.slice(1)].map((digits) => textOf(Buffer.from(digits, 'hex'))),
  )

/** UTF-8, or UTF-16 of characters that ASCII has. */
function textOf(bytes: Uint8Array): string {
  if (!bytes.includes(0)) return UTF8.decode(bytes)
  const narrow = bytes.filter((byte) => byte !== 0)
  return UTF8.decode(Math.abs(bytes.length - 2 * narrow.length) < 2 ? narrow : bytes)
}

/** The characters whose codes the text lists, in decimal or octal numbers. */
function codes(text: string): Uint8Array[] {
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length < 3) return []
  return [10, 8].map((radix) => {
    const values = numbers.map((digits) => Number.parseInt(digits, radix))
    const end = values.findIndex((value) => !(value < 256))
    return Uint8Array.from(end < 0 ? values : values.slice(0, end))
  })
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

function base32(text: string): Uint8Array {
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const digit of text.toLowerCase()) {
    const value = BASE32.indexOf(digit)
    if (value < 0) break
    bits = ((bits << 5) | value) & 0xfff
    held += 5
    if (held < 8) continue
    held -= 8
    bytes.push((bits >> held) & 0xff)
  }
  return Uint8Array.from(bytes)
}

const UTF8 = new TextDecoder()

const READABLE = /[^\p{Cc}\ufffd]{3,}/gu
const LEADING = /^[^\p{Cc}\ufffd]{2,}/u
// The last byte may be the rest of an incomplete group.
const WHOLE = /^[^\p{Cc}\ufffd]{2,}\ufffd?$/u
const WHOLE_ASCII = /^[ -~]{2,}\ufffd?$/

const ESCAPE = /%([\da-f]{2})|&#x([\da-f]{1,5});?|&#(\d{1,6});?|\\u([\da-f]{4})|\\x([\da-f]{2})/gi

const unescaped = (_: string, url?: string, html?: string, decimal?: string, json?: string, byte?: string) =>
  String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(url ?? html ?? json ?? byte ?? '0', 16))

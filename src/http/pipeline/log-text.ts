import { LRUCache } from 'lru-cache'
import { isId } from '../../domain/id.ts'
import { parseAddress } from '../../domain/ip-address.ts'
import { targetOf } from '../paths.ts'
import { withoutPort } from './client.ts'

/**
 * What the access log shows of the texts that a client sends. A credential may be in any of them by mistake, encoded in
 * any way and more than once. So only what is surely harmless is shown: short plain words of which no decoding gives a
 * credential. Everything else is an ellipsis.
 */

const HIDDEN = '…'

/** At most so many words are shown of a text. */
const MAX_WORDS = 24

/** A part of a path, such as a slug or a file name. */
const SEGMENT = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/
const MAX_SEGMENT = 64

/** A word of a `User-Agent`, with the punctuation around it: a name, a version, or both. */
const AGENT_WORD = /^(\(?)([A-Za-z][\w-]*|rv:[\d.]+|\d[\d._]*)(?:\/(v?\d[\w.-]*))?([;,)]*)$/
const MAX_AGENT_WORD = 24

/** The path of a URL, without the query. */
export function loggedPath(url: string): string {
  const [path = ''] = targetOf(url).split(/[?#]/, 1)
  return `/${shown(path.split('/').slice(1), isSegment).join('/')}`
}

/** The words of a `User-Agent`. */
export function loggedAgent(text: string | null): string | undefined {
  return text === null ? undefined : shown(text.split(/\s+/), isAgentWord).join(' ')
}

/** The addresses of an `X-Forwarded-For`. */
export function loggedAddresses(header: string | null): string | undefined {
  if (header === null) return undefined
  const entries = header.split(',').map((entry) => entry.trim())
  return shown(entries, isAddress).join(', ')
}

function shown(words: readonly string[], isHarmless: (word: string) => boolean): string[] {
  const first = words.slice(0, MAX_WORDS).map((word) => (word === '' || isHarmless(word) ? word : HIDDEN))
  return words.length > MAX_WORDS ? [...first, HIDDEN] : first
}

const isSegment = cached(
  (text) =>
    isId('ver', text) ||
    (text.length <= MAX_SEGMENT && SEGMENT.test(text) && !looksRandom(text) && !hides(text)),
)

const isAgentWord = cached((word) => {
  const [, , name, version = ''] = AGENT_WORD.exec(word) ?? []
  return (
    name !== undefined &&
    [name, version].every((text) => text.length <= MAX_AGENT_WORD && !looksRandom(text) && !hides(text)) &&
    !hides(`${name}/${version}`)
  )
})

const isAddress = (text: string): boolean =>
  /^[\da-f:.[\]]{2,51}$/i.test(text) && parseAddress(withoutPort(text)) !== null

/** Almost all words of a log repeat. Only harmless ones are kept. */
function cached(isHarmless: (word: string) => boolean): (word: string) => boolean {
  const harmless = new LRUCache<string, true>({ max: 1_000 })
  return (word) => {
    if (harmless.has(word)) return true
    if (!isHarmless(word)) return false
    harmless.set(word, true)
    return true
  }
}

/** Whether letters and digits alternate as they do in a key, a hash or base32, but not in a name or a version. */
const looksRandom = (text: string): boolean => (text.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0) > 3

/** A key, or a colon between two characters as in `user:password`. */
const CREDENTIAL = /clk_|[^:]:./

/** How often a text is decoded. A word that is short enough to be shown has no room for more. */
const MAX_DECODINGS = 5

/** Whether the text can be decoded to a credential. */
const hides = (text: string, decodings = MAX_DECODINGS): boolean =>
  decodings > 0 && decoded(text).some((inner) => CREDENTIAL.test(inner) || hides(inner, decodings - 1))

/** The readable texts that one decoding gives: by the escapes of URLs, HTML and JSON, by base64 or by hexadecimal. */
function decoded(text: string): string[] {
  // Both may begin anywhere. The characters between words may also be some of base64.
  const words = new Set([text, ...text.split(/[^A-Za-z0-9]+/)].filter((word) => word.length > 3))
  const bytes = [...words].flatMap((word) =>
    [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), 'base64')),
  )
  for (const digits of text.match(/[\da-f]{6,}/gi) ?? [])
    bytes.push(Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex'))
  const texts = bytes.flatMap((each) => each.toString().match(READABLE) ?? [])
  if (/[%&\\]/.test(text)) texts.push(text.replace(ESCAPE, unescaped))
  return texts.filter((inner) => inner !== text)
}

const READABLE = /[^\p{Cc}\ufffd]{3,}/gu

const ESCAPE = /%([\da-f]{2})|&#x([\da-f]{1,5});?|&#(\d{1,6});?|\\u([\da-f]{4})|\\x([\da-f]{2})/gi

const unescaped = (_: string, url?: string, html?: string, decimal?: string, json?: string, byte?: string) =>
  String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(url ?? html ?? json ?? byte ?? '0', 16))

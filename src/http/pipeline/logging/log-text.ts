import { LRUCache } from 'lru-cache'
import { isId } from '../../../domain/id.ts'
import { parseAddress } from '../../../domain/ip-address.ts'
import { targetOf } from '../../paths.ts'
import { withoutPort } from '../client.ts'
import { hidesAcross, hidesCredential } from './decoding.ts'

/**
 * What the access log shows of the texts that a client sends. A credential may be in any of them by mistake, encoded in
 * any usual way and more than once. So only what is harmless is shown: short plain words of which no decoding gives a
 * credential, neither one by one nor together. Everything else is an ellipsis.
 */

const HIDDEN = '…'

/** At most so much is shown of a text: to check a word takes time, and a client that is refused is logged as well. */
const MAX_WORDS = 24
const MAX_CHARACTERS = 512

/** A part of a path, such as a slug or a file name. */
const SEGMENT = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/
const MAX_SEGMENT = 64

/** A word of a `User-Agent`, with the punctuation around it: a name, a version, or both. */
const AGENT_WORD = /^(\(?)([A-Za-z][\w-]*|rv:[\d.]+|\d[\d._]*)(?:\/(v?\d[\w.-]*))?([;,)]*)$/
const MAX_AGENT_WORD = 24

/** The path of a URL, without the query. */
export function loggedPath(url: string): string {
  const [path = ''] = targetOf(url).split(/[?#]/, 1)
  return `/${together(path.split('/').slice(1), isSegment).join('/')}`
}

/** The words of a `User-Agent`. */
export function loggedAgent(text: string | null): string | undefined {
  return text === null ? undefined : together(text.split(/\s+/), isAgentWord).join(' ')
}

/** The addresses of an `X-Forwarded-For`. */
export function loggedAddresses(header: string | null): string | undefined {
  if (header === null) return undefined
  const entries = header.split(',').map((entry) => entry.trim())
  return shown(entries, isAddress).join(', ')
}

function shown(words: readonly string[], isHarmless: (word: string) => boolean): string[] {
  const first = beginning(words).map((word) => (word === '' || isHarmless(word) ? word : HIDDEN))
  return words.length > first.length ? [...first, HIDDEN] : first
}

/** The words as `shown`, up to the first from which on they hide a credential together. */
function together(words: readonly string[], isHarmless: (word: string) => boolean): string[] {
  const first = beginning(words)
  const end = first.findIndex((_, at) => !isHarmlessStart(first.slice(at).join(' ')))
  return end < 0 ? shown(words, isHarmless) : [...shown(words.slice(0, end), isHarmless), HIDDEN]
}

function beginning(words: readonly string[]): readonly string[] {
  let characters = 0
  for (const [at, word] of words.entries()) {
    characters += word.length
    if (at === MAX_WORDS || characters > MAX_CHARACTERS) return words.slice(0, at)
  }
  return words
}

const isHarmlessStart = cached((text) => !hidesAcross(text.split(' ')))

const isSegment = cached(
  (text) =>
    isId('ver', text) ||
    (text.length <= MAX_SEGMENT && SEGMENT.test(text) && !looksRandom(text) && !hidesCredential(text)),
)

const isAgentWord = cached((word) => {
  const [, , name, version = ''] = AGENT_WORD.exec(word) ?? []
  return (
    name !== undefined &&
    !/clk_/i.test(name) &&
    [name, version].every(
      (text) => text.length <= MAX_AGENT_WORD && !looksRandom(text) && !hidesCredential(text),
    ) &&
    (version === '' || !hidesCredential(`${name}/${version}`))
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

import { dayIn } from '../time/date-forms.ts'
import { isMadeWithNumber } from './made-label.ts'
import { addTokens, looseTokens, sortable, TailKey, tokensAt } from './number-tail.ts'
import { LETTERS, type NumberWord, numberWord } from './number-words.ts'

/** What a label says of the place of its version among others. */
export interface VersionNumber {
  /** In front of the number, such as a package: `core@` of `core@v1.2.0`. */
  name: string
  /** `1.2.0-rc.1` of `core@v1.2.0-rc.1`: what has no blank in front. */
  text: string
  /** Where the text is in the label. */
  start: number
  end: number
  parts: readonly number[]
  /** True before the release: `2.0.0rc1`, `1.0-SNAPSHOT`, `2.0 Beta 3`, `1.8.0~alpha3`. */
  prerelease: boolean
  /** Sorts numbers by their bytes. That of a release ends with `~`; see `TailKey`. */
  order: string
}

const DAY = '(?:19|20)\\d\\d(?:[-/]\\d{1,2}[-/]\\d{1,2}(?!\\d)|-(?:0\\d|1[0-2])(?![\\d.])|-W\\d\\d?)'
const DOTTED = '\\d+(?:(?:\\.\\d+)+|(?:_\\d+)+)'
const NUMBER = new RegExp(`(?:(\\d+)[:!](?=\\d))?(${DAY}|${DOTTED}|\\d+)`, 'y')
const PLAIN = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:\.(\d+))?$/i
const V = /^v\.?\s?(?=\d)/i
/** Where the number begins behind a name, the likeliest place first. */
const BEHIND_NAME = [
  /(?<=.@)v?(?=\d)/i,
  new RegExp(`(?<![\\p{L}\\p{N}.])[vr]?(?=\\d+[:!]\\d|${DAY}|${DOTTED})`, 'iu'),
  new RegExp(`(?<=^[^\\d\\s]*\\p{L})(?=${DOTTED})`, 'u'),
  /(?<![\p{L}\p{N}.])[vr]?(?=\d)/iu,
  /(?<=^\p{L}{1,12})(?=\d)/u,
]
/** Longer ones are sentences. */
const LONGEST = 200
const MOST_WORDS = 4

/** Reads a label; null if it is not understood. Then only its place in a list tells its order. */
export function readNumber(label: string): VersionNumber | null {
  if (label.length > LONGEST) return null
  const day = dayIn(label)
  if (day !== null) {
    const more = { name: '', text: day, start: 0, end: label.length, prerelease: false }
    return { ...more, parts: day.split('-').map(Number), order: `${coreOf(day.split('-'))}~` }
  }
  const plain = PLAIN.exec(label)
  if (plain !== null) return plainNumber(label, plain)
  if (isMadeWithNumber(label)) return null
  const start = V.exec(label)?.[0].length ?? 0
  if (/\d/.test(label[start] ?? '')) return numberAt(label, start, '')
  for (const pattern of BEHIND_NAME) {
    const found = /\d/.test(label) ? pattern.exec(label) : null
    if (found) return numberAt(label, found.index + found[0].length, label.slice(0, found.index))
  }
  return wordsAlone(label)
}

/** Most labels. Their order is made only if somebody asks: a long list asks hundreds for their major. */
function plainNumber(label: string, [, ...digits]: RegExpExecArray): VersionNumber {
  const own = digits.filter((one) => one !== undefined)
  const start = /\d/.test(label[0] ?? '') ? 0 : 1
  return {
    name: '',
    start,
    end: label.length,
    text: label.slice(start),
    parts: own.map(Number),
    prerelease: false,
    get order() {
      return `${coreOf(own)}~`
    },
  }
}

function numberAt(label: string, start: number, name: string): VersionNumber | null {
  const front = frontOf(name)
  if (front === null) return null
  NUMBER.lastIndex = start
  const [, epoch = '', digits = ''] = NUMBER.exec(label) ?? []
  const written = digits.split(/\D+/)
  const isOne = written.length === 1
  // `RC 1`, `Alpha 2`: the number belongs to the word.
  const isCount = front.stage !== null && front.isKnown && isOne && digits.length < 4
  const numbers = isCount ? [] : (dayIn(digits)?.split('-') ?? written)
  const key = new TailKey()
  if (front.stage !== null) {
    key.isPrerelease = true
    key.add(front.stage)
  }
  const from = isCount ? start : NUMBER.lastIndex
  for (const more of numbers
    .slice(4)
    .join('.')
    .replace(/(?:\.?\b0+)+$/, '')
    .split('.'))
    if (more) key.add(more)
  const { tokens, end } = tokensAt(label, from)
  const isSemantic =
    numbers.length === 3 && /^-[\dA-Za-z.-]+(?:\+[\dA-Za-z.-]+)?$/.test(label.slice(from, end))
  addTokens(key, tokens, { parts: numbers.length, isSemantic })
  const loose = looseTokens(label.slice(end))
  // `3 new features`
  if (loose === null && isOne && tokens.length === 0 && !/[@/_-]$/.test(name)) return null
  addTokens(key, loose ?? [], { parts: 0, isSemantic: false })
  key.isTrial ||= WEEKLY.test(label)
  const { isPrerelease, isTrial } = key
  // Of months and seasons: `January 2024`.
  if (/^(?:19|20)\d\d$/.test(digits) && front.isWord && !isPrerelease) return null
  return {
    ...{ name, start, end, text: label.slice(start, end), parts: numbers.map(Number) },
    prerelease: isPrerelease || isTrial,
    order: (/[1-9]/.test(epoch) ? `:${sortable(epoch)}` : '') + coreOf(numbers) + key.end,
  }
}

/** `24w03a` */
const WEEKLY = /^\d\dw\d\d[a-z~]/i

const coreOf = (numbers: readonly string[]): string =>
  numbers.length === 0 ? NO_NUMBER : [0, 1, 2, 3].map((at) => sortable(numbers[at] ?? '0')).join('')
const NO_NUMBER = '000'.repeat(4)

interface Front {
  /** The stage that the last word tells: `Beta 1.7.3`. */
  stage: string | null
  /** All words are known. */
  isKnown: boolean
  /** A single unknown word, with a blank behind it. */
  isWord: boolean
}

const LETTER_OR_MARK = /[\p{L}\p{M}]+/gu

/** What is in front of a number; null for a sentence. */
function frontOf(name: string): Front | null {
  if (name === '') return { stage: null, isKnown: true, isWord: false }
  if (name.trim().split(/\s+/).length > MOST_WORDS) return null
  const words = (name.match(LETTER_OR_MARK) ?? []).map((word) =>
    /^[ab]$/i.test(name) ? stageOf(word) : numberWord(word),
  )
  const last = words.at(-1)
  const isKnown = words.every((word) => word !== null)
  const isPackage = name.endsWith('@') || (name.endsWith('/') && !isKnown)
  return {
    stage: last?.kind === 'stage' && !isPackage ? last.name : null,
    isKnown,
    isWord: words.length === 1 && !isKnown && /\s$/.test(name),
  }
}

/** `M` in `Hoxton.M3`, `a` in `a1.2.6`. */
const stageOf = (word: string): NumberWord | null => {
  const letter = LETTERS[word.toLowerCase()]
  return letter === undefined ? numberWord(word) : { kind: 'stage', name: letter }
}

/** Heads that move along: they are newer than every number. */
const MOVING = ['nightly', 'edge', 'canary', 'snapshot', 'unstable', 'insider', 'experimental']
const STAGES = ['alpha', 'beta', 'rc', 'preview', 'pre', 'ea', 'milestone', ...MOVING]
/** A train and its stage: `Hoxton.SR12`, `Finchley.BUILD-SNAPSHOT`. */
const TRAIN = /^\p{L}{3,}(?=\.\p{L})/u

/** `master-snapshot`, `Finchley.BUILD-SNAPSHOT` */
function wordsAlone(label: string): VersionNumber | null {
  const [name = ''] = TRAIN.exec(label) ?? []
  const words = (label.slice(name.length).match(LETTER_OR_MARK) ?? []).map(stageOf)
  // `nightly` alone may be anything.
  const least = name === '' ? 2 : 1
  if (words.length < least || words.length > MOST_WORDS || words.includes(null)) return null
  const stage = words.find((word) => word?.kind === 'stage' && STAGES.includes(word.name))
  if (name === '' && stage === undefined) return null
  const key = new TailKey()
  const { tokens, end } = tokensAt(label, name.length)
  addTokens(key, tokens, { parts: 0, isSemantic: false })
  addTokens(key, looseTokens(label.slice(end)) ?? [], { parts: 0, isSemantic: false })
  const moves = name === '' && stage?.kind === 'stage' && MOVING.includes(stage.name)
  const core = moves ? ';' : name === '' ? NO_NUMBER : `000${name.toLowerCase()}!`
  const found = { name, start: name.length, end, text: label.slice(name.length), parts: [] }
  return { ...found, prerelease: key.isPrerelease, order: core + key.end }
}

/** A text by which versions sort; null for a label that is not understood. */
export const orderOf = (label: string): string | null => readNumber(label)?.order ?? null

/** Above 0 if the first is higher, and 0 if one is not understood. */
export function compareNumbers(one: string, other: string): number {
  const [own, than] = [orderOf(one), orderOf(other)]
  return own === null || than === null ? 0 : Number(own > than) - Number(own < than)
}

/** Sorts right before an order: no other is in between. `}` and `#` are the marks before `~` and `$`. */
export const rightBelow = (order: string): string =>
  `${order.slice(0, -1)}${order.endsWith('~') ? '}' : '#'}\x7f`

/** Sorts above all others, and above those whose first number is no year. */
export const ABOVE_ALL = '~'
export const YEARS = sortable('1900')

/** Sorts right above all versions of a series, if the label says no more than that: `16`, `v16`, `16.x`, `1.2.x`. Else null. */
export function aboveSeries(label: string): string | null {
  const [, numbers] = /^v?(\d{1,9}|\d{1,9}(?:\.\d{1,9}){0,2}(?=\.))(?:\.x)*$/i.exec(label) ?? []
  return numbers === undefined ? null : `${numbers.split('.').map(sortable).join('')}~`
}

/** Null if it has none, as a number that counts alone, such as `Sprint 12`. */
export const majorOf = (label: string): number | null => {
  const { parts = [] } = readNumber(label) ?? {}
  return parts.length > 1 ? (parts[0] ?? null) : null
}

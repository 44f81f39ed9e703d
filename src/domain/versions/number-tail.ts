import { LETTERS, type NumberWord, numberWord } from './number-words.ts'

export interface Context {
  /** How many numbers are in front. */
  parts: number
  /** Any word behind `-` is a pre-release, as in Semantic Versioning. */
  isSemantic: boolean
}

/**
 * A key, which sorts by its bytes. A release ends with `~`. What came after it begins with `~` too, so it sorts right behind it:
 * a number, `0…`, or a word, `1…!`. A pre-release ends with `$`, and its parts are lower than `~`. `#` is in front of those
 * before that end: `a1.dev2` is before `a1`. `}` is in front of a release before its number: `~deb10u1`.
 */
export class TailKey {
  isPrerelease = false
  /** A release that is followed by tests of the next one, as Perl's `1.23_01`. */
  isTrial = false
  private text = ''

  get isEmpty(): boolean {
    return this.text === ''
  }

  add(part: string, place: 'before' | 'behind' | 'built' = 'behind'): void {
    const marks = this.isPrerelease ? { before: '#', behind: '', built: '' } : RELEASE_MARKS
    this.text +=
      marks[place] + (isDigit(part.charCodeAt(0)) ? `0${sortable(part)}` : `1${part.toLowerCase()}!`)
  }

  get end(): string {
    return this.text + (this.isPrerelease || this.isTrial ? '$' : '~')
  }
}

const RELEASE_MARKS = { before: '}', behind: '~', built: '~+' }

/** A number behind the number of its digits. */
export function sortable(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String(number.length).padStart(3, '0') + number
}

export interface Token {
  /** In front of it. */
  separator: string
  text: string
  isNumber: boolean
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code > 127 && LETTER.test(String.fromCharCode(code)))
const LETTER = /[\p{L}\p{M}]/u
const SEPARATORS = '-._~+@'
const MOST_SEPARATORS = 3

/** Numbers and words without a blank in between, from a place on. */
export function tokensAt(text: string, from: number): { tokens: Token[]; end: number } {
  const tokens: Token[] = []
  for (let end = from; ; ) {
    let at = end
    while (at - end < MOST_SEPARATORS && SEPARATORS.includes(text[at] ?? ' ')) at++
    const isNumber = isDigit(text.charCodeAt(at))
    const isOwn = isNumber ? isDigit : isLetter
    const start = at
    while (isOwn(text.charCodeAt(at))) at++
    if (at === start) return { tokens, end }
    tokens.push({ separator: text.slice(end, start), text: text.slice(start, at), isNumber })
    end = at
  }
}

/** As Go stamps builds of what is not released. */
const isStamp = ({ text, isNumber }: Token): boolean => isNumber && text.length === 14
const isDate = ({ text, isNumber }: Token): boolean => isNumber && /^(?:19|20)\d{6}$/.test(text)

export function addTokens(key: TailKey, tokens: readonly Token[], { parts, isSemantic }: Context): void {
  const [first] = tokens
  // `-0.2.beta1`, `-0.20240101123456-abcdef`: all of it leads to the number, as npm's `1.2.3-0`.
  const isZero = first?.text === '0' && first.separator === '-'
  key.isPrerelease ||= isZero && (tokens.length === 1 ? isSemantic : tokens.some(leads))
  /** True behind `+`: how it was built, or by whom. */
  let isBuild = false
  for (const [at, token] of tokens.entries()) {
    const { separator, text, isNumber } = token
    const isStart = at === 0 && key.isEmpty
    const isBefore = separator.includes('~')
    const wasPrerelease = key.isPrerelease
    isBuild ||= separator.includes('+')
    // Debian's `-1+b1` is before its `-1.1`.
    const place = separator.includes('+') && !key.isEmpty ? 'built' : 'behind'
    if (isNumber) {
      const isSnapshot = isStamp(token) || isTimed(tokens, at) || (isDate(token) && (isBefore || isSemantic))
      key.isPrerelease ||= !isBuild && isSnapshot && separator !== ''
      key.isTrial ||= isStart && parts === 2 && separator === '_' && text.length > 1
      key.add(text, isBefore && (wasPrerelease || !key.isPrerelease) ? 'before' : place)
      continue
    }
    const counts = tokens[at + 1]?.isNumber === true
    const word = isBuild ? released(text) : wordOf(token, counts, key, isSemantic && isStart)
    // `BUILD-SNAPSHOT`
    if (word.kind === 'none' || (word.name === 'build' && !counts)) continue
    const isStage = word.kind === 'stage'
    key.isPrerelease ||= isStage
    const isDev = isStage && word.name === 'dev' && !(isSemantic && isStart)
    key.add(word.name, isDev || (isBefore && (wasPrerelease || !isStage)) ? 'before' : place)
  }
}

/** `20240101.123456`, as Maven stamps snapshots. */
const isTimed = (tokens: readonly Token[], at: number): boolean => {
  const [day, time] = [tokens[at], tokens[at + 1]]
  return day !== undefined && isDate(day) && time?.isNumber === true && time.text.length === 6
}

const leads = (token: Token, at: number, tokens: readonly Token[]): boolean =>
  isStamp(token) ||
  (!token.isNumber && wordOf(token, tokens[at + 1]?.isNumber === true, null, false).kind === 'stage')

const released = (name: string): NumberWord => ({ kind: 'release', name })
const REPOSITORY = /^(?:git|svn|hg|bzr|cvs|exp|r)$/i

/** What a word behind a number says there. `counts` if a number follows. */
function wordOf(
  { text, separator }: Token,
  counts: boolean,
  key: TailKey | null,
  isSemantic: boolean,
): NumberWord {
  const letter = LETTERS[text.toLowerCase()]
  if (letter !== undefined) {
    // `1.0b2` and `1.0-b`, but `1.1.1b` and `8u392-b08`.
    const isStage = (key === null || key.isEmpty || key.isPrerelease) && (counts || /[-._~]/.test(separator))
    return isStage ? { kind: 'stage', name: letter } : released(text)
  }
  const known = numberWord(text)
  if (known !== null) return known
  const isStage = isSemantic || (separator.includes('~') && REPOSITORY.test(text))
  return isStage ? { kind: 'stage', name: text } : released(text)
}

/** Between words behind a label. Quotes are around a title. */
const LOOSE = /^[\s\-–—:,.()[\]【】（）|/]*$/u
const LOOSE_TOKEN = /([\p{L}\p{M}]+)|(\d+)|([^\p{L}\p{M}\d]+)/gu
const LONGEST = 80
const MOST_UNKNOWN = 2

/** The words behind a label; null if they are a title. Numbers count behind a word, and alone in brackets. */
export function looseTokens(rest: string): Token[] | null {
  if (rest.length > LONGEST) return null
  const tokens: Token[] = []
  let unknown = 0
  let isBehindWord = false
  let between = ''
  for (const [, word, digits, other] of rest.matchAll(LOOSE_TOKEN)) {
    if (other !== undefined) {
      if (!LOOSE.test(other)) return null
      between = other
      continue
    }
    if (digits !== undefined) {
      const isCount = isBehindWord || (between.endsWith('(') && digits.length < 4)
      if (isCount) tokens.push({ separator: ' ', text: digits, isNumber: true })
    } else if (word !== undefined) {
      // `8c`
      const isPart = word.length === 1 && between === '' && tokens.at(-1)?.isNumber === true
      const isKnown = isPart || numberWord(word) !== null
      if (isKnown) tokens.push({ separator: ' ', text: word, isNumber: false })
      else unknown++
    }
    isBehindWord = word !== undefined
    between = ''
  }
  return unknown === 0 || (unknown <= MOST_UNKNOWN && endsWithStage(tokens, rest)) ? tokens : null
}

/** `Combat Test 8c`, `Desktop Beta`, but `- Going Beta` and `Beta Centauri` are titles. */
function endsWithStage(tokens: readonly Token[], rest: string): boolean {
  const [end = ''] = /(?<=^ \p{L}+ )\p{L}+$/u.exec(rest) ?? []
  if (numberWord(end)?.kind === 'stage') return true
  const at = tokens.findLastIndex(({ isNumber }) => isNumber)
  const word = tokens[at - 1]?.text ?? ''
  return numberWord(word)?.kind === 'stage' && /\d\p{L}?$/u.test(rest)
}

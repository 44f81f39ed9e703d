import { saysNothing } from '../kinds.ts'
import { sourceOf, withAny } from './phrases.ts'
import { GROUPS, MARK, MARK_AHEAD, NOT, SAID, SAID_KEYS } from './tables/breaking.ts'

/** The texts before and after the changes of a version. */
export interface TextsAround {
  description?: string | null
  closing?: string | null
}

/** The breaking part of the texts around changes: a heading or bold line with the text below it, or a paragraph. */
export const breakingIn = ({ description = null, closing = null }: TextsAround): string | null =>
  breakingPart(description) ?? breakingPart(closing)

function breakingPart(text: string | null): string | null {
  if (text === null) return null
  const line = lineThatBreaks(text)
  const at = line >= 0 ? line : text.search(HAS_BREAKING)
  if (at < 0) return null
  const part = text.slice(text.lastIndexOf('\n', at) + 1)
  const level = /^#+(?= )/.exec(part)?.[0].length
  const isHeading = /^[ \t>]*(?:\*\*|[^\n]*:[*\s]*\n)/.test(part)
  const end = level ? new RegExp(`\n#{1,${level}} `) : isHeading ? /\n(?:#|\*\*)/ : /\n\s*\n/
  const length = part.search(end)
  const said = (length < 0 ? part : part.slice(0, length)).trim()
  return saysNothing(said.slice(said.indexOf('\n') + 1)) ? null : said
}

/** True if the author of a title marks it, or says in it that something breaks. */
export function isMarked(title: string): boolean {
  if (!MAY_SAY.test(title.toLowerCase())) return false
  const text = title.replace(/`[^`]*`/g, '`').replaceAll('\\', '')
  const words = text.replace(/[*_]/g, '')
  return (
    CAPITALS.test(words) ||
    BRACKETED.test(words) ||
    AHEAD.test(words.slice(LEAD.exec(words)?.[0].length ?? 0)) ||
    isEmphasised(text) ||
    sayingAt(words) >= 0
  )
}

/** Where a line of a text begins that says that something breaks; -1 if none does. */
export function lineThatBreaks(text: string): number {
  if (!MAY_SAY.test(text.toLowerCase())) return -1
  for (const { 0: line, index } of text.matchAll(LINES)) if (!NEGATED.test(line)) return index
  return sayingAt(text)
}

/** In front of the words of a change: a link, a number, the hash of a commit, a scope. */
export const LEAD =
  /^(?:\[(?!back)[^\]]*\]|\([^)]*\)|[0-9a-f]{7,40}(?= )|\d+(?= )|(?!breaking|break:|major:|(?:backwards?-)?incompatib)[\p{L}\p{N}][\w./@-]*:(?= )|[^\p{L}\p{N}[(`])*/iu

const SAYING = new RegExp(sourceOf(SAID, GROUPS), 'g')
const TAKEN_BACK = new RegExp(`${sourceOf(NOT)}[ -]?$`)

/** Where a text says that something breaks; -1 if nowhere. */
function sayingAt(text: string): number {
  const words = text.toLowerCase()
  for (const { index } of words.matchAll(SAYING))
    if (!TAKEN_BACK.test(words.slice(Math.max(0, index - 40), index))) return index
  return -1
}

/** `*Breaking*`, `**mildly breaking change**`. */
function isEmphasised(text: string): boolean {
  const found = /\bbreaking(?: changes?)?[:.!]?[*_]/i.exec(text)
  const before = found ? text.slice(Math.max(0, found.index - 34), found.index) : ''
  return /[*_][^*_]*$/.test(before) && !/\b(?:no|non|not)[ -]$/i.test(before)
}

const BREAKING = sourceOf(MARK)
const CAPITALS = /(?<!\b(?:NON|NOT|NO)[ -])\bBREAKING\b/
/** `(breaking change)`, `[v5 breaking change]`, `[BC BREAK]`; `Thanks @alice! - Breaking change: …`. */
const BRACKETED = new RegExp(`[([]\\s*${BREAKING}\\s*[:\\])]|[.!] (?:- )?${BREAKING}:|💥|:boom:`, 'i')
/** `Breaking: …`, `Breaking changes / Events: …`, `breaking(pod): …`, `Major: …`, `feat(core)!: …`, or nothing else. */
const AHEAD = new RegExp(
  [
    `^${BREAKING}\\s*(?:[:：/(]|[-–—] |$)`,
    '(?:^|[.!] )breaking(?: change)? (?:to|in|for|if)\\b(?! \\w+ing)',
    `^\\[?${sourceOf(MARK_AHEAD)}\\s*[:：\\]]`,
    '^[a-z]{2,16}(?:\\([^()]*\\))?!:',
  ].join('|'),
  'i',
)
/** `This release contains a few important breaking changes`, `See the breaking changes`. */
const HAS_BREAKING =
  /\b(?:see|refer to|includes?|contains?|has|had|introduces?|brings?|including|bringing|with|there (?:is|are)) (?:(?!not? |any )[\w,'’&-]+ ){0,8}\[?(?:breaking|(?:backwards?[ -])?incompatible) (?:api )?changes?\b/i

const MAY_SAY = withAny({ ...SAID_KEYS, marks: '!: 💥 :boom:' })
/** Possible beginnings of a line: marks of lists, quotes and headings, emphasis, symbols. */
const LINE = '^[^\\p{L}\\p{N}\\n`(]{0,20}'
const LINES = new RegExp(
  [
    `${LINE}BREAKING\\b`,
    `${LINE}[Bb]reaking(?: [Cc]hanges?| [Uu]pdates?)?[*_\\]]*:(?!\\s*(?:none|None|no|No)\\b)`,
    `${LINE}[Bb]reaking [Cc]hanges? (?:if|for|to|in)\\b`,
    `${LINE}(?:[A-Za-z]+ ){0,3}(?:[Bb]reaking|[Ii]ncompatible) [Cc]hanges?[^\\p{L}\\p{N}\\n]{0,12}$`,
    '^(?:#{1,6} |[ \\t>-]{0,8}\\*\\*)[^\\n]{0,60}\\b(?:[Bb]reaking|BREAKING|[Ii]ncompatib[a-z]+)\\b[^\\n]{0,60}$',
    '^[^\\n]{0,40}\\bBREAKING CHANGES?\\b',
  ].join('|'),
  'gmu',
)
const NEGATED =
  /\b(?:no|non|not|without|avoid|isn't|fix\w*)[ -](?:[a-z]+ ){0,2}(?:breaking|(?:backwards?[ -])?incompatib)/i

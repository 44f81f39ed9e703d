import { oneLine } from '../markdown/lines.ts'
import type { Phrases } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import type { VisibleText } from '../markdown/visible-text.ts'
import {
  AFTER_DATE,
  anyOf,
  BEFORE_DATE,
  DATE_WORDS,
  isPlaceholder,
  LEADING_SEPARATORS,
  ON,
} from '../vocabulary.ts'
import { type FalseDate, type FoundDate, findDate, findDigits, findFalseDate, type Span } from './dates.ts'
import { findMistypedDate } from './mistyped.ts'

const JOINING_WORDS = anyOf([...DATE_WORDS, ...ON])
const ONLY_BEFORE_DATE = new RegExp(`^[${BEFORE_DATE}]*(?:${JOINING_WORDS}[\\s:]*)*$`, 'i')
const ONLY_JOINING_WORDS = new RegExp(`^(?:${JOINING_WORDS}|\\s)*$`, 'i')
const ONLY_AFTER_DATE = new RegExp(`^[${AFTER_DATE}]*$`)
const TRAILING_BEFORE_DATE = new RegExp(`[${BEFORE_DATE}]+$`)
/** `Version 1.2.0 vom`, and the date behind it. */
const TRAILING_ON = new RegExp(`(?<=\\d\\.\\d[\\w.-]{0,20}),?\\s${anyOf(ON)}$`, 'i')

/** A date counts right after the label, at the end of the heading or in brackets; elsewhere it belongs to the title. */
export const dateBesideLabel = (text: string, labelEnd: number): FoundDate | null =>
  besideLabel(text, labelEnd, findDate) ?? onlyBesideLabel(text, labelEnd, findDigits)

/** A date that does not exist, or is mistyped. */
export const falseDateBesideLabel = (text: string, labelEnd: number): FalseDate | null =>
  besideLabel(text, labelEnd, findFalseDate) ?? onlyBesideLabel(text, labelEnd, findMistypedDate)

type Finder<T extends Span> = (text: string) => T | null

/** What may belong to a title must be all there is. */
function onlyBesideLabel<T extends Span>(text: string, labelEnd: number, find: Finder<T>): T | null {
  const date = besideLabel(text, labelEnd, find)
  return date !== null && isFirstIn(text, labelEnd, date) && isLastIn(text, date) ? date : null
}

function besideLabel<T extends Span>(text: string, labelEnd: number, find: Finder<T>): T | null {
  // Most headings end with their label.
  const found = labelEnd < text.length ? find(text.slice(labelEnd)) : null
  if (found === null) return null
  const date = { ...found, start: found.start + labelEnd, end: found.end + labelEnd }
  return isFirstIn(text, labelEnd, date) || isLastIn(text, date) || isBracketed(text, date) ? date : null
}

const isBracketed = (text: string, { start, end }: Span): boolean => /^[([]/.test(text.slice(start, end))

const isFirstIn = (text: string, labelEnd: number, date: Span): boolean =>
  ONLY_BEFORE_DATE.test(text.slice(labelEnd, date.start))

function isLastIn(text: string, date: Span): boolean {
  const behind = text.slice(date.end)
  return ONLY_AFTER_DATE.test(behind) || asNote(behind.trim()) !== null
}

/** The title of the heading as inline markdown: what is around the date, or the rest. */
export function titleAround(
  date: Span | null,
  node: Phrases,
  visible: VisibleText,
  source: MarkdownSource,
  start: number,
): string {
  if (date === null) return cleanTitle(visible.source(node, source, start, visible.text.length))
  const behindDate = visible.source(node, source, date.end, visible.text.length)
  const before = withoutOpenTag(cleanTitle(visible.source(node, source, start, date.start)), behindDate)
    .replace(TRAILING_BEFORE_DATE, '')
    .replace(TRAILING_ON, '')
  const opened = /[([]\s*$/.exec(visible.text.slice(start, date.start))?.[0].trim() ?? ''
  const rest = cleanTitle(behindDate)
  const behind = opened !== '' && rest.endsWith(opened === '(' ? ')' : ']') ? opened + rest : rest
  return [ONLY_JOINING_WORDS.test(before) ? '' : before, behind].filter((part) => part !== '').join(' ')
}

/** Without the tag around the date: `1.2.0 <small>May 2, 2020</small>`. */
function withoutOpenTag(before: string, behind: string): string {
  const tag = /<([a-z]+)>$/i.exec(before)
  return tag !== null && behind.startsWith(`</${tag[1]}>`) ? before.slice(0, tag.index) : before
}

/** `[YANKED]`, `(unreleased)`, `TBD`: a remark, not a title. Otherwise null. */
export function asNote(title: string): string | null {
  if (NOTES.test(title)) return title
  return isPlaceholder(title) || UNKNOWN.test(title) ? `(${title})` : null
}

/** What CPAN::Changes::Spec allows in place of a date. */
const UNKNOWN = /^(?:unknown(?: release date)?|develop(?:ment|er) release)$/i
const NOTE = '(?:\\[[^[\\]]*\\]|\\([^()]*\\)|<!--(?:(?!-->).)*-->)'
const NOTES = new RegExp(`^${NOTE}(?:\\s+${NOTE})*$`)

/** Keeps the start of a title from being read as a separator, and its end as closing `#`s. */
export const escapeTitle = (title: string): string =>
  title.replace(/^[-:,;/|]/, '\\$&').replace(/(^| )(?=#+$)/, '$1\\')

const unescapeTitle = (title: string): string =>
  title.replace(/^\\(?=[-:,;/|])/, '').replace(/(^| )\\(?=#+$)/, '$1')

function cleanTitle(markdown: string): string {
  const title = oneLine(markdown)
    .replace(/<a\b[^>]*>\s*<\/a>/gi, '')
    .replace(/^(?:\s*<\/[a-z]+>)+/i, '')
    .replace(/^(?:\s*&(?:[nm]dash|#821[12]|nbsp);)+/i, '')
    .replace(LEADING_SEPARATORS, '')
    .replace(/^[)\]）\s]+/, '')
    .trimEnd()
  return unescapeTitle(title)
}

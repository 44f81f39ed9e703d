import { oneLine } from '../../markdown/lines.ts'
import {
  AFTER_DATE,
  anyOf,
  BEFORE_DATE,
  DATE_WORDS,
  isPlaceholder,
  LEADING_SEPARATORS,
  ON,
} from '../vocabulary.ts'
import {
  type FalseDate,
  type FoundDate,
  findDate,
  findDigits,
  findFalseDate,
  findMistypedDate,
  type Span,
} from './dates.ts'

const JOINING_WORDS = anyOf([...DATE_WORDS, ...ON])
const ONLY_BEFORE_DATE = new RegExp(`^[${BEFORE_DATE}]*(?:${JOINING_WORDS}[\\s:]*)*$`, 'i')
const ONLY_JOINING_WORDS = new RegExp(`^(?:${JOINING_WORDS}|\\s)*$`, 'i')
const ONLY_AFTER_DATE = new RegExp(`^[${AFTER_DATE}]*$`)
const TRAILING_BEFORE_DATE = new RegExp(`[${BEFORE_DATE}]+$`)
/** `Version 1.2.0 vom`, `Product 1.2.0  Released`, and the date behind it. */
const TRAILING_WORDS = new RegExp(`(?<=\\d\\.\\d[\\w.-]{0,20}),?(?:\\s{1,20}${JOINING_WORDS})+$`, 'i')

/** A date counts right after the label, at the end of the heading or in brackets; elsewhere it belongs to the title. */
export const dateBesideLabel = (text: string, labelEnd: number): FoundDate | null =>
  besideLabel(text, labelEnd, findDate) ?? onlyBesideLabel(text, labelEnd, findDigits)

/** A date that does not exist, or is mistyped. */
export const falseDateBesideLabel = (text: string, labelEnd: number): FalseDate | null =>
  besideLabel(text, labelEnd, findFalseDate) ?? onlyBesideLabel(text, labelEnd, findMistypedDate)

type Finder<T extends Span> = (text: string) => T | null

/** These may belong to a title, so they count only if nothing else is there. */
function onlyBesideLabel<T extends Span>(text: string, labelEnd: number, find: Finder<T>): T | null {
  const date = besideLabel(text, labelEnd, find)
  return date !== null && isFirstIn(text, labelEnd, date) && isLastIn(text, date) ? date : null
}

function besideLabel<T extends Span>(text: string, labelEnd: number, find: Finder<T>): T | null {
  // Most headings end with their label, or with the blanks in place of its link.
  const behind = text.slice(labelEnd)
  const found = behind.trim() === '' ? null : find(behind)
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

/** The title of a heading, whose text it is: what is around the date, or the rest. Markup that was cut in two is left out. */
export function titleAround(text: string, date: Span | null, start: number, isStrict: boolean): string {
  const clean = isStrict
    ? cleanTitle
    : (part: string) => cleanTitle(withoutEnds(part)).replace(LONE_MARK, '$1$2$3').trimEnd()
  if (date === null) return clean(text.slice(start))
  const front = text.slice(start, date.start)
  const before = clean(front.replace(/(?:<[a-z]+>[\s*_]*|\\)$/i, ''))
    .replace(TRAILING_BEFORE_DATE, '')
    .replace(TRAILING_WORDS, '')
  const behind = clean(text.slice(date.end))
  return [ONLY_JOINING_WORDS.test(before) ? '' : before, behind].filter((part) => part !== '').join(' ')
}

/** Without what closes the markup of a label or a date in front of it. */
const withoutEnds = (text: string): string =>
  text
    .replace(/^([^[\]]*)\]\([^()]*\)/, '$1')
    .replace(/^(?:\s*\\?\]:?)+/, '')
    .replace(/^[*_~`]+(?![^\s<([:,-])/, '')

/** At the end, one that has lost its partner; and a bracket in front. */
const LONE_MARK = /^(?:\[(?=[^\]]*$)|([^*\\]*)\\?\*+$|([^_]*)_+$|([^`]*)`$)/

/** `[YANKED]`, `(unreleased)`, `TBD`: a remark, not a title. Otherwise null. */
export function asNote(title: string): string | null {
  if (NOTES.test(title)) return title
  return isPlaceholder(title) || UNKNOWN.test(title) ? `(${title})` : null
}

/** CPAN::Changes::Spec allows these in place of a date. */
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

import type { Link, LinkReference, Parents } from 'mdast'
import type { VersionStatus } from '../../domain/records.ts'
import { UNRELEASED } from '../parsed.ts'
import { type FoundDate, findDate, onlyDate } from './dates.ts'
import { oneLine } from './lines.ts'
import { endOf, inlineTarget, type MarkdownSource, startOf } from './markdown-source.ts'
import { VisibleText } from './visible-text.ts'

export interface VersionHeading {
  label: string
  title: string
  date: number | null
  /** What the heading says outright, in a comment that `writeMarkdown` left where its text would mislead. */
  status: VersionStatus | null
  /** Whether it says outright that there is no date, so that none is to be looked for below it. */
  undated: boolean
  /** The heading's link as a paragraph of its own: `[1.2.0](https://…)`. */
  link: string | null
  /** Said to the author when the date could be read in more than one way. */
  doubt: string | null
  /**
   * `sure` headings are versions wherever they stand. `likely` ones (`2.0 Migration`, `Foo 1.2`) may as well
   * be sections, and count only at a depth at which the file has sure ones.
   */
  certainty: 'sure' | 'likely'
  /** Whether it is a label, perhaps with a date, and nothing else: what is asked of a line without `#`. */
  bare: boolean
}

/** Reads a heading, or a paragraph that may serve as one. Null when it does not look like a version. */
export function readVersionHeading(node: Parents, source: MarkdownSource): VersionHeading | null {
  if (endOf(node) - startOf(node) > LONGEST_HEADING) return null
  const { limit, marks } = readMarks(node, source)
  const flat = VisibleText.of(node, source, limit)
  const label = bracketedLabel(node, flat, source) ?? linkedLabel(node, flat) ?? plainLabel(flat.text)
  if (label === null) return null

  const beside = marks.undated || label.date !== null ? null : dateBesideTitle(flat.text, label.end)
  const date = label.date ?? beside
  const given = givenTitle(node, flat, source, label, beside)
  const note = asNote(given)
  const isBare = note !== null || saysOnly(given, label.text)
  return {
    label: label.text,
    title: note !== null ? `${label.text} ${note}` : given === '' ? label.text : given,
    date: date === null ? null : date.at + marks.time,
    status: marks.status,
    undated: marks.undated,
    link: linkOf(node, flat, source, label),
    doubt: date?.doubt ?? null,
    certainty: certaintyOf(label, isBare, date !== null && !label.onlyDate),
    bare: isBare && (label.kind === 'version' || label.kind === 'bracketed'),
  }
}

/**
 * The status of a version whose heading does not say it. `Unreleased` and the like are drafts; a date means
 * that it is out. Without a date it depends on the file: where other versions have dates this one is waiting
 * for its own, and where few or none have (changesets writes such files) the lack says nothing.
 */
export function impliedStatus(version: Dateable, fileHasDates: boolean): VersionStatus {
  if (isUnreleased(version.label) || isPlaceholder(version.title.slice(version.label.length))) return 'draft'
  return version.date === null && fileHasDates ? 'draft' : 'published'
}

/** Whether versions have dates in a file: at least every other one that could have. */
export function hasDates(versions: Dateable[]): boolean {
  const released = versions.filter((version) => impliedStatus(version, false) === 'published')
  return released.filter(({ date }) => date !== null).length * 2 >= Math.max(1, released.length)
}

interface Dateable {
  label: string
  title: string
  date: number | null
}

/** `[YANKED]`, `(unreleased)`: said about the version, not a title for it. Null for anything else. */
export function asNote(title: string): string | null {
  if (
    /^(?:\[[^[\]]*\]|\([^()]*\)|<!--(?:(?!-->).)*-->)(?:\s+(?:\[[^[\]]*\]|\([^()]*\)|<!--(?:(?!-->).)*-->))*$/.test(
      title,
    )
  )
    return title
  return isPlaceholder(title) ? `(${title})` : null
}

/** A comment that ends a heading and tells what the heading's text cannot. */
export const MARKS =
  / ?<!-- ((?:draft|published|undated|\d\d:\d\d:\d\d\.\d{3}Z)(?: (?:draft|published|undated|\d\d:\d\d:\d\d\.\d{3}Z))*) -->[ \t]*$/

/** Plain text as inline markdown. Marks that cannot open anything stay as they are. */
export function escapeInline(text: string): string {
  return text.replace(/[\\`*[\]<&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}

/** `[1.2.0](https://…)`: how a heading's link is kept in the version's description. */
export function linkParagraph(label: string, url: string, title?: string | null): string {
  return `[${escapeInline(label)}]${inlineTarget({ url, title })}`
}

/** Longer ones are text; it also bounds the work of the expressions below. */
const LONGEST_HEADING = 2000

const NUMBER = 'v?\\d+(?:\\.\\d+)+[0-9A-Za-z]*(?:[-+._][0-9A-Za-z]+)*'
const END = '(?=$|[\\s,:;()\\[\\]/|–—-])'
const PACKAGE = `(?:@[\\w.-]+/)?[\\w.-]+@${NUMBER}`
/** `Changes since 1.2.0`, `Upgrading from 1.2.0` are about a version, not one. */
const NOT_BEFORE_VERSION = 'since|beyond|from|to|before|after|until|with|for|and|or|migrat\\w*|upgrad\\w*'
const SEPARATORS = /^[\s\-–—:,;/|·•]+/

const PENDING =
  'v?next(?: (?:release|version))?|upcoming(?: (?:release|version|changes))?|head|master|main|trunk|develop(?:ment)?|wip|work in progress|in progress|in development|coming soon|pending|future(?: release)?'
const PENDING_LABEL = new RegExp(`^(?:${PENDING})(?=\\s*$|\\s*[-–—(/])`, 'i')
const PLAIN_LABEL = new RegExp(`^(?:${PACKAGE}|${NUMBER})${END}`, 'i')
const WORDED_LABEL = new RegExp(`^(?:version|release|ver\\.?|rel\\.?)\\s*:?\\s*(${NUMBER}|v?\\d+)${END}`, 'i')
const LOOSE_LABEL = new RegExp(`^(?:v?\\d+(?:\\.\\d+)*(?:\\.[x*])+|v?\\d+)${END}`, 'i')
const NAMED_LABEL = new RegExp(`^(?:(?!(?:${NOT_BEFORE_VERSION})\\b)\\S+\\s+){1,4}?(${NUMBER})${END}`, 'i')
const UNRELEASED_LABEL = new RegExp(`^(?:un-?released|${PENDING})$`, 'i')

interface Label {
  kind: 'bracketed' | 'version' | 'unreleased' | 'other'
  text: string
  /** Where it ends in the flat text. */
  end: number
  /** Where a title begins that includes what stands before the label (`Version 1.2.0`), else null. */
  namedFrom: number | null
  /** A date that stands before the label or is the label. */
  date: FoundDate | null
  onlyDate: boolean
}

function plainLabel(text: string): Label | null {
  const start = /^(?:\s|\p{So}|\p{Sk}|\uFE0F|\u200D)*/u.exec(text)?.[0].length ?? 0
  const rest = text.slice(start)
  const label = (kind: Label['kind'], words: string, end: number, more: Partial<Label> = {}): Label => ({
    kind,
    text: words.replace(/\s+/g, ' ').trim(),
    end: start + end,
    namedFrom: null,
    date: null,
    onlyDate: false,
    ...more,
  })

  const unreleased = /^(?:\[\s*)?un-?released(?:\s*\])?(?=$|[\s\-–—:(,/[])(?:\s+(?:changes|version))?/i.exec(
    rest,
  )
  if (unreleased !== null) {
    const more = /\s(changes|version)$/i.test(unreleased[0]) ? { namedFrom: start } : {}
    return label('unreleased', UNRELEASED, unreleased[0].length, more)
  }
  const pending = PENDING_LABEL.exec(rest)
  if (pending !== null) return label('other', pending[0], pending[0].length)

  const plain = PLAIN_LABEL.exec(rest)
  if (plain !== null) return label('version', plain[0], plain[0].length)

  const worded = WORDED_LABEL.exec(rest)
  if (worded?.[1] !== undefined) return label('version', worded[1], worded[0].length, { namedFrom: start })

  const date = findDate(rest)
  if (date !== null && date.start === 0) {
    if (onlyDate(rest) !== null) return label('other', rest.trim(), rest.length, { date, onlyDate: true })
    const separator = SEPARATORS.exec(rest.slice(date.end))?.[0] ?? ''
    const later = plainLabel(rest.slice(date.end + separator.length))
    if (separator !== '' && later !== null && later.kind === 'version') {
      const offset = start + date.end + separator.length
      const namedFrom = later.namedFrom === null ? null : later.namedFrom + offset
      return { ...later, end: later.end + offset, namedFrom, date }
    }
  }

  const loose = LOOSE_LABEL.exec(rest)
  if (loose !== null) return label('other', loose[0], loose[0].length)

  const named = NAMED_LABEL.exec(rest)
  const isLast =
    named !== null && /^[\s:]*(?:released)?[\s:]*(?:$|[-–—,/([|])/i.test(rest.slice(named[0].length))
  if (named?.[1] !== undefined && isLast)
    return label('other', named[1], named[0].length, { namedFrom: start })
  return null
}

/** `[label]`, literally or as a reference. In a heading of the upper two depths it may be any text. */
function bracketedLabel(node: Parents, flat: VisibleText, source: MarkdownSource): Label | null {
  const first = flat.text.search(/\S/)
  if (first === -1) return null
  const child = node.children.find((one) => startOf(one) <= flat.at(first) && flat.at(first) < endOf(one))
  let text: string
  let end: number
  if (child?.type === 'linkReference' && child.referenceType !== 'full') {
    end = flat.endOf(child)
    text = flat.text.slice(first, end)
  } else if (child?.type === 'text' && source.text[flat.at(first)] === '[') {
    const close = closingBracket(source.text, flat.at(first), flat.limit)
    if (close === -1) return null
    end = first + 1
    while (end < flat.text.length && flat.at(end) < close) end++
    text = flat.text.slice(first + 1, end)
    end++
  } else return null

  text = text.replace(/\s+/g, ' ').trim()
  if (text === '') return null
  const own = plainLabel(text)
  const wholly = own !== null && own.end === text.length && own.namedFrom === null
  const isFree =
    /^(?:\s*$|\s+-\s|\s*[([])/.test(flat.text.slice(end)) || dateBesideTitle(flat.text, end) !== null
  if (!wholly && !(node.type === 'heading' && node.depth <= 2 && isFree)) return null
  if (wholly && own.kind === 'unreleased') text = UNRELEASED
  return { kind: 'bracketed', text, end, namedFrom: null, date: null, onlyDate: false }
}

/** `[nightly](https://…) - 2024-01-02`: any link followed by a date. */
function linkedLabel(node: Parents, flat: VisibleText): Label | null {
  const first = flat.text.search(/\S/)
  const child = node.children.find((one) => startOf(one) <= flat.at(first) && flat.at(first) < endOf(one))
  if (child?.type !== 'link' || node.type !== 'heading') return null
  const end = flat.endOf(child)
  const text = flat.text.slice(first, end).replace(/\s+/g, ' ').trim()
  const date = dateBesideTitle(flat.text, end)
  if (
    plainLabel(text) !== null ||
    date === null ||
    SEPARATORS.exec(flat.text.slice(end))?.[0].length !== date.start - end
  )
    return null
  return { kind: 'bracketed', text, end, namedFrom: null, date: null, onlyDate: false }
}

/** Nothing, or the label once more with a word for what it is: `Version 1.2.0`. */
function saysOnly(title: string, label: string): boolean {
  return (
    title === '' ||
    (title.endsWith(label) &&
      /^(?:version|release|ver\.?|rel\.?)[\s:]*$/i.test(title.slice(0, -label.length)))
  )
}

function certaintyOf(label: Label, bare: boolean, dated: boolean): 'sure' | 'likely' {
  if (label.kind === 'bracketed') return 'sure'
  if (label.kind === 'other') return dated ? 'sure' : 'likely'
  return bare || dated ? 'sure' : 'likely'
}

/** A date counts right after the label or at the heading's end; in between it belongs to the title. */
function dateBesideTitle(text: string, from: number): FoundDate | null {
  const found = findDate(text.slice(from))
  if (found === null) return null
  const date = { ...found, start: found.start + from, end: found.end + from }
  const before = text.slice(from, date.start)
  const behind = text.slice(date.end)
  const first = /^[\s\-–—:,;/|·•@~([]*(?:(?:released?|published|date|on)[\s:]*)*$/i.test(before)
  const last = /^[\s\-–—:,;/|·•)\]]*$/.test(behind) || asNote(behind.trim()) !== null
  return first || last ? date : null
}

function givenTitle(
  node: Parents,
  flat: VisibleText,
  source: MarkdownSource,
  label: Label,
  date: FoundDate | null,
): string {
  const from = label.namedFrom ?? label.end
  if (date === null) return cleanTitle(flat.source(node, source, from, flat.text.length))
  const before = cleanTitle(flat.source(node, source, from, date.start)).replace(/[\s\-–—:,;/|·•@~([]+$/, '')
  const opened = /[([]\s*$/.exec(flat.text.slice(from, date.start))?.[0].trim() ?? ''
  const rest = cleanTitle(flat.source(node, source, date.end, flat.text.length))
  const behind = opened !== '' && rest.endsWith(opened === '(' ? ')' : ']') ? opened + rest : rest
  const onlyJoins = /^(?:released?|published|date|on|\s)*$/i.test(before)
  return [onlyJoins ? '' : before, behind].filter((part) => part !== '').join(' ')
}

function cleanTitle(markdown: string): string {
  const title = oneLine(markdown)
    .replace(/<a\b[^>]*>\s*<\/a>/gi, '')
    .replace(/^(?:\s*<\/[a-z]+>)+/i, '')
    .replace(SEPARATORS, '')
    .replace(/^[)\]\s]+/, '')
    .trimEnd()
  return title.replace(/^\\(?=[-:,;/|])/, '').replace(/(^| )\\(?=#+$)/, '$1')
}

function linkOf(node: Parents, flat: VisibleText, source: MarkdownSource, label: Label): string | null {
  const link = firstLink(node, flat, label.end)
  if (link === null) return null
  const target = link.type === 'link' ? link : source.definitions.get(link.identifier)
  if (target === undefined) return null
  const text = flat.text.slice(flat.startOf(link), flat.endOf(link)).trim()
  if (text === label.text || isUnreleased(text)) return linkParagraph(label.text, target.url, target.title)
  return `[${oneLine(source.inside(link))}]${inlineTarget(target)}`
}

/** The link in which the label stands, if it does. */
function firstLink(node: Parents, flat: VisibleText, labelEnd: number): Link | LinkReference | null {
  for (const child of node.children) {
    if (flat.startOf(child) >= labelEnd) return null
    if (child.type === 'link' || child.type === 'linkReference') {
      if (flat.endOf(child) >= labelEnd || flat.text.slice(flat.endOf(child), labelEnd).trim() === ']')
        return child
    } else if ('children' in child) {
      const inner = firstLink(child, flat, labelEnd)
      if (inner !== null) return inner
    }
  }
  return null
}

function isUnreleased(label: string): boolean {
  return UNRELEASED_LABEL.test(label)
}

function isPlaceholder(words: string): boolean {
  return /^[\s([]*(?:un-?released|not (?:yet )?released(?: yet)?|tb[acd]|to be (?:released|announced|determined)|in (?:development|progress)|work in progress|wip|pending|upcoming|yyyy-mm-dd|(?:\d{4}|x{4}|\?{4})-(?:x{2}|\?{2})-(?:x{2}|\?{2}))[\s)\]]*$/i.test(
    words,
  )
}

interface Marks {
  status: VersionStatus | null
  undated: boolean
  /** Milliseconds since midnight. */
  time: number
}

/** Looks at the text, not at the tree: a title may hold half a comment or an open code span. */
function readMarks(node: Parents, source: MarkdownSource): { limit: number; marks: Marks } {
  const last = node.children.at(-1)
  const first = node.children[0]
  const marks: Marks = { status: null, undated: false, time: 0 }
  if (first === undefined || last === undefined) return { limit: endOf(node), marks }
  const text = source.text.slice(startOf(first), endOf(last))
  const match = node.type === 'heading' ? MARKS.exec(text) : null
  if (match?.[1] === undefined) return { limit: endOf(last), marks }
  for (const word of match[1].split(' ')) {
    if (word === 'draft' || word === 'published') marks.status = word
    else if (word === 'undated') marks.undated = true
    else marks.time = Date.parse(`1970-01-01T${word}`) || 0
  }
  return { limit: startOf(first) + match.index, marks }
}

function closingBracket(text: string, open: number, limit: number): number {
  let depth = 0
  for (let i = open; i < limit; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '[') depth++
    else if (text[i] === ']' && --depth === 0) return i
  }
  return -1
}

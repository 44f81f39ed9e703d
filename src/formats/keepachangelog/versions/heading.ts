import type { VersionStatus } from '../../../domain/records.ts'
import { readYanked } from '../../../domain/versions/standing.ts'
import { readHeadingComment, readTypeComment } from '../comments.ts'
import { inlineLink, linkTarget } from '../markdown/inline.ts'
import { oneLine } from '../markdown/lines.ts'
import type { Link, Phrases, Reference } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import { VisibleText } from '../markdown/visible-text.ts'
import { anyOf, halfWidth, isUnreleased, VERSION_WORDS } from '../vocabulary.ts'
import type { NumericDate } from './date-formats.ts'
import { isFarAhead, type Span } from './dates.ts'
import { asNote, dateBesideLabel, falseDateBesideLabel, titleAround } from './heading-title.ts'
import { readLabel, type VersionLabel } from './label.ts'

export interface VersionHeading {
  label: string
  title: string
  date: number | null
  numericDate: NumericDate | null
  /** Null unless a comment states it, which `writeMarkdown` adds where the text would mislead. */
  status: VersionStatus | null
  /** Whether such a comment says that it is scheduled for its date. */
  scheduled: boolean
  /** Whether such a comment says that it has no date, so that none is looked for below. */
  undated: boolean
  /** The heading's link as a paragraph: `[1.2.0](https://…)`. */
  link: string | null
  /** Text in place of a date that is no date. */
  falseDate: string | null
  /** Whether it says that the release is yanked. */
  isYanked: boolean
  /** For the author, if the date is ambiguous. */
  warning: string | null
  /** Whether it is only a label, perhaps with a date, as a line without `#` must be. */
  isOnlyLabel: boolean
}

/** A heading of which only the text is known. */
export const NOTHING_SAID: Omit<VersionHeading, 'label' | 'title'> = {
  ...{ date: null, numericDate: null, status: null, scheduled: false, undated: false, link: null },
  ...{ falseDate: null, isYanked: false, warning: null, isOnlyLabel: false },
}

/** Longer headings are text, which bounds the work of regular expressions. */
export const MAX_HEADING_LENGTH = 2000

/** Reads a heading, or a paragraph used as one. Null if it does not look like a version. */
export function readVersionHeading(node: Phrases, source: MarkdownSource): VersionHeading | null {
  if (node.end - node.start > MAX_HEADING_LENGTH) return null
  if (readTypeComment(node, source) !== null) return null
  const { comment, textEnd } = readHeadingComment(node, source)
  const visible = VisibleText.of(node, source, textEnd)
  visible.text = halfWidth(visible.text)
  const label = readLabel(node, visible, source)
  if (label === null) return null

  const mayHaveDateBeside = label.date === null && !comment.undated
  const found = label.date ?? (mayHaveDateBeside ? dateBesideLabel(visible.text, label.end) : null)
  const isFar = found !== null && comment.status === null && isFarAhead(found.at)
  const date = isFar ? null : found
  const dateBeside = label.date === null ? date : null
  const titleBeside = (date: Span | null) =>
    readYanked(titleAround(date, node, visible, source, label.titleStart))
  const { title: around, isYanked } = titleBeside(dateBeside)
  // An export has labels in brackets, and any title.
  const isWritten = label.kind !== 'bracketed'
  const inBold = isWritten ? ONLY_BOLD.exec(around)?.[2] : undefined
  const isHeading = node.type === 'paragraph' || repeatsLabel(inBold ?? '', label.text)
  const plain = inBold !== undefined && isHeading ? inBold : around
  const address = isWritten ? ADDRESS.exec(plain)?.[1] : undefined
  const author = isWritten ? MAIL.exec(plain)?.[0] : undefined
  const title =
    address || author || (!source.isStrict && ONLY_CHANGES.test(plain))
      ? ''
      : LEADING_DECORATION.test(visible.text)
        ? plain.replace(TRAILING_DECORATION, '')
        : plain
  const falseDate =
    found !== null && isFar
      ? { ...found, text: visible.text.slice(found.start, found.end).replace(/^[([]|[)\]]$/g, '') }
      : mayHaveDateBeside && dateBeside === null
        ? falseDateBesideLabel(visible.text, label.end)
        : null
  const note = asNote(title) ?? (falseDate && noteOf(falseDate.text, titleBeside(falseDate).title))
  const isOnlyLabel = note !== null || repeatsLabel(title, label.text)
  return {
    label: label.text,
    title: note !== null ? `${label.text} ${note}` : title === '' ? label.text : title,
    date: date === null ? null : date.at + comment.timeOfDay,
    numericDate: date?.numeric ?? null,
    status: comment.status === 'scheduled' ? 'draft' : comment.status,
    scheduled: comment.status === 'scheduled',
    undated: comment.undated,
    link: address
      ? inlineLink(label.text, address, null)
      : (linkOf(node, visible, source, label, dateBeside) ?? author ?? null),
    falseDate: falseDate?.text ?? null,
    isYanked,
    warning: date?.warning ?? null,
    isOnlyLabel: isOnlyLabel && (label.kind === 'version' || label.kind === 'bracketed'),
  }
}

/** A date that does not exist is a note, not a title. Null if there is also a title. */
function noteOf(falseDate: string, around: string): string | null {
  const title = around.replace(ONLY_MARKUP, '')
  if (title === '') return `(${falseDate})`
  const remark = asNote(title)
  return remark === null ? null : `(${falseDate}) ${remark}`
}

/** Left over from emphasis around a date. */
const ONLY_MARKUP = /^[\s*_]+$/

/** Failed markup: `== 2.4.0 ==`. */
const LEADING_DECORATION = /^\s*[=#*_~]/
const TRAILING_DECORATION = /[\s=#*_~\\]+$/
/** `**Version 1.2.0** (2024-01-02)` */
const ONLY_BOLD = /^(\*\*|__)((?:(?!\*\*|__).)+)\1$/
/** `1.2.0 <jane@example.com>` */
const MAIL = /^\\?<?[^\s<>@]+@[^\s<>@]+>?$/
/** `1.2.0 CHANGES:` */
const ONLY_CHANGES = /^(?:changes|change ?log|release notes)\s*:?$/i
/** `1.2.0 https://…` */
const ADDRESS = /^<?(https?:\/\/[^\s<>]+)>?$/

const ONLY_VERSION_WORD = new RegExp(
  `^[\\s\\p{So}\\p{Sk}\\uFE0F\\u200D]*(?:${anyOf(VERSION_WORDS)}[\\s:]*)?$`,
  'iu',
)

/** Whether the title is empty or repeats the label, as in `Version 1.2.0`. */
function repeatsLabel(title: string, label: string): boolean {
  const name = title.replace(/:$/, '')
  return name === '' || (name.endsWith(label) && ONLY_VERSION_WORD.test(name.slice(0, -label.length)))
}

function linkOf(
  node: Phrases,
  visible: VisibleText,
  source: MarkdownSource,
  label: VersionLabel,
  date: Span | null,
): string | null {
  const link = linkAround(label.end, node, visible) ?? (date && linkOfDate(date, node, visible))
  if (link === null) return null
  const target = link.type === 'link' ? link : source.definitions.get(link.identifier)
  if (target === undefined) return null
  const text = visible.text.slice(visible.startOf(link), visible.endOf(link)).trim()
  const isDate = date !== null && visible.startOf(link) >= label.end
  if (text === label.text || text === '' || isDate || isUnreleased(text))
    return inlineLink(label.text, target.url, target.title)
  return `[${oneLine(source.inside(link))}]${linkTarget(target)}`
}

/** `1.2.0 [(2020-07-28)](https://…)` */
const linkOfDate = ({ start, end }: Span, node: Phrases, visible: VisibleText): Link | Reference | null =>
  node.children.find(
    (child): child is Link | Reference =>
      (child.type === 'link' || child.type === 'linkReference') &&
      visible.startOf(child) <= start &&
      visible.endOf(child) >= end,
  ) ?? null

function linkAround(labelEnd: number, node: Phrases, visible: VisibleText): Link | Reference | null {
  for (const child of node.children) {
    if (visible.startOf(child) >= labelEnd) return null
    if (child.type === 'link' || child.type === 'linkReference') {
      const end = visible.endOf(child)
      if (end === visible.startOf(child)) return child
      if (end >= labelEnd || visible.text.slice(end, labelEnd).trim() === ']') return child
    } else if ('children' in child) {
      const inner = linkAround(labelEnd, child, visible)
      if (inner !== null) return inner
    }
  }
  return null
}

import type { ParsedDate } from '../../../domain/time/date-forms.ts'
import { readYanked } from '../../../domain/versions/standing.ts'
import type { Definitions } from '../../markdown/definitions.ts'
import { inlineLink } from '../../markdown/inline.ts'
import { identifier, targetOf } from '../../markdown/labels.ts'
import { edited, targetsIn } from '../../markdown/source.ts'
import { type HeadingComment, readHeadingComment, readTypeComment } from '../comments.ts'
import { halfWidth, isUnreleased } from '../vocabulary.ts'
import { type FoundDate, mayBeRelease, type Span } from './dates.ts'
import { asNote, dateBesideLabel, falseDateBesideLabel, titleAround } from './heading-title.ts'
import { bracketedLabel, plainLabel, type VersionLabel } from './label.ts'

/** A heading, or a line that is one: where its label and its date are. It is read once, and the title is what is left. */
export interface ReadHeading {
  /** Inline markdown on one line, without the comment of our exports. */
  text: string
  /** The text with blanks in place of markup, as long as it is. */
  shown: string
  label: VersionLabel
  isBracketed: boolean
  /** What is behind the label means no more than it says. */
  isExported: boolean
  /** In front of the label or beside it, or the label itself. */
  date: FoundDate | null
  comment: HeadingComment
}

export interface VersionHeading {
  label: string
  title: string
  date: ParsedDate | null
  /** `writeMarkdown` adds it where the text would mislead. */
  comment: HeadingComment
  /** The heading's link as a paragraph: `[1.2.0](https://…)`. */
  link: string | null
  /** Who made the release, in place of a title: `Jane Doe <jane@example.com>`. */
  byline: string | null
  /** Text in place of a date that is no date. */
  falseDate: string | null
  isYanked: boolean
}

/** Longer headings are text, which bounds the work of regular expressions. */
export const MAX_HEADING_LENGTH = 2000

/** Null if it does not look like a version. `labels` are those of link definitions; `isStrict` is true in our exports. */
export function readHeading(
  written: string,
  labels: ReadonlySet<string> = NO_LABELS,
  isStrict = false,
  mayBeLoose = false,
): ReadHeading | null {
  if (written.length > MAX_HEADING_LENGTH || (!isStrict && readTypeComment(written) !== null)) return null
  const { text, comment } = readHeadingComment(written)
  const visible = shownIn(text, labels).replace(TRAILING_MARKS, blanks)
  const bracketed = bracketedLabel(text, visible, isStrict)
  const shown = bracketed ? visible : visible.replace(BRACKETS, '$1 $2 ')
  const label = bracketed ?? plainLabel(shown)
  if (label === null || (label.isLoose && !mayBeLoose)) return null
  const mayBeBeside = label.date === null || bracketed !== null
  const date = (mayBeBeside ? dateBesideLabel(shown, label.end) : null) ?? label.date
  const isBracketed = /^\s*\[/.test(visible)
  const isExported = isStrict && bracketed !== null
  return { text, shown, label, isBracketed, isExported, date: comment.undated ? null : date, comment }
}

/** A heading with a label that is not at the place of one: the text is its title. */
export function headingWith(
  words: string,
  { text, comment }: Pick<ReadHeading, 'text' | 'comment'>,
): ReadHeading {
  const shown = shownIn(text)
  const label = { kind: 'version', text: words, end: 0, titleStart: 0, date: null, isDate: false } as const
  const date = comment.undated ? null : dateBesideLabel(shown, 0)
  return { text, shown, label, isBracketed: false, isExported: false, date, comment }
}

/** The heading with the addresses that its links refer to, which move what is behind them. */
function withTargets(heading: ReadHeading, definitions: Definitions): ReadHeading {
  const edits = targetsIn(heading.text, definitions)
  if (edits.length === 0) return heading
  const text = edited(heading.text, edits)
  const moved = (at: number): number => {
    const before = edits.filter(({ start }) => start <= at)
    const added = before.reduce(
      (sum, { start, end, replacement }) => sum + replacement.length - (end - start),
      0,
    )
    return Math.max(at, before.at(-1)?.end ?? 0) + added
  }
  const movedSpan = <T extends Span>(span: T): T => ({
    ...span,
    start: moved(span.start),
    end: moved(span.end),
  })
  const { label, date } = heading
  const titleStart = moved(label.titleStart)
  return {
    ...heading,
    text,
    shown: shownIn(text),
    label: { ...label, end: moved(label.end), titleStart },
    date: date === label.date ? date : date && movedSpan(date),
  }
}

/** What a heading says of a version. */
export function versionHeading(read: ReadHeading, definitions: Definitions): VersionHeading {
  const { text, shown, label, isExported, date: found, comment } = withTargets(read, definitions)
  const isFalse = found !== null && comment.status === null && !mayBeRelease(found.at)
  const date = isFalse ? null : found
  const dateBeside = found === label.date ? null : date
  let { titleStart } = label
  // With the markup around the label, if that is in the title.
  if (titleStart < label.end)
    while (shown[titleStart - 1] === ' ' && text[titleStart - 1] !== ' ') titleStart--
  const titleBeside = (date: Span | null) => readYanked(titleAround(text, date, titleStart, isExported))
  const { title, isYanked } = titleBeside(dateBeside)
  const falseDate =
    found !== null && isFalse
      ? { ...found, text: shown.slice(found.start, found.end).replace(/^[([]|[)\]]$/g, '') }
      : label.date === null && !comment.undated && dateBeside === null
        ? falseDateBesideLabel(shown, label.end)
        : null
  const byline = !isExported && BYLINE.test(title) ? title : null
  const note = asNote(title) ?? (falseDate && noteOf(falseDate.text, titleBeside(falseDate).title))
  return {
    label: label.text,
    title: note !== null ? `${label.text} ${note}` : title === '' || byline ? label.text : title,
    byline,
    date: date && { ...date, at: date.at + comment.timeOfDay },
    comment,
    link: linksOf(text, label, dateBeside),
    falseDate: falseDate?.text ?? null,
    isYanked,
  }
}

/** The heading with blanks in place of its markup, as long as it is. */
export const shownIn = (text: string, labels = NO_LABELS): string =>
  halfWidth(
    withoutNames(text, labels)
      .replace(LINK, (link, words: string) => ` ${words}${blanks(link.slice(words.length + 1))}`)
      .replace(/&(?:[nm]dash|#821[12]);/g, (entity) => `–${blanks(entity.slice(1))}`)
      .replace(MARKUP, (mark) => (mark.startsWith('\\') ? ` ${mark[1]}` : blanks(mark))),
  )

/** Without the names of definitions that links and pictures refer to; a picture is a remark. */
const withoutNames = (text: string, labels: ReadonlySet<string>): string =>
  labels.size === 0
    ? text
    : text.replace(REFERENCE, (link, mark: string, words: string, label: string) => {
        if (!labels.has(identifier(label || words))) return link
        const seen = mark === '' ? ` ${withoutNames(words, labels)}` : `(${words})`
        return seen + blanks(link.slice(seen.length))
      })

const blanks = (text: string): string => ' '.repeat(text.length)

/** `[1.2.0](https://… "title")`, also `[[1.2.0]](https://…)`. */
const LINK = /\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\((<[^<>]*>|(?:[^\s()<>]|\([^()]*\))*)(?:\s+("[^"]*"))?\)/g
/** `[1.2.0][name]`, `[1.2.0][]`, `[![picture][name]][other]` */
const REFERENCE = /(!?)\[((?:[^[\]\\]|\\.|!?\[[^[\]]*\])+)\]\[((?:[^[\]\\]|\\.)*)\]/g
const NO_LABELS: ReadonlySet<string> = new Set()
/** `\[1.2.0]`, and `[1.2.0] of a link. */
const BRACKETS = /^(\s*)\[([^[\]]+)\]/
const TRAILING_MARKS = /(?<![\s=#*_~\\])[\s=#*_~\\]+$/
const MARKUP =
  /!\[[^\]]*\]|<!--.*?-->|<\/?[a-z][^<>@]*>|&nbsp;|\\[!-/:-@[-`{-~]|\*\*|__|~~|`|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/gi

/** An address, with at most a name in front. */
const BYLINE =
  /^(?:by )?[^\d:;<>@]{0,80}(?:<[^\s<>@]+@[^\s<>@]+>|(?<!\S)[^\s<>@()[\]]+@[^\s<>@()[\]]+\.\p{L}+)$/iu

/** A date that does not exist is a note, not a title. Null if there is also a title. */
function noteOf(falseDate: string, title: string): string | null {
  if (title === '') return `(${falseDate})`
  const remark = asNote(title)
  return remark === null ? null : `(${falseDate}) ${remark}`
}

/** The links around the label and the date, `1.2.0 [(2020-07-28)](https://…)`, as a paragraph. */
function linksOf(text: string, label: VersionLabel, date: Span | null): string | null {
  const links: string[] = []
  for (const { 0: link, 1: words = '', 2: url = '', 3: title = null, index } of text.matchAll(LINK)) {
    const end = index + 2 + words.length
    const isDate = date !== null && index <= date.start && end >= date.end && index >= label.end
    if (!isDate && !(index < label.end && (index + link.length >= label.end - 1 || words === ''))) continue
    const name = shownIn(words).replace(/^[\s[]+|[\s\]]+$/g, '')
    const isName = name === label.text || name === '' || isDate || isUnreleased(name)
    const target = targetOf(url, title)
    links.push(isName && links.length === 0 ? inlineLink(label.text, target.url, target.title) : link)
  }
  return links.join(' ') || null
}

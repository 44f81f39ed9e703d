import { readYanked } from '../../../domain/versions/standing.ts'
import type { Definitions } from '../../markdown/definitions.ts'
import { inlineLink } from '../../markdown/inline.ts'
import { identifier, targetOf } from '../../markdown/labels.ts'
import { withTargets } from '../../markdown/source.ts'
import { type HeadingComment, NO_COMMENT, readHeadingComment, readTypeComment } from '../comments.ts'
import { halfWidth, isUnreleased } from '../vocabulary.ts'
import type { ParsedDate } from './date-forms.ts'
import { type FoundDate, isFarAhead, type Span } from './dates.ts'
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
  /** Written as our exports are: what is behind the label means no more than it says. */
  isStrict: boolean
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
  /** Text in place of a date that is no date. */
  falseDate: string | null
  isYanked: boolean
}

/** Longer headings are text, which bounds the work of regular expressions. */
export const MAX_HEADING_LENGTH = 2000

/** Null if it does not look like a version. `labels` are those of link definitions. */
export function readHeading(
  written: string,
  labels: ReadonlySet<string> = NO_LABELS,
  isStrict = false,
): ReadHeading | null {
  if (written.length > MAX_HEADING_LENGTH || readTypeComment(written) !== null) return null
  const { text, comment } = readHeadingComment(written)
  const visible = shownIn(text, labels).replace(TRAILING_MARKS, blanks)
  const bracketed = bracketedLabel(text, visible, isStrict)
  const shown = bracketed ? visible : visible.replace(BRACKETS, '$1 $2 ')
  const label = bracketed ?? plainLabel(shown)
  if (label === null) return null
  const mayBeBeside = !comment.undated && (label.date === null || bracketed !== null)
  const date = (mayBeBeside ? dateBesideLabel(shown, label.end) : null) ?? label.date
  const isBracketed = /^\s*\[/.test(visible)
  return { text, shown, label, isBracketed, isStrict: isStrict && bracketed !== null, date, comment }
}

/** A heading with a label that is not at the place of one: the text is its title. */
export function headingWith(words: string, text: string): ReadHeading {
  const shown = shownIn(text)
  const label = { kind: 'version', text: words, end: 0, titleStart: 0, date: null, isDate: false } as const
  const date = dateBesideLabel(shown, 0)
  return { text, shown, label, isBracketed: false, isStrict: false, date, comment: NO_COMMENT }
}

/** What a heading says of a version. */
export function versionHeading(
  { text, shown, label, isStrict, date: found, comment }: ReadHeading,
  definitions: Definitions,
): VersionHeading {
  const isFar = found !== null && comment.status === null && isFarAhead(found.at)
  const date = isFar ? null : found
  const dateBeside = found === label.date ? null : date
  let { titleStart } = label
  // With the markup around the label, if that is in the title.
  if (titleStart < label.end)
    while (shown[titleStart - 1] === ' ' && text[titleStart - 1] !== ' ') titleStart--
  const titleBeside = (date: Span | null) =>
    readYanked(withTargets(titleAround(text, date, titleStart, isStrict), definitions))
  const { title, isYanked } = titleBeside(dateBeside)
  const falseDate =
    found !== null && isFar
      ? { ...found, text: shown.slice(found.start, found.end).replace(/^[([]|[)\]]$/g, '') }
      : label.date === null && !comment.undated && dateBeside === null
        ? falseDateBesideLabel(shown, label.end)
        : null
  const note = asNote(title) ?? (falseDate && noteOf(falseDate.text, titleBeside(falseDate).title))
  return {
    label: label.text,
    title: note !== null ? `${label.text} ${note}` : title === '' ? label.text : title,
    date: date && { ...date, at: date.at + comment.timeOfDay },
    comment,
    link: linkOf(withTargets(text, definitions), label, dateBeside),
    falseDate: falseDate?.text ?? null,
    isYanked,
  }
}

/** The heading with blanks in place of its markup, as long as it is. */
export const shownIn = (text: string, labels = NO_LABELS): string =>
  halfWidth(
    text
      .replace(REFERENCE, (link, words: string, label: string) =>
        labels.has(identifier(label || words)) ? ` ${words}${blanks(link.slice(words.length + 1))}` : link,
      )
      .replace(LINK, (link, words: string) => ` ${words}${blanks(link.slice(words.length + 1))}`)
      .replace(/&(?:[nm]dash|#821[12]);/g, (entity) => `–${blanks(entity.slice(1))}`)
      .replace(MARKUP, (mark) => (mark.startsWith('\\') ? ` ${mark[1]}` : blanks(mark))),
  )

const blanks = (text: string): string => ' '.repeat(text.length)

/** `[1.2.0](https://… "title")`, also `[[1.2.0]](https://…)`. */
const LINK = /\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\((<[^<>]*>|(?:[^\s()<>]|\([^()]*\))*)(?:\s+("[^"]*"))?\)/g
/** `[1.2.0][name]`, `[1.2.0][]` */
const REFERENCE = /\[((?:[^[\]\\]|\\.)+)\]\[((?:[^[\]\\]|\\.)*)\]/g
const NO_LABELS: ReadonlySet<string> = new Set()
/** `\[1.2.0]`, and `[1.2.0] of a link. */
const BRACKETS = /^(\s*)\[([^[\]]+)\]/
const TRAILING_MARKS = /[\s=#*_~\\]+$/
const MARKUP =
  /!\[[^\]]*\]|<!--.*?-->|<\/?[a-z][^<>@]*>|&nbsp;|\\[!-/:-@[-`{-~]|\*\*|__|~~|`|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/gi

/** A date that does not exist is a note, not a title. Null if there is also a title. */
function noteOf(falseDate: string, title: string): string | null {
  if (title === '') return `(${falseDate})`
  const remark = asNote(title)
  return remark === null ? null : `(${falseDate}) ${remark}`
}

/** The link around the label or the date, `1.2.0 [(2020-07-28)](https://…)`, as a paragraph. */
function linkOf(text: string, label: VersionLabel, date: Span | null): string | null {
  for (const { 0: link, 1: words = '', 2: url = '', 3: title = null, index } of text.matchAll(LINK)) {
    const end = index + 2 + words.length
    const isDate = date !== null && index <= date.start && end >= date.end && index >= label.end
    if (!isDate && !(index < label.end && (index + link.length >= label.end - 1 || words === ''))) continue
    const name = shownIn(words).replace(/^[\s[]+|[\s\]]+$/g, '')
    const isName = name === label.text || name === '' || isDate || isUnreleased(name)
    const target = targetOf(url, title)
    return isName ? inlineLink(label.text, target.url, target.title) : link
  }
  return null
}

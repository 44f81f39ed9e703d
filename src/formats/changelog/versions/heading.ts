import { readYanked } from '../../../domain/versions/standing.ts'
import type { Definition } from '../../markdown/blocks.ts'
import { inlineLink, linkTarget } from '../../markdown/inline.ts'
import { identifier, targetOf } from '../../markdown/labels.ts'
import { oneLine } from '../../markdown/lines.ts'
import type { Node } from '../../markdown/nodes.ts'
import type { MarkdownSource } from '../../markdown/source.ts'
import { type HeadingComment, NO_COMMENT, readHeadingComment, readTypeComment } from '../comments.ts'
import { halfWidth, isUnreleased } from '../vocabulary.ts'
import type { ParsedDate } from './date-forms.ts'
import { isFarAhead, type Span } from './dates.ts'
import { asNote, dateBesideLabel, falseDateBesideLabel, titleAround } from './heading-title.ts'
import { bracketedLabel, plainLabel, type VersionLabel } from './label.ts'

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

/** A heading of which only the text is known. */
export const NOTHING_SAID: Omit<VersionHeading, 'label' | 'title'> = {
  date: null,
  comment: NO_COMMENT,
  link: null,
  falseDate: null,
  isYanked: false,
}

/** Longer headings are text, which bounds the work of regular expressions. */
export const MAX_HEADING_LENGTH = 2000

/** Reads a heading. Null if it does not look like a version. */
export function readVersionHeading(node: Node, source: MarkdownSource): VersionHeading | null {
  if (node.end - node.start > MAX_HEADING_LENGTH) return null
  const written = oneLine(source.inside(node))
  if (readTypeComment(written) !== null) return null
  const { text: whole, comment } = readHeadingComment(written)
  const definition = definitionOf(node, source)
  const text = definition ? whole.replace(`]${linkTarget(definition.url, definition.title)}`, ']') : whole
  const shown = shownIn(text)
  const { isStrict } = source.document
  const label =
    bracketedLabel(text, shown, isStrict && node.depth === 2) ?? plainLabel(shown.replace(BRACKETS, '$1 $2 '))
  if (label === null) return null

  const mayHaveDateBeside = label.date === null && !comment.undated
  const found = label.date ?? (mayHaveDateBeside ? dateBesideLabel(shown, label.end) : null)
  const isFar = found !== null && comment.status === null && isFarAhead(found.at)
  const date = isFar ? null : found
  const dateBeside = label.date === null ? date : null
  let { titleStart } = label
  // With the markup around the label, if that is in the title.
  if (titleStart < label.end)
    while (shown[titleStart - 1] === ' ' && text[titleStart - 1] !== ' ') titleStart--
  const titleBeside = (date: Span | null) => readYanked(titleAround(text, date, titleStart, isStrict))
  const { title, isYanked } = titleBeside(dateBeside)
  const falseDate =
    found !== null && isFar
      ? { ...found, text: shown.slice(found.start, found.end).replace(/^[([]|[)\]]$/g, '') }
      : mayHaveDateBeside && dateBeside === null
        ? falseDateBesideLabel(shown, label.end)
        : null
  const note = asNote(title) ?? (falseDate && noteOf(falseDate.text, titleBeside(falseDate).title))
  return {
    label: label.text,
    title: note !== null ? `${label.text} ${note}` : title === '' ? label.text : title,
    date: date && { ...date, at: date.at + comment.timeOfDay },
    comment,
    link: definition
      ? inlineLink(label.text, definition.url, definition.title)
      : linkOf(text, label, dateBeside),
    falseDate: falseDate?.text ?? null,
    isYanked,
  }
}

/** The definition that `[1.2.0]`, the beginning of the heading, refers to. */
function definitionOf({ value }: Node, { definitions }: MarkdownSource): Definition | undefined {
  const label = /^#{0,6}[ \t]*[*_]*\[((?:[^[\]\\]|\\.)+)\](?!\(|\[[^\]])/.exec(value)?.[1]
  return label === undefined ? undefined : definitions.get(identifier(label))
}

/** The heading with blanks in place of its markup, as long as it is. */
export const shownIn = (text: string): string =>
  halfWidth(
    text
      .replace(LINK, (link, words: string) => ` ${words}${blanks(link.slice(words.length + 1))}`)
      .replace(/&(?:[nm]dash|#821[12]);/g, (entity) => `–${blanks(entity.slice(1))}`)
      .replace(MARKUP, (mark) => (mark.startsWith('\\') ? ` ${mark[1]}` : blanks(mark))),
  )

const blanks = (text: string): string => ' '.repeat(text.length)

/** `[1.2.0](https://… "title")`, also `[[1.2.0]](https://…)`. */
const LINK = /\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\((<[^<>]*>|(?:[^\s()<>]|\([^()]*\))*)(?:\s+("[^"]*"))?\)/g
/** `\[1.2.0]`, and `[1.2.0] of a link. */
const BRACKETS = /^(\s*)\[([^[\]]+)\]/
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
    const end = index + 1 + words.length
    const isDate = date !== null && index <= date.start && end >= date.end && index >= label.end
    if (!isDate && !(index < label.end && (index + link.length >= label.end - 1 || words === ''))) continue
    const name = shownIn(words).replace(/^[\s[]+|[\s\]]+$/g, '')
    const isName = name === label.text || name === '' || isDate || isUnreleased(name)
    const target = targetOf(url, title)
    return isName ? inlineLink(label.text, target.url, target.title) : link
  }
  return null
}

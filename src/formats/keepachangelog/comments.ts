import { STORED_VERSION_STATUSES, type StoredVersionStatus } from '../../domain/records.ts'
import { isChangeType } from '../../domain/slug.ts'
import type { Phrases } from './markdown/nodes.ts'
import type { MarkdownSource } from './markdown/source.ts'
import { anyOf } from './vocabulary.ts'

/**
 * The comments that `writeMarkdown` adds where plain text would be read differently. Readers of the file do not
 * see them.
 */

/** Everything above it is the preamble, even if it looks like a version. */
export const VERSIONS_COMMENT = '<!-- versions -->'

/** Begins the list item that holds a description which would otherwise be read as sections and changes. */
export const DESCRIPTION_COMMENT = '<!-- description -->'

/** What the comment at the end of a version's heading says: `<!-- draft 12:30:00.000Z -->`. */
export interface HeadingComment {
  status: StoredVersionStatus | null
  /** Whether the version has no date, so that none is to be looked for. */
  undated: boolean
  /** Milliseconds since midnight. */
  timeOfDay: number
}

/**
 * Reads the comment of a heading, and where the heading's text ends before it. Looks at the text and not at the
 * tree, because a title may hold half a comment or an open code span.
 */
export function readHeadingComment(
  node: Phrases,
  source: MarkdownSource,
): { comment: HeadingComment; textEnd: number } {
  const comment: HeadingComment = { status: null, undated: false, timeOfDay: 0 }
  const first = node.children[0]
  const last = node.children.at(-1)
  if (first === undefined || last === undefined) return { comment, textEnd: node.end }
  const text = source.text.slice(first.start, last.end)
  const match = node.type === 'heading' ? HEADING_COMMENT.exec(text) : null
  if (match?.[1] === undefined) return { comment, textEnd: last.end }
  for (const word of match[1].split(' ')) {
    const status = STORED_VERSION_STATUSES.find((each) => each === word)
    if (status) comment.status = status
    else if (word === 'undated') comment.undated = true
    else comment.timeOfDay = Date.parse(`1970-01-01T${word}`) || 0
  }
  return { comment, textEnd: first.start + match.index }
}

/** Whether a title ends with what would be read as such a comment. */
export function endsWithHeadingComment(title: string): boolean {
  return HEADING_COMMENT.test(` ${title}`)
}

/**
 * The type that the comment at the end of a section's heading says, `### Bugs! <!-- type: fixed -->`, and where the text
 * before it ends. Null if there is none. A heading with this comment is always that of a section.
 */
export function readTypeComment(
  node: Phrases,
  source: MarkdownSource,
): { type: string; textStart: number; textEnd: number } | null {
  const first = node.children[0]
  const last = node.children.at(-1)
  if (node.type !== 'heading' || first === undefined || last === undefined) return null
  const textStart = first.start
  const match = TYPE_COMMENT.exec(source.text.slice(textStart, last.end))
  if (match?.[1] === undefined || !isChangeType(match[1])) return null
  return { type: match[1], textStart, textEnd: textStart + match.index }
}

export const typeComment = (type: string): string => `<!-- type: ${type} -->`

const TYPE_COMMENT = / ?<!-- type: ([^\s<>]+) -->[ \t]*$/
const WORD = anyOf([...STORED_VERSION_STATUSES, 'undated', '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'])
const HEADING_COMMENT = new RegExp(` ?<!-- (${WORD}(?: ${WORD})*) -->[ \\t]*$`)

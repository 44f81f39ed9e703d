import { STORED_VERSION_STATUSES, type StoredVersionStatus } from '../../domain/records.ts'
import { isChangeType } from '../../domain/slug.ts'
import { anyOf } from './vocabulary.ts'

/** Comments that `writeMarkdown` adds where plain text would be read differently. */

/** The heading of a version in an export. */
export const EXPORTED = /^## \[[^\n]{1,200}\](?!\()/
/** A line of an export that is none, and may be taken for a version all the same. */
export const MAY_BE_VERSION =
  /^[ \t#=*_(]*(?:(?:version|release|ver\.?|rel\.?)\s+)?(?:v?\d+\.\d|\[(?![^\]]*\]:)|un-?released)/i

/** Everything above it is the preamble, even if it looks like a version, and the newest version is below it. */
export const VERSIONS_COMMENT = '<!-- versions -->'

/** Begins a list item with a description that would otherwise be read as sections and changes. */
export const DESCRIPTION_COMMENT = '<!-- description -->'

/** Begins one with a closing text that would otherwise be read as something else. */
export const CLOSING_COMMENT = '<!-- closing -->'

/** Either of them. */
export const OWN_COMMENT = /<!-- (?:description|closing) -->/

/** The comment at the end of a version's heading: `<!-- draft 12:30:00.000Z -->`. */
export interface HeadingComment {
  status: StoredVersionStatus | null
  /** There is no date, so the reader looks for none. */
  undated: boolean
  /** Milliseconds since midnight. */
  timeOfDay: number
}

export const NO_COMMENT: HeadingComment = { status: null, undated: false, timeOfDay: 0 }

/** A heading without its comment, and what that says. A title may contain half a comment. */
export function readHeadingComment(heading: string): { text: string; comment: HeadingComment } {
  const match = HEADING_COMMENT.exec(heading)
  if (match?.[1] === undefined) return { text: heading, comment: NO_COMMENT }
  const comment = { ...NO_COMMENT }
  for (const word of match[1].split(' ')) {
    const status = STORED_VERSION_STATUSES.find((each) => each === word)
    if (status) comment.status = status
    else if (word === 'undated') comment.undated = true
    else comment.timeOfDay = Date.parse(`1970-01-01T${word}`) || 0
  }
  return { text: heading.slice(0, match.index), comment }
}

export const endsWithHeadingComment = (title: string): boolean => HEADING_COMMENT.test(` ${title}`)

/**
 * The type in the comment at the end of a section's heading, `### Bugs! <!-- type: fixed -->`, and the text before it;
 * null if there is none. A heading with this comment is always a section.
 */
export function readTypeComment(heading: string): { type: string; text: string } | null {
  const match = TYPE_COMMENT.exec(heading)
  return match?.[1] !== undefined && isChangeType(match[1])
    ? { type: match[1], text: heading.slice(0, match.index) }
    : null
}

export const typeComment = (type: string): string => `<!-- type: ${type} -->`

const TYPE_COMMENT = / ?<!-- type: ([^\s<>]+) -->[ \t]*$/
const WORD = anyOf([...STORED_VERSION_STATUSES, 'undated', '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'])
const HEADING_COMMENT = new RegExp(` ?<!-- (${WORD}(?: ${WORD})*) -->[ \\t]*$`)

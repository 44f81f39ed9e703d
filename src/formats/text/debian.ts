import { headingFromType } from '../../domain/slug.ts'
import { cleanVersions } from '../keepachangelog/read.ts'
import { writtenTime } from '../keepachangelog/versions/dates.ts'
import {
  append,
  DEFAULT_TYPE,
  FormatError,
  type ParsedChangelog,
  type ParsedVersion,
  type Warning,
} from '../parsed.ts'
import { linesOf } from '../text-lines.ts'
import { escapePlain, readPlainBody } from './body.ts'

/** `hello (2.10-3) unstable; urgency=medium`, and below the first `hello (2.10)`. */
const HEADING = /^[A-Za-z0-9][\w+.-]* \((?<version>[^()\s]+)\)(?:(?<targets>(?: [\w.-]+)+);(?<settings>.*))?$/
/** ` -- Name <mail>  Mon, 02 Jan 2006 15:04:05 +0000` */
const TRAILER = /^ --(?: |$)/
const TRAILER_FORM = '" -- Name <mail>  Mon, 02 Jan 2006 15:04:05 +0000"'

/** Whether one of the first lines is such a heading, and its entry ends before the next one. */
export function isDebian(head: string): boolean {
  const lines = linesOf(head).map((line) => line.trimEnd())
  const first = lines.slice(0, MOST_ABOVE).findIndex((line) => HEADING.exec(line)?.groups?.targets)
  const targets = first === -1 ? undefined : HEADING.exec(lines[first] ?? '')?.groups?.targets
  const end = lines.slice(first + 1).find((line) => TRAILER.test(line) || HEADING.test(line))
  return targets !== undefined && (end === undefined || TRAILER.test(end) || isUnreleased(targets))
}

/** Of a preamble. */
const MOST_ABOVE = 20

const isUnreleased = (targets: string): boolean => /(?:^| )UNRELEASED(?: |$)/.test(targets)

interface Entry {
  version: string
  isReleased: boolean
  urgency: string
  line: number
  lines: string[]
  date: number | null
  /** Until its trailer. */
  isOpen: boolean
  /** Text below the trailer that is no entry. */
  rest: string[]
}

/**
 * Reads a `debian/changelog`: see deb-changelog(5). An entry for `UNRELEASED` is a draft without a date. Names in
 * brackets (`[ Jane Doe ]`) precede the titles of their changes, and an urgency above medium is part of the
 * description; maintainer, distribution and other settings are left out. Throws a FormatError with the line.
 */
export function parseDebian(text: string): ParsedChangelog {
  const versions: ParsedVersion[] = []
  const warnings: Warning[] = []
  const { entries, above: preamble } = entriesOf(text)
  for (const { version, isReleased, urgency, line, lines, date, rest } of entries) {
    const hasNames = lines.some((one) => NAME.test(one))
    const above = hasNames ? `### ${headingFromType(DEFAULT_TYPE)}` : ''
    const body = readPlainBody(lines, line, { headingOf: nameHeading, above, style: null })
    const { description, closing, changes } = body
    const parsed: ParsedVersion = {
      ...{ label: version, title: version, date, status: isReleased ? 'published' : 'draft' },
      ...{ description, closing, changes, line },
    }
    if (/^(?:high|emergency|critical)\b/.test(urgency)) append(parsed, `Urgency: ${escapePlain(urgency)}`)
    if (rest.length > 0) {
      append(parsed, rest.map(escapePlain).join('\n'))
      warnings.push({ line, message: 'the text after the last entry is kept in the description' })
    }
    versions.push(parsed)
    warnings.push(...body.warnings)
  }
  cleanVersions(versions, warnings)
  const sorted = warnings.sort((a, b) => a.line - b.line)
  return {
    versions,
    warnings: sorted,
    ...(preamble.length > 0 && { preamble: preamble.map(escapePlain).join('\n') }),
  }
}

function nameHeading(line: string): string | null {
  const name = NAME.exec(line)?.groups?.name?.trim() ?? ''
  return name === '' ? null : `#### ${escapePlain(name)}`
}

/** `  [ Jane Doe ]` */
const NAME = /^\s+\[(?<name>[^[\]]+)\]\s*$/

/** Modelines of editors, keywords of version control, and comments. */
const IGNORED = /^(?:\s*(?:vi|vim|ex|gnu ?emacs):|;;|\s*local variables:|\$\w+:.*\$|#|\/\*.*\*\/)/i

/** The entries of a text, and the lines above the first. */
function entriesOf(text: string): { entries: Entry[]; above: string[] } {
  const entries: Entry[] = []
  const above: string[] = []
  let entry: Entry | null = null
  const lines = linesOf(text)
  for (const [at, whole] of lines.entries()) {
    const content = whole.trimEnd()
    const { version, targets = '', settings = '' } = HEADING.exec(content)?.groups ?? {}
    if (version !== undefined) {
      checkEnd(entry, at + 1)
      const urgency = /(?:^|[\s,])urgency=([^,]+)/i.exec(settings)?.[1]?.trim().toLowerCase() ?? ''
      const isReleased = !isUnreleased(targets)
      entry = { version, isReleased, urgency, line: at + 1, lines: [], date: null, isOpen: true, rest: [] }
      entries.push(entry)
    } else if (entry === null) {
      if (!IGNORED.test(content) && (content !== '' || above.length > 0)) above.push(content)
    } else if (entry.isOpen && TRAILER.test(content)) {
      entry.date = entry.isReleased ? timeOf(content, at + 1) : null
      entry.isOpen = false
    } else if (entry.isOpen) entry.lines.push(content)
    else if (content !== '' && !IGNORED.test(content)) entry.rest.push(content)
  }
  checkEnd(entry, lines.length)
  if (entry === null && above.length > 0)
    throw new FormatError('expected an entry such as "hello (2.10-3) unstable; urgency=medium"')
  while (above.at(-1) === '') above.pop()
  return { entries, above }
}

function checkEnd(entry: Entry | null, line: number): void {
  if (entry?.isOpen && entry.isReleased)
    throw new FormatError(
      `line ${line}: the entry on line ${entry.line} does not end; expected ${TRAILER_FORM}`,
    )
}

function timeOf(trailer: string, line: number): number {
  // A comment may follow the date, such as the name of a time zone.
  const [date = ''] = trailer.slice(trailer.lastIndexOf('>') + 1).split('(', 1)
  const instant = writtenTime(date)
  if (instant === null) throw new FormatError(`line ${line}: no readable date; expected ${TRAILER_FORM}`)
  return instant
}

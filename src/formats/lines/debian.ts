import { headingFromType } from '../../domain/slug.ts'
import { readVersions } from '../changelog/read.ts'
import { writtenTime } from '../changelog/versions/dates.ts'
import { headingWith, type ReadHeading } from '../changelog/versions/heading.ts'
import { escapePlain } from '../markdown/inline.ts'
import { normalise } from '../markdown/lines.ts'
import {
  append,
  DEFAULT_TYPE,
  FormatError,
  type ParsedChangelog,
  type ParsedVersion,
  type Warning,
} from '../parsed.ts'
import { markdownLines } from './body.ts'

/** `hello (2.10-3) unstable; urgency=medium`, and below the first `hello (2.10)`. */
const HEADING = /^[A-Za-z0-9][\w+.-]* \((?<version>[^()\s]+)\)(?:(?<targets>(?: [\w.-]+)+);(?<settings>.*))?$/
/** ` -- Name <mail>  Mon, 02 Jan 2006 15:04:05 +0000` */
const TRAILER = /^ {1,2}--(?: |$)/
const TRAILER_FORM = '" -- Name <mail>  Mon, 02 Jan 2006 15:04:05 +0000"'

/** True if one of the first lines is such a heading, and an entry ends. */
export function isDebian(head: string): boolean {
  const lines = normalise(head).split('\n')
  const first = lines.slice(0, MOST_ABOVE).findIndex((line) => HEADING.exec(line)?.groups?.targets)
  const targets = HEADING.exec(lines[first] ?? '')?.groups?.targets
  const below = lines.slice(first + 1)
  const hasEnd = below.some((line) => TRAILER.test(line)) || !below.some((line) => HEADING.test(line))
  return targets !== undefined && (hasEnd || isUnreleased(targets))
}

/** The most lines of a preamble. */
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
 * description; maintainer, distribution and other settings are left out. Throws a FormatError if the last entry does not end.
 */
export function parseDebian(text: string): ParsedChangelog {
  const warnings: Warning[] = []
  const { entries, above: preamble } = entriesOf(text, warnings)
  const written: string[] = []
  for (const entry of entries) {
    while (written.length < entry.line) written.push('')
    for (const line of markdownOf(entry)) written.push(line)
  }
  const starts = entries.map((entry) => ({ at: entry.line - 1, level: 2, heading: headingOf(entry) }))
  const { versions, warnings: found } = readVersions(written.join('\n'), starts, { isStrict: true })
  warnings.push(...found)
  for (const [at, { urgency, rest, line }] of entries.entries()) {
    const version = versions[at] as ParsedVersion
    delete version.source
    if (/^(?:high|emergency|critical)\b/.test(urgency)) append(version, `Urgency: ${escapePlain(urgency)}`)
    if (rest.length === 0) continue
    append(version, rest.map(escapePlain).join('\n'))
    warnings.push({ line, message: 'the text after the last entry is kept in the description' })
  }
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    ...(preamble.length > 0 && { preamble: preamble.map(escapePlain).join('\n') }),
  }
}

function headingOf({ version, isReleased, date: at }: Entry): ReadHeading {
  const comment = { status: isReleased ? 'published' : 'draft', undated: at === null, timeOfDay: 0 } as const
  const date = at === null ? null : { at, warning: null, numeric: null, start: 0, end: 0 }
  return { ...headingWith(version, { text: '', comment }), date }
}

/** The text of an entry, line for line, so that warnings name the author's lines. */
function markdownOf({ lines }: Entry): string[] {
  const [first = '', ...body] = markdownLines(lines, nameHeading)
  // Names are those of sections inside of one.
  const isNamed = first === '' && lines.some((line) => NAME.test(line))
  return [isNamed ? `### ${headingFromType(DEFAULT_TYPE)}` : first, ...body]
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
function entriesOf(text: string, warnings: Warning[]): { entries: Entry[]; above: string[] } {
  const entries: Entry[] = []
  const above: string[] = []
  let entry: Entry | null = null
  const lines = normalise(text).split('\n')
  for (const [at, whole] of lines.entries()) {
    const content = whole.trimEnd()
    const { version, targets = '', settings = '' } = HEADING.exec(content)?.groups ?? {}
    if (version !== undefined) {
      if (entry?.isOpen && entry.isReleased)
        warnings.push({ line: entry.line, message: `the entry does not end; expected ${TRAILER_FORM}` })
      const urgency = /(?:^|[\s,])urgency=([^,]+)/i.exec(settings)?.[1]?.trim().toLowerCase() ?? ''
      const isReleased = !isUnreleased(targets)
      entry = { version, isReleased, urgency, line: at + 1, lines: [], date: null, isOpen: true, rest: [] }
      entries.push(entry)
    } else if (entry === null) {
      if (!IGNORED.test(content) && (content !== '' || above.length > 0)) above.push(content)
    } else if (entry.isOpen && TRAILER.test(content)) {
      entry.date = entry.isReleased ? timeOf(content) : null
      if (entry.isReleased && entry.date === null)
        warnings.push({ line: at + 1, message: `no readable date; expected ${TRAILER_FORM}` })
      entry.isOpen = false
    } else if (entry.isOpen) entry.lines.push(content)
    else if (content !== '' && !IGNORED.test(content)) entry.rest.push(content)
  }
  if (entry?.isOpen && entry.isReleased)
    throw new FormatError(
      `line ${lines.length}: the entry on line ${entry.line} does not end; expected ${TRAILER_FORM}`,
    )
  if (entry === null && above.length > 0)
    throw new FormatError('expected an entry such as "hello (2.10-3) unstable; urgency=medium"')
  while (above.at(-1) === '') above.pop()
  return { entries, above }
}

function timeOf(trailer: string): number | null {
  // A comment may follow the date, such as the name of a time zone.
  const [date = ''] = trailer.slice(trailer.lastIndexOf('>') + 1).split('(', 1)
  return writtenTime(date)
}

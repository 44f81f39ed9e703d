import { trimBlankLines } from '../keepachangelog/markdown/lines.ts'
import { cleanVersions } from '../keepachangelog/read.ts'
import {
  type FoundDate,
  findDate,
  findFalseDate,
  notADate,
  resolveNumericDates,
} from '../keepachangelog/versions/dates.ts'
import { passedOver } from '../keepachangelog/versions/find.ts'
import { resolveStatuses, type UnresolvedVersion } from '../keepachangelog/versions/status.ts'
import { isPlaceholder } from '../keepachangelog/vocabulary.ts'
import { type ParsedChangelog, UNRELEASED } from '../parsed.ts'
import { linesOf } from '../text-lines.ts'
import { escapePlain, readPlainBody } from './body.ts'
import { TextStyle } from './points.ts'

/** `1.02`, `v1.2.3`, `0.19_03`, `1.00-TRIAL` at the margin, and the rest of the line. */
const VERSION = /^(?<label>v?\d+(?:[._]\d+)+(?:[-_]?[A-Za-z]+\d*)?)(?<gap>[ \t]*[:,-]?[ \t]+|$)(?<rest>.*)$/
/** Dist::Zilla replaces it on release. */
const NEXT = /^\{\{\$NEXT\}\}/

interface VersionLine {
  label: string
  date: FoundDate | null
  /** Text in place of a date that is no date; part of the note. */
  falseDate?: string
  note: string
}

/** Whether text or name say that it is a `Changes` file of Perl, and it has dated versions, more than in headings of markdown. */
export function isPerlChanges(fileName: string, head: string): boolean {
  if (!/(?:^|[/\\])changes$/i.test(fileName) && !/^(?:revision|change) history (?:for|of) /i.test(head))
    return false
  const lines = linesOf(head)
  const versions = lines.filter((line, at) => {
    const found = versionLine(line)
    return (
      found !== null &&
      (found.date !== null || NEXT.test(line)) &&
      !/^[=~-]{3,}\s*$/.test(lines[at + 1] ?? '')
    )
  })
  return versions.length > lines.filter((line) => /^#{1,6} .*\d/.test(line)).length
}

/**
 * Reads a `Changes` file: see CPAN::Changes::Spec. Versions are at the margin; a `[Group]` gives its changes their
 * type. Text before the first version is the preamble. Drafts are told as by `parseMarkdown`.
 */
export function parsePerlChanges(text: string): ParsedChangelog {
  const lines = linesOf(text)
  const starts = lines.flatMap((line, at) => {
    const found = versionLine(line, lines[at - 1])
    return found === null ? [] : [{ ...found, at }]
  })
  const numbered = lines.flatMap((line, at) =>
    VERSION.test(line.trimEnd()) ? { line: at + 1, text: line.trim() } : [],
  )
  const warnings = passedOver(
    numbered,
    starts.map(({ label, at }) => ({ label, line: at + 1 })),
  )
  const style = new TextStyle()
  for (const [index, { at }] of starts.entries()) style.add(lines.slice(at + 1, starts[index + 1]?.at))
  const versions = starts.map(({ label, date, falseDate, note, at }, index): UnresolvedVersion => {
    const below = lines.slice(at + 1, starts[index + 1]?.at)
    const body = readPlainBody(below, at + 1, { headingOf: groupHeading, above: '', style })
    warnings.push(...body.warnings)
    if (falseDate !== undefined) warnings.push({ line: at + 1, ...notADate(falseDate) })
    if (date?.warning) warnings.push({ line: at + 1, message: date.warning })
    const isBracketed = /^\(.*\)$/.test(note) || isPlaceholder(note)
    const description = [isBracketed ? '' : escapePlain(note), body.description ?? ''].filter(
      (part) => part !== '',
    )
    return {
      ...{ label, title: isBracketed ? `${label} ${escapePlain(note)}` : label },
      ...{ date: date?.at ?? null, numericDate: date?.numeric ?? null, status: null },
      ...{ description: description.join('\n\n') || null, closing: body.closing },
      ...{ changes: body.changes, line: at + 1 },
    }
  })
  resolveNumericDates(versions, warnings)
  const resolved = resolveStatuses(versions, warnings)
  cleanVersions(resolved, warnings)
  const preamble = trimBlankLines(lines.slice(0, starts[0]?.at).map(escapePlain).join('\n'))
  return {
    versions: resolved,
    warnings: warnings.sort((a, b) => a.line - b.line),
    preamble: preamble === '' ? null : preamble,
  }
}

/** Without a date it must be only a label, have a placeholder, or have text that cannot continue the line above. */
function versionLine(line: string, above = ''): VersionLine | null {
  if (NEXT.test(line)) return { label: UNRELEASED, date: null, note: '' }
  const { label, gap = '', rest: behind = '' } = VERSION.exec(line.trimEnd())?.groups ?? {}
  if (label === undefined) return null
  const rest = behind.slice(0, MOST_BEHIND).replace(NAMED_ZONE, '$1') + behind.slice(MOST_BEHIND)
  const date = findDate(rest.slice(0, MOST_BEHIND))
  const isAfterDay = date !== null && /^\p{L}/u.test(rest.slice(date.start))
  if (date !== null && (isAfterDay ? ONLY_WEEKDAY : /^[\s,:;()[\]-]*$/).test(rest.slice(0, date.start))) {
    const note = rest
      .slice(date.end)
      .replace(TIME_ZONE, '')
      .replace(/^[\s,;:-]+/, '')
    return { label, date, note: note.trim() }
  }
  const note = rest.trim()
  const falseDate = findFalseDate(note.slice(0, MOST_BEHIND))
  if (falseDate?.start === 0) return { label, date: null, falseDate: falseDate.text, note }
  const end = date === null ? null : rest.slice(date.end)
  if (date !== null && end !== null && /^[\s)\]]*$/.test(end) && /^[([]/.test(rest.slice(date.start)))
    return { label, date, note: rest.slice(0, date.start).trim() }
  const isAlone =
    note === '' || note === '[]' || isPlaceholder(note) || /^\(.*\)$/.test(note) || NO_DATE.test(note)
  const isTitled = /^\p{Lu}/u.test(note) && (above.trim() === '' || /\t|[ ]{2}/.test(gap))
  return isAlone || isTitled ? { label, date: null, note } : null
}

/** What the specification allows in place of an unknown date; and a date that does not exist: `2026-02-30`. */
const NO_DATE = /^(?:unknown(?: release date)?$|develop(?:ment|er) release$|\d{4}-\d\d-\d\d(?!\d))/i

/** In front of a month: `dom` of another language, or a mistyped `Thr`. */
const ONLY_WEEKDAY = /^[\s,:;()[\]-]*(?:\p{L}{2,4}[.,]?\s+)?$/u

/** Dates are looked for within this distance from the label. */
const MOST_BEHIND = 200

/** Before the year, as `date` of Unix prints it: `Sun Feb 27 16:50:11 CET 2000`. */
const NAMED_ZONE = /(\d\d:\d\d(?::\d\d)?) [A-Z]{2,6}(?= \d{4}\b)/

/** After a time with an offset. */
const TIME_ZONE = /^\s*(?:[A-Z][A-Za-z]+\/[A-Z][\w/+-]+|UTC|GMT|[A-Z]{2,4}T)(?=$|\s)/

/** `[Bug Fixes]` */
function groupHeading(line: string): string | null {
  const name = /^\s*\[(?<name>[^[\]]+)\]\s*$/.exec(line)?.groups?.name?.trim() ?? ''
  return name === '' ? null : `### ${escapePlain(name)}`
}

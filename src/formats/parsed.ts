import { identityIn } from '../domain/importing/match-versions.ts'
import { type ChangeDraft, type Instant, UNRELEASED, type VersionDraft } from '../domain/records.ts'
import type { Command } from '../domain/text/shell.ts'

/**
 * The result of every reader. Labels are unique in the file. A title is inline markdown on one line: the label if there
 * is none. A description is block markdown, dedented, without blank lines around it. A change's type is the slug of its
 * section: see `typeFromHeading` in domain/slug.ts.
 */
export interface ParsedVersion extends VersionDraft, SourceLine {
  changes: ChangeDraft[]
  /** Text in place of a date that is no date, such as 2026-11-31. It is kept as text, and reported. */
  falseDate?: string
  /** The file only names the version, without description and changes. */
  isSummary?: true
  /** The markdown below its heading, as its author wrote it, if the file has such a text. */
  source?: string | null | undefined
}

/** Something the author should look at. Its content is kept, unless the message says otherwise. */
export interface Warning extends SourceLine {
  message: string
  code?: keyof typeof UNDATED
  /** A command that fixes it. */
  command?: Command
  /** Warnings of one cause are shown as one: a sentence about several. */
  cause?: string
}

/** A warning as it is shown: without a line if it is about a whole text. */
export type ShownWarning = Omit<Warning, 'line'> & { line?: number }

/** How many lines one warning names. */
const MOST_LINES = 5

/** One warning for each cause, with its number and first lines, in the order of the first ones. */
export function onePerCause(warnings: readonly Warning[]): ShownWarning[] {
  const groups = Map.groupBy(warnings, ({ cause, message }) => cause ?? message)
  return [...groups].map(([cause, [first, ...others]]) => {
    const { line, text, message, code } = first as Warning
    const place = { ...(line === 0 ? { text } : { line, text }), ...(code && { code }) }
    if (others.length === 0) return { ...place, message }
    const lines = [line, ...others.filter((other) => other.text === text).map((other) => other.line)]
    const named = [...new Set(lines)].slice(0, MOST_LINES).join(', ')
    const where = line === 0 ? '' : `, lines ${named}${others.length >= MOST_LINES ? ' …' : ''}`
    return { ...place, message: `${cause} (${others.length + 1} times${where})` }
  })
}

export interface SourceLine {
  /** From 1; 0 is a repository, a file or a tag as a whole. */
  line: number
  /** Which of several texts, for messages: a file of a folder, or a tag. */
  text?: string | undefined
}

/** A line that looks like the heading of a version and is none. */
export interface UntakenLine extends SourceLine {
  /** The line as it is written, without blanks around it. */
  written: string
  /** Why it begins no version, to follow a colon: "below 9.14.0, which has its number". */
  why: string
}

export interface ParsedChangelog {
  /** In the order of the file: `oldestFirst` tells which one that is. */
  versions: ParsedVersion[]
  /** The newest is on top, whatever dates and numbers say. */
  isNewestFirst?: boolean
  /** In the order of the file. */
  warnings: Warning[]
  /** Lines that look like a version and begin none, in the order of the file. They are kept as text. */
  untaken?: UntakenLine[]
  /** Text before the first version, and unused link definitions. If undefined, the stored one stays. */
  preamble?: string | null
  /** The repository that releases belong to, if they or their links tell it. */
  repository?: string
}

/** Warnings about versions without a date. */
const UNDATED = {
  /** The version is above all that have a date. A published version stays published. */
  kept_as_draft: 'no date, kept as a draft',
  /** Any other version. A stored draft stays one. */
  published: 'no date, published without one',
  stays_draft: 'no date, so the stored version stays a draft',
}

export const undated = (code: keyof typeof UNDATED, at: SourceLine): Warning => ({
  ...at,
  code,
  message: UNDATED[code],
})

export interface TagDate {
  label: string
  date: Instant
}

/** How a text is read. */
export interface ReadOptions {
  /** Versions without a date get that of their tag. */
  tags?: readonly TagDate[]
  /** The author says that it is a changelog: lines that look like versions are taken, however unlikely. */
  isInsisting?: boolean
  /** A text of more is refused, with as little work as possible. */
  mostVersions?: number
  /** Lines, from 1, that are not UTF-8. */
  others?: readonly number[]
}

export const NOT_UTF_8 = 'not UTF-8, read as Windows-1252'

export const tooMany = (most: number): FormatError =>
  new FormatError(`more than ${most.toLocaleString('en')} versions`)

/** Gives versions without a date the one that their tags have. */
export function fillDates(
  versions: readonly { label: string; date: Instant | null }[],
  tags: readonly TagDate[],
): void {
  if (tags.length === 0) return
  const identity = identityIn([...versions, ...tags])
  const dates = new Map(tags.toReversed().map(({ label, date }) => [identity(label), date]))
  for (const version of versions) version.date ??= dates.get(identity(version.label)) ?? null
}

/** The draft of the next version, without changes. */
export const unreleased = (): ParsedVersion => ({
  label: UNRELEASED,
  title: UNRELEASED,
  status: 'draft',
  date: null,
  description: null,
  changes: [],
  line: 1,
})

/** Thrown when a file cannot be read at all; the message is meant for its author. */
export class FormatError extends Error {
  override name = 'FormatError'
}

/** For changes in no section. */
export const DEFAULT_TYPE = 'changed'

/** Texts one below the other; null if there is none. */
export const paragraphs = (...texts: (string | null | undefined)[]): string | null =>
  texts.filter(Boolean).join('\n\n') || null

/** Does not copy the text that is there: it may be long. */
export function append(record: { description: string | null }, paragraph: string): void {
  record.description = record.description ? `${record.description}\n\n${paragraph}` : paragraph || null
}

import { identityIn } from '../domain/importing/match-versions.ts'
import type { ChangeDraft, Instant, VersionDraft } from '../domain/records.ts'

/**
 * What every reader of foreign files returns. Labels are unique in the file. A title is inline markdown on one
 * line, never empty: the label when the author gave none. A description is block markdown, dedented, without
 * blank lines around it. A change's type is the slug of the section it is in; see `typeFromHeading` in domain/slug.ts.
 */
export interface ParsedVersion extends VersionDraft, Place {
  changes: ChangeDraft[]
  /** What its author meant as its date, but is none, such as 2026-11-31. It is kept as text, and reported. */
  falseDate?: string
  /** Whether the file only names the version, and has neither its description nor its changes. */
  isSummary?: true
}

/** Something the author should look at. Its content is kept, unless the message says otherwise. */
export interface Warning extends Place {
  message: string
}

/** Where something is in a source. */
export interface Place {
  /** Counted from 1. */
  line: number
  /** The one of several texts that it is in, for messages: a file of a folder, a tag of a repository. */
  text?: string
}

export const placeOf = ({ line, text }: Place): Place => (text === undefined ? { line } : { line, text })

export interface ParsedChangelog {
  /** In the order of the file, which is usually newest first. */
  versions: ParsedVersion[]
  /** In the order of the file. */
  warnings: Warning[]
  /**
   * Text before the first version (file title, introduction) and link definitions nothing refers to. Left out by
   * formats that have no such text, so that what is stored stays.
   */
  preamble?: string | null
}

/** What is reported of a version that has no date in a file where others have. One that is published already stays so. */
export const KEPT_AS_DRAFT = 'no date, kept as a draft'

/** A date that a version has elsewhere, such as that of its tag. */
export interface TagDate {
  label: string
  date: Instant
}

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

/** Thrown when a file cannot be read at all; the message is meant for its author. */
export class FormatError extends Error {
  override name = 'FormatError'
}

/** The type of a change that stands in no section. */
export const DEFAULT_TYPE = 'changed'

export { UNRELEASED } from '../domain/records.ts'

/** Adds a paragraph to a description. */
export function append(record: { description: string | null }, paragraph: string): void {
  record.description = record.description === null ? paragraph : [record.description, paragraph].join('\n\n')
}

/** Cuts at a word's end and adds an ellipsis; the caller keeps the whole elsewhere. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const room = text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const atWord = room.replace(/\s+\S*$/, '')
  return `${(atWord.length > max / 2 ? atWord : room).trimEnd()}…`
}

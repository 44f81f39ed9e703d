import { identityIn } from '../domain/importing/match-versions.ts'
import type { ChangeDraft, Instant, VersionDraft } from '../domain/records.ts'

/**
 * What every reader returns. Labels are unique in the file. A title is inline markdown on one line: the label if there
 * is none. A description is block markdown, dedented, without blank lines around it. A change's type is the slug of its
 * section: see `typeFromHeading` in domain/slug.ts.
 */
export interface ParsedVersion extends VersionDraft, SourceLine {
  changes: ChangeDraft[]
  /** Text in place of a date that is no date, such as 2026-11-31. It is kept as text, and reported. */
  falseDate?: string
  /** Whether the file only names the version, without description and changes. */
  isSummary?: true
}

/** Something the author should look at. Its content is kept, unless the message says otherwise. */
export interface Warning extends SourceLine {
  message: string
}

export interface SourceLine {
  /** From 1. */
  line: number
  /** Which of several texts, for messages: a file of a folder, or a tag. */
  text?: string
}

export const sourceLineOf = ({ line, text }: SourceLine): SourceLine =>
  text === undefined ? { line } : { line, text }

export interface ParsedChangelog {
  /** In the order of the file, which is usually newest first. */
  versions: ParsedVersion[]
  /** In the order of the file. */
  warnings: Warning[]
  /** Text before the first version, and unused link definitions. If undefined, the stored one stays. */
  preamble?: string | null
  /** The repository that releases belong to, if they tell it. */
  repository?: string
}

/** Reported for a version without a date in a file where others have one. A published version stays published. */
export const KEPT_AS_DRAFT = 'no date, kept as a draft'

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

/** For changes in no section. */
export const DEFAULT_TYPE = 'changed'

export { UNRELEASED } from '../domain/records.ts'

export function append(record: { description: string | null }, paragraph: string): void {
  record.description = record.description === null ? paragraph : [record.description, paragraph].join('\n\n')
}

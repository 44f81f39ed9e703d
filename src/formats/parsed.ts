import { isChangeType } from '../domain/slug.ts'

/** What every reader of foreign files hands over, and the limits it keeps. */

export interface ParsedChange {
  /** Lowercase slug of the section the change stood in; see `typeFromHeading`. */
  type: string
  /** Inline markdown on one line, never empty. */
  title: string
  /** Block markdown, dedented, without blank lines around it. */
  description: string | null
}

export interface ParsedVersion {
  /** Unique in its changelog. */
  label: string
  /** Inline markdown on one line; the label when the author gave none. */
  title: string
  /** Milliseconds since the epoch, UTC; null when the file gives no date. */
  date: number | null
  status: 'draft' | 'published'
  description: string | null
  changes: ParsedChange[]
  /** 1-based line at which the version begins in the file. */
  line: number
}

/** Something a person should look at. Its content is kept all the same, unless the message says otherwise. */
export interface Warning {
  line: number
  message: string
}

export interface ParsedChangelog {
  /** In the order of the file, which is usually newest first. */
  versions: ParsedVersion[]
  /** In the order of the file. */
  warnings: Warning[]
  /** Text before the first version (file title, introduction) and link definitions nothing refers to. */
  preamble: string | null
}

/** Thrown when a file cannot be read at all; the message is meant for its author. */
export class FormatError extends Error {
  override name = 'FormatError'
}

/** The type of a change that stands in no section. */
export const DEFAULT_TYPE = 'changed'

/** The label of what is not released yet, however the author spelled it. */
export const UNRELEASED = 'Unreleased'

/**
 * `🐛 Bug fixes` → `bug-fixes`. Null when nothing is left of the heading or it is too long for a type, in
 * which case it is a sentence rather than the name of a section.
 */
export function typeFromHeading(heading: string): string | null {
  const slug = heading
    .replace(/:[a-z0-9_+-]+:/g, ' ')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return isChangeType(slug) ? slug : null
}

/** The heading under which `typeFromHeading` finds the type again: `bug-fixes` → `Bug fixes`. */
export function headingFromType(type: string): string {
  const words = type.replaceAll('-', ' ')
  const capitalised = words.charAt(0).toUpperCase() + words.slice(1)
  return typeFromHeading(capitalised) === type ? capitalised : words
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

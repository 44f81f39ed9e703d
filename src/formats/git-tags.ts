import { type Instant, LIMITS } from '../domain/records.ts'
import { readNumber } from '../domain/versions/number.ts'
import { cleanVersions } from './changelog/read.ts'
import type { ParsedChangelog, ParsedVersion, Warning } from './parsed.ts'
import { readReleaseBody } from './releases/body.ts'

export interface Tag {
  name: string
  /** Without a signature. */
  message: string
  date: Instant | null
}

/** `v1.2.0`, `1.2.0`, `app@1.2.0`, `app/v1.2.0`, `release-1.2`. */
export const isVersionTag = (name: string): boolean => /\d/.test(readNumber(name)?.text ?? '')

/**
 * Reads annotated tags, newest first. The label is the tag's name. The subject of a message is the title unless it
 * repeats the label; the rest is read like the text of a release. A tag without that only names the version. `nameOf`
 * is for messages.
 */
export function parseTags(tags: readonly Tag[], nameOf: (tag: Tag) => string): ParsedChangelog {
  const versions: ParsedVersion[] = []
  const warnings: Warning[] = []
  for (const tag of tags) {
    const text = nameOf(tag)
    const { title, body, line } = splitMessage(tag)
    const { texts, warnings: found } = readReleaseBody(body, tag.name)
    for (const warning of found) warnings.push({ ...warning, text, line: warning.line + line - 1 })
    const { name: label, date } = tag
    versions.push({
      label,
      title,
      date,
      status: 'published',
      ...texts,
      text,
      line: 1,
      ...(body.trim() === '' && { isSummary: true }),
    })
  }
  cleanVersions(versions, warnings)
  return { versions, warnings }
}

/** A list, a heading, a quotation or code cannot be a subject. */
const BLOCK = /^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|```|~~~)/
const UNDERLINE = /^\s*(?:=+|-+)\s*$/

/** `line` is where the body begins in the message. */
function splitMessage({ name, message }: Tag): { title: string; body: string; line: number } {
  const lines = message.replace(/\r\n?/g, '\n').replace(/^\n+/, '').split('\n')
  const [subject = '', next = ''] = lines
  const isSubject =
    !BLOCK.test(subject) &&
    !UNDERLINE.test(next) &&
    (next.trim() === '' || BLOCK.test(next) || repeats(subject, name))
  if (!isSubject) return { title: name, body: message, line: 1 }
  const title = subject.trim().replace(LABEL_IN_FRONT, (all, label) => (repeats(label, name) ? '' : all))
  return { title: repeats(subject, name) ? name : title, body: lines.slice(1).join('\n'), line: 2 }
}

/** `v1.2.0: `, `1.2.0 - ` */
const LABEL_IN_FRONT = /^(\S+?)(?::\s+|\s+[-–—:]\s+)(?=\S)/

/** True for a text that is only the tag's name or number, or empty. */
function repeats(text: string, name: string): boolean {
  const words = text.trim().replace(/[.:]$/, '')
  if (words.length > LIMITS.label) return false
  return words === '' || words === name || (!/\s/.test(words) && numberOf(words) === numberOf(name))
}

const numberOf = (name: string): string => name.slice(readNumber(name)?.start ?? 0)

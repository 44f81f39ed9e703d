import type { ChangeDraft } from '../domain/records.ts'
import { headingFromType, typeFromHeading } from '../domain/slug.ts'
import { endsFence } from '../domain/text/fences.ts'
import { oldestFirst } from '../domain/versions/order.ts'
import { escapeYanked, readYanked } from '../domain/versions/standing.ts'
import {
  CLOSING_COMMENT,
  DESCRIPTION_COMMENT,
  endsWithHeadingComment,
  MAY_BE_VERSION,
  typeComment,
  VERSIONS_COMMENT,
} from './changelog/comments.ts'
import type { ChangeKind } from './changelog/sections.ts'
import { asParagraph } from './changelog/titles.ts'
import { isAfterword } from './changelog/versions/afterword.ts'
import { findDate, findDigits, mayBeRelease } from './changelog/versions/dates.ts'
import { asNote, escapeTitle } from './changelog/versions/heading-title.ts'
import { impliedStatuses } from './changelog/versions/status.ts'
import { isUnreleased } from './changelog/vocabulary.ts'
import { closed } from './lines/lines.ts'
import { escapeInline, inlineLink } from './markdown/inline.ts'
import { indent, normalise, trimBlankLines } from './markdown/lines.ts'
import type { ParsedVersion } from './parsed.ts'

type WrittenVersion = Omit<ParsedVersion, 'line'>

/**
 * Writes Keep a Changelog, of versions with the newest first. `parseMarkdown` reads the same versions and preamble back, whatever they
 * contain: a text that is more than paragraphs and code goes into an item of its own, behind a comment (comments.ts).
 */
export function writeMarkdown(preamble: string | null, versions: Iterable<WrittenVersion>): string {
  const all = [...versions]
  const implied = impliedStatuses(all)
  const linkable = linkableLabels(preamble, all)
  const links: string[] = []
  const parts: string[] = []
  const intro = closed(trimmed(preamble))
  // In a preamble it would begin a version.
  const mayBegin = all.length > 0 && intro.split('\n').some((line) => MAY_BE_VERSION.test(line))
  const isInOrder = oldestFirst(all).every((version, at) => version === all.at(-1 - at))
  if (intro !== '') parts.push(intro)
  if (mayBegin || !isInOrder) parts.push(VERSIONS_COMMENT)

  for (const [at, version] of all.entries()) {
    parts.push(heading(version, implied[at] === version.status))
    const { text, url } = splitLink(version, linkable)
    if (url !== null) links.push(`[${version.label}]: ${url}`)
    const after = closing(version.closing, version.changes.length > 0)
    // Right above an item, words such as `Fixed:` would be read as a section.
    const isAboveItem = version.changes.length === 0 && after.length > 0
    const stays = !isAboveItem && isProse(text, true) && findDate(text.split('\n', 1)[0] ?? '') === null
    if (text !== '') parts.push(stays ? text : `- ${DESCRIPTION_COMMENT}\n\n${indent(text)}`)
    for (const part of [...sections(version.changes), ...after]) parts.push(part)
  }
  if (links.length > 0) parts.push(links.join('\n'))
  return joined(parts)
}

const joined = (parts: readonly string[]): string => (parts.length === 0 ? '' : `${parts.join('\n\n')}\n`)

const trimmed = (text: string | null | undefined): string => trimBlankLines(normalise(text ?? ''))

/** Text after the changes of a version: as it is if it is read back as such, else in an item of its own. */
function closing(source: string | null | undefined, hasChanges: boolean): string[] {
  const text = trimmed(source)
  if (text === '') return []
  return [hasChanges && isProse(text, false) ? text : `- ${CLOSING_COMMENT}\n\n${indent(text)}`]
}

/** True if a text is only paragraphs at the margin that begin with words, and, with `mayHaveCode`, code that ends. */
function isProse(text: string, mayHaveCode: boolean): boolean {
  let [isFenced, isCode] = [false, false]
  const stays = text.split('\n').every((line, at, lines) => {
    // Indented code begins below an empty line.
    isCode = !isFenced && mayHaveCode && /^ {4}/.test(line) && (isCode || (at > 0 && lines[at - 1] === ''))
    if (isCode) return true
    const isFence = mayHaveCode && (isFenced ? endsFence(line, '```') : FENCE.test(line))
    if (isFence) isFenced = !isFenced
    else if (!isFenced) return line === '' || (WORDS.test(line) && !MAY_BE_VERSION.test(line))
    return isFence || !NESTED_FENCE.test(line)
  })
  return stays && !isFenced && !text.includes('\n\n\n')
}

const FENCE = /^```\w{0,20}$/
/** May end the code, or go on. */
const NESTED_FENCE = /^ {0,3}```/
/** No number, which may begin a list, and nothing that markdown or a reader of changelogs may take for more. */
const WORDS = /^(?:\p{L}|["'(*`[](?!["'(*`[<\s]))(?![^\]]*\]:)[^|<]*$/u

/** The end of a version whose changes were written in parts. */
export const writeClosing = (source: string | null): string => joined(closing(source, true))

/** Further changes of the last version of a file, under their own headings. */
export const writeChanges = (changes: readonly ChangeDraft[]): string => joined(sections(changes))

/** `isImplied` tells whether the file without a comment gives the version its status. */
function heading(version: WrittenVersion, isImplied: boolean): string {
  const { label, title, date, status, scheduled, yanked = null } = version
  const iso = date === null ? null : new Date(date).toISOString()
  let line = `## [${escapeInline(label)}]`
  if (iso !== null) line += ` - ${iso.slice(0, 10)}`

  const behindLabel = title.startsWith(`${label} `) ? title.slice(label.length + 1) : null
  const isNote = behindLabel !== null && asNote(behindLabel) === behindLabel
  if (isNote && !readYanked(behindLabel).isYanked) line += ` ${behindLabel}`
  else if (title !== label) line += ` - ${escapeYanked(escapeTitle(title))}`
  if (yanked !== null) line += ' [YANKED]'

  const comment: string[] = []
  const saysVersion = /\d/.test(line) || isUnreleased(label)
  if (scheduled) comment.push('scheduled')
  else if (
    !isImplied ||
    !saysVersion ||
    endsWithHeadingComment(title) ||
    (date !== null && !mayBeRelease(date))
  )
    comment.push(status)
  if (iso === null && (seemsDated(title) || seemsDated(label))) comment.push('undated')
  if (iso !== null && !iso.endsWith('T00:00:00.000Z')) comment.push(iso.slice(11))
  return comment.length === 0 ? line : `${line} <!-- ${comment.join(' ')} -->`
}

/** True if the reader would find a date beside its label. */
function seemsDated(title: string): boolean {
  const plain = title.replace(/[*_`~\\[\]]/g, '')
  return (findDate(plain) ?? findDigits(plain)) !== null
}

/** Starts a new section whenever the type or its heading changes, so that the changes keep their order. */
function sections(changes: readonly ChangeDraft[]): string[] {
  const parts: string[] = []
  let items: ChangeDraft[] = []
  for (const [index, change] of changes.entries()) {
    items.push(change)
    const next = changes[index + 1]
    if (next?.type === change.type && next.typeLabel === change.typeLabel) continue
    parts.push(`### ${sectionHeading(change)}`, list(items))
    items = []
  }
  return parts
}

function list(changes: ChangeDraft[]): string {
  let text = ''
  for (const [index, { title, description }] of changes.entries()) {
    const body = trimmed(description)
    if (index > 0) text += body !== '' || changes[index - 1]?.description ? '\n\n' : '\n'
    text += `- ${asParagraph(title)}`
    if (body !== '') text += `\n\n${indent(body)}`
  }
  return text
}

/** With its type in a comment, unless plain words say it. */
function sectionHeading({ type, typeLabel }: ChangeKind): string {
  const words = typeLabel ?? headingFromType(type)
  const isSaid = PLAIN_WORDS.test(words) && typeFromHeading(words) === type && !isAfterword(type)
  return isSaid && findDate(words) === null && !MAY_BE_VERSION.test(words)
    ? words
    : `${words} ${typeComment(type)}`
}

const PLAIN_WORDS = /^\p{L}[\p{L}\p{M}]*(?:[ '’&,/-]{1,3}[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u

/** A description that ends with `[1.2.0](url)` gives it back to the heading. */
function splitLink({ label, description }: WrittenVersion, linkable: Set<string>) {
  const text = trimmed(description)
  const { link, url } = LINK_AT_END.exec(text)?.groups ?? {}
  if (url === undefined || !linkable.has(label) || link !== inlineLink(label, url)) return { text, url: null }
  return { text: trimBlankLines(text.slice(0, -link.length)), url }
}

const LINK_AT_END = /(?:^|\n\n)(?<link>\[[^\]\n]*\]\((?<url>[\w\-./:?=#@%+~,;!$']+)\))$/

/** Labels that are in brackets only in their heading and their link: their definition would turn others into links. */
function linkableLabels(preamble: string | null, versions: WrittenVersion[]): Set<string> {
  if (!versions.some(({ description }) => description?.trimEnd().endsWith(')'))) return new Set()
  const texts = versions.flatMap(({ label, title, description, closing, changes }) => [
    ...[`[${label}]`, title, description, closing],
    ...changes.flatMap((change) => [change.typeLabel, change.title, change.description]),
  ])
  const counts = new Map<string, number>()
  for (const text of [preamble, ...texts])
    for (const [, inner = ''] of (text ?? '').matchAll(/\[([^[\]]*)\]/g)) {
      const name = inner.trim().toLowerCase()
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  const isLinkable = (label: string) =>
    /^[\w.@/+-]+$/.test(label) && !/^_|_$/.test(label) && counts.get(label.toLowerCase()) === 2
  return new Set(versions.map(({ label }) => label).filter(isLinkable))
}

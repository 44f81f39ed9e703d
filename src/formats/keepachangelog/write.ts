import type { ChangeDraft } from '../../domain/records.ts'
import { headingFromType } from '../../domain/slug.ts'
import type { ParsedVersion } from '../parsed.ts'
import {
  CLOSING_COMMENT,
  DESCRIPTION_COMMENT,
  endsWithHeadingComment,
  typeComment,
  VERSIONS_COMMENT,
} from './comments.ts'
import { escapeInline, inlineLink } from './markdown/inline.ts'
import { indent, normalise, trimBlankLines } from './markdown/lines.ts'
import type { Block } from './markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from './markdown/source.ts'
import { mend } from './mend/mend.ts'
import { parseMarkdown } from './read.ts'
import type { ChangeKind } from './sections.ts'
import { asParagraph } from './titles.ts'
import { dateAtEnd, dateAtTop } from './versions/date-lines.ts'
import { findDate, findDigits } from './versions/dates.ts'
import { isAnchor, isVersionsComment, mayBeginVersion } from './versions/find.ts'
import { asNote, escapeTitle } from './versions/heading-title.ts'
import { impliedStatuses } from './versions/status.ts'

/**
 * Writes Keep a Changelog, in the order given. `parseMarkdown` reads the same versions and preamble back, whatever they
 * contain: where plain text would be read differently, a comment is added (comments.ts). Descriptions are parsed to
 * find that out, up to `parsedLength` characters in all; after that, all but plain prose get the comment.
 */
export function writeMarkdown(
  preamble: string | null,
  versions: Iterable<Omit<ParsedVersion, 'line'>>,
  parsedLength = Number.POSITIVE_INFINITY,
): string {
  const all = [...versions]
  const implied = impliedStatuses(all)
  const linkable = linkableLabels(preamble, all)
  const headings = new SectionHeadings(Number.isFinite(parsedLength))
  let parsed = 0
  const links: string[] = []
  const parts: string[] = []
  const intro = preamble === null ? '' : trimBlankLines(normalise(preamble))
  if (intro !== '')
    parts.push(all.length === 0 || staysPreamble(intro) ? intro : `${intro}\n\n${VERSIONS_COMMENT}`)

  for (const [at, version] of all.entries()) {
    parts.push(heading(version, implied[at] === version.status))
    const { text, url } = splitLink(version, linkable)
    if (url !== null) links.push(`[${version.label}]: ${url}`)
    const isPlain = isPlainProse(text)
    if (!isPlain) parsed += text.length
    const after = closing(version.closing, version.changes.length > 0, parsed <= parsedLength)
    // Right above an item, words such as `Fixed:` would be read as a section.
    const isAboveItem = version.changes.length === 0 && after !== ''
    const stays = isPlain || (!isAboveItem && parsed <= parsedLength && staysDescription(text))
    if (text !== '') parts.push(stays ? text : `- ${DESCRIPTION_COMMENT}\n\n${indent(text)}`)
    for (const part of sections(version.changes, headings)) parts.push(part)
    if (after !== '') parts.push(after)
  }
  if (links.length > 0) parts.push(links.join('\n'))
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

/** Text after the changes of a version: as it is if it is read back as such, else in an item of its own. */
function closing(source: string | null | undefined, hasChanges: boolean, isParsed: boolean): string {
  const text = source ? trimBlankLines(normalise(source)) : ''
  if (text === '') return ''
  const stays = hasChanges && (isPlainProse(text) || (isParsed && staysClosing(text)))
  return stays ? text : `- ${CLOSING_COMMENT}\n\n${indent(text)}`
}

function staysClosing(text: string): boolean {
  const [version] = parseMarkdown(`## [1.1]\n\n### Added\n\n- x\n\n${text}\n\n## [1.0]\n`).versions
  return (
    version?.label === '1.1' &&
    version.closing === text &&
    version.changes.length === 1 &&
    isBare(version.changes[0])
  )
}

const isBare = (change: ChangeDraft | undefined): boolean =>
  change?.title === 'x' && change.description === null

/** What follows the changes of the last version of a file, if those were written in parts. */
export function writeClosing(source: string | null, parsedLength: number): string {
  const text = closing(source, true, (source?.length ?? 0) <= parsedLength)
  return text === '' ? '' : `${text}\n`
}

/** Further changes of the last version of a file, under their own headings. */
export const writeChanges = (changes: readonly ChangeDraft[]): string =>
  changes.length === 0 ? '' : `${sections(changes, new SectionHeadings(true)).join('\n\n')}\n`

/** `isImplied` tells whether the file without a comment gives the version its status. */
function heading(version: Omit<ParsedVersion, 'line'>, isImplied: boolean): string {
  const { label, title, date, status, scheduled } = version
  const iso = date === null ? null : new Date(date).toISOString()
  let line = `## [${escapeInline(label)}]`
  if (iso !== null) line += ` - ${iso.slice(0, 10)}`

  const behindLabel = title.startsWith(`${label} `) ? title.slice(label.length + 1) : null
  if (behindLabel !== null && asNote(behindLabel) === behindLabel) line += ` ${behindLabel}`
  else if (title !== label) line += ` - ${escapeTitle(title)}`

  const comment: string[] = []
  if (scheduled) comment.push('scheduled')
  else if (!isImplied || endsWithHeadingComment(title)) comment.push(status)
  if (iso === null && seemsDated(version)) comment.push('undated')
  if (iso !== null && !iso.endsWith('T00:00:00.000Z')) comment.push(iso.slice(11))
  return comment.length === 0 ? line : `${line} <!-- ${comment.join(' ')} -->`
}

/** Whether a date would be found beside its label or at the end of its text. */
function seemsDated({ title, description, closing }: Omit<ParsedVersion, 'line'>): boolean {
  const plain = title.replace(/[*_`~\\[\]]/g, '')
  return (findDate(plain) ?? findDigits(plain) ?? dateAtEnd(closing ?? description ?? '')) !== null
}

/** Starts a new section whenever the type or its heading changes, so that the changes keep their order. */
function sections(changes: readonly ChangeDraft[], headings: SectionHeadings): string[] {
  const parts: string[] = []
  let items: ChangeDraft[] = []
  for (const [index, change] of changes.entries()) {
    items.push(change)
    const next = changes[index + 1]
    if (next?.type === change.type && next.typeLabel === change.typeLabel) continue
    parts.push(`### ${headings.of(change)}`, list(items))
    items = []
  }
  return parts
}

function list(changes: ChangeDraft[]): string {
  let text = ''
  for (const [index, { title, description }] of changes.entries()) {
    const body = description === null ? '' : trimBlankLines(normalise(description))
    if (index > 0) text += body !== '' || changes[index - 1]?.description ? '\n\n' : '\n'
    text += `- ${asParagraph(title)}`
    if (body !== '') text += `\n\n${indent(body)}`
  }
  return text
}

/** The section headings of one file, each made once. */
class SectionHeadings {
  readonly #made = new Map<string, string>()

  constructor(private readonly quickly: boolean) {}

  of({ type, typeLabel }: ChangeKind): string {
    const words = typeLabel ?? headingFromType(type)
    const key = `${type} ${words}`
    const isParsed = !this.quickly || (words.length <= SHORT_HEADING && this.#made.size < FEW_HEADINGS)
    const withType = () => `${words} ${typeComment(type)}`
    const made = this.#made.get(key) ?? (isParsed && isReadAs(type, words) ? words : withType())
    this.#made.set(key, made)
    return made
  }
}

/** Headings that are parsed even `quickly`: nearly all that people write. */
const SHORT_HEADING = 40
const FEW_HEADINGS = 12

function isReadAs(type: string, words: string): boolean {
  const { versions } = parseMarkdown(`## [x]\n\n### ${words}\n\n- x\n`)
  const [change, ...others] = versions.length === 1 ? (versions[0]?.changes ?? []) : []
  const isRead = change?.type === type && (change.typeLabel ?? headingFromType(type)) === words
  return isRead && change.title === 'x' && others.length === 0
}

/** A description that ends with `[1.2.0](url)` gives it back to the heading. */
function splitLink(
  { label, description }: { label: string; description: string | null },
  linkable: Set<string>,
): { text: string; url: string | null } {
  const text = description === null ? '' : trimBlankLines(normalise(description))
  const start = text.lastIndexOf('\n\n') + 1
  const last = text.slice(start === 0 ? 0 : start + 1)
  const url = /^\[[^\]]*\]\(([\w\-./:?=#@%+~,;!$']+)\)$/.exec(last)?.[1]
  if (url === undefined || !linkable.has(label) || last !== inlineLink(label, url)) return { text, url: null }
  return { text: trimBlankLines(text.slice(0, start)), url }
}

/** Labels that are in brackets nowhere else: their link definition would turn that into a link. */
function linkableLabels(preamble: string | null, versions: Omit<ParsedVersion, 'line'>[]): Set<string> {
  const bracketed = new Set<string>()
  const collect = (text: string | null, except: string): void => {
    for (const [, inner = ''] of (text ?? '').matchAll(/\[([^[\]]*)\]/g)) {
      if (inner !== except) bracketed.add(inner.trim().toLowerCase())
    }
  }
  collect(preamble, '')
  const count = new Map<string, number>()
  for (const { label, title, description, closing, changes } of versions) {
    count.set(label.toLowerCase(), (count.get(label.toLowerCase()) ?? 0) + 1)
    collect(title, '')
    collect(closing ?? null, '')
    const last = description?.slice(description.lastIndexOf('\n\n') + 1) ?? ''
    collect(description?.slice(0, description.length - last.length) ?? null, '')
    collect(last, last.trim().startsWith(`[${label}](`) ? label : '')
    for (const change of changes) {
      collect(change.typeLabel ?? null, '')
      collect(change.title, '')
      collect(change.description, '')
    }
  }
  const free = versions
    .map(({ label }) => label)
    .filter((label) => /^[\w.@/+-]+$/.test(label) && !/^_|_$/.test(label))
    .filter((label) => count.get(label.toLowerCase()) === 1 && !bracketed.has(label.toLowerCase()))
  return new Set(free)
}

function staysPreamble(intro: string): boolean {
  const read = parseMarkdown(`${intro}\n\n## [x]\n`)
  return read.versions.length === 1 && read.preamble === intro
}

/** Paragraphs that begin with five words, and lines that begin with a letter: no version, date or block. */
const isPlainProse = (text: string): boolean =>
  !text.includes('\n\n\n') &&
  text.split('\n\n').every((part) => /^\p{L}+,?(?: \p{L}+,?){4}/u.test(part) && !/\n\P{L}/u.test(part))

/** Whether it is read back as the same description. */
function staysDescription(text: string): boolean {
  const below = `## 1.0\n\n${text}`
  if (mend(below) !== below) return false
  const source = new MarkdownSource(new MarkdownDocument(`${text}\n\n## end\n`))
  const { nodes } = source
  const last = nodes.at(-1)
  const first = nodes[0]
  if (last?.type !== 'heading' || last.start !== source.text.length - '## end\n'.length) return false
  const beforeLast = nodes.at(-2)
  if (first === undefined || beforeLast === undefined) return false
  if (first.type === 'thematicBreak' || isAnchor(beforeLast)) return false
  if (dateAtTop(first, source) !== null) return false
  const prose = nodes.slice(0, -1)
  return prose.every((node) => isProse(node, source)) && source.blocks(prose) === text
}

function isProse(node: Block, source: MarkdownSource): boolean {
  if (node.type === 'heading' || node.type === 'list' || node.type === 'definition') return false
  if (isVersionsComment(node)) return false
  return node.type !== 'paragraph' || !mayBeginVersion(node, source)
}

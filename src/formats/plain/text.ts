import { isBlank, normalise } from '../keepachangelog/markdown/lines.ts'
import { findDate } from '../keepachangelog/versions/dates.ts'
import { asNote, dateBesideLabel } from '../keepachangelog/versions/heading-title.ts'
import { plainLabel } from '../keepachangelog/versions/label.ts'
import { halfWidth } from '../keepachangelog/vocabulary.ts'
import { UNRELEASED } from '../parsed.ts'
import { TextLines } from '../text-lines.ts'
import { escapePlain, markdownLines } from './body.ts'

/** A line that begins a version, and has no markup of markdown that says so. */
interface VersionLine {
  at: number
  /** What is in front of it: a bullet, stars, or nothing. */
  mark: string
  text: string
  label?: string
  /** Whether it has a name of something in front, and no date. */
  isPart?: boolean
}

/**
 * A text whose versions are plain lines, as in the NEWS of GNU, as markdown, line for line: lines become headings, and all
 * kinds of bullets those of markdown. Null if its versions are headings of markdown, or if there are none.
 * `isMarkdown` tells whether the rest is markdown, as in a file of that name: then it stays.
 */
export function markdownOfPlain(text: string, isMarkdown: boolean): string | null {
  const lines = new TextLines(normalise(text))
  const versions = plainVersions(lines)
  if (versions === null) return null
  const starts = new Map(versions.map((version) => [version.at, version]))
  const written: string[] = []
  const flush = (from: number, to: number) => {
    const part = lines.slice(from, to)
    const isItem = starts.get(from - 1)?.mark.length === 1
    const body = isMarkdown ? (isItem ? dedented(part) : part) : markdownLines(part, { headingOf })
    for (const line of body) written.push(line)
  }
  let from = 0
  for (const { at, text } of versions) {
    const isOverlined = at > from && isRule(lines.at(at - 1))
    flush(from, isOverlined ? at - 1 : at)
    if (isOverlined) written.push('')
    written.push(`## ${isMarkdown ? text : escapePlain(text)}`)
    from = at + 1
    if (isRule(lines.at(from))) {
      written.push('')
      from++
    }
  }
  flush(from, lines.length)
  return written.join('\n')
}

/** Sections are starred or underlined in plain texts: `** Bug fixes`, `[Bug fixes]`, `changes:` of YAML. */
function headingOf(line: string, next: string): string | null {
  const starred = /^\*{2,4} (?<name>\S[^.]{0,60})$/.exec(line)?.groups?.name
  const grouped = /^\s*\[(?<name>[^[\]]{1,60})\]\s*$/.exec(line)?.groups?.name
  const keyed = /^[ \t]{1,4}(?<name>\p{Ll}+):$/u.exec(line)?.groups?.name
  const name =
    (starred && isBlank(next) ? starred : null) ??
    grouped ??
    (keyed && /^\s*[-*]\s/.test(next) ? keyed : null)
  return name ? `### ${escapePlain(name.trim().replace(/:$/, ''))}` : null
}

/** Null if fewer than half as many of them as headings of markdown have a version. */
function plainVersions(lines: TextLines): VersionLine[] | null {
  const found: VersionLine[] = []
  let headings = 0
  let fence: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at)
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === null ? mark : line.trim().startsWith(fence) ? null : fence
    if (fence !== null) continue
    const version = versionAt(lines, at)
    if (version === 'heading') headings++
    else if (version !== null) found.push(version)
  }
  if (found.length === 0 && headings === 0) return entriesByDate(lines) ?? itemsByNumber(lines)
  const byMark = [...Map.groupBy(found, ({ mark }) => mark.slice(0, 2)).values()]
  const versions = byMark.reduce<VersionLine[]>((most, one) => (one.length > most.length ? one : most), [])
  return versions.length > 2 * headings ? withoutParts(versions) : null
}

/** Without lines that name a part of a version, `libfoo v2.0.1:`, if most have no name; nor its number once more. */
function withoutParts(versions: VersionLine[]): VersionLine[] {
  const whole = versions.filter(({ isPart }) => !isPart)
  const isUsual = whole.length * 2 > versions.length
  return versions.filter(({ isPart, label, text }, at) => {
    const isAgain = label === versions[at - 1]?.label
    return !isPart || !(isAgain || (isUsual && /:$/.test(text) && !SAYS_CHANGES.test(text)))
  })
}

/**
 * The entries of a ChangeLog by date. Those that name a version in their first lines (`* Version 1.2 released`) begin it, and
 * older ones below belong to it; without any, each date is a version.
 */
function entriesByDate(lines: TextLines): VersionLine[] | null {
  const entries = lines.slice(0, lines.length).flatMap((line, at) => {
    if (!/^\w/.test(line) || line.length > MOST || findDate(line)?.start !== 0) return []
    const below = lines.slice(at + 1, at + 5)
    const number = below
      .map((one) => (ENTRY_VERSION.exec(one) ?? NAMED_RELEASE.exec(one))?.[1])
      .find((one) => one !== undefined)
    return { at, mark: '', text: line.trim(), number }
  })
  if (entries.length < 2) return null
  const released = entries.filter(({ number }) => number !== undefined)
  const [first] = entries
  if (first === undefined || released.length === 0) return entries
  const versions = released.map(({ number, ...entry }) => ({ ...entry, text: `${number} - ${entry.text}` }))
  return first.number === undefined
    ? [{ ...first, text: `${UNRELEASED} - ${first.text}` }, ...versions]
    : versions
}

/** The items of a list that begin with a number and have a text behind it, `- 1.2.0 Add a flag`, if most of them do. */
function itemsByNumber(lines: TextLines): VersionLine[] | null {
  const items = lines.slice(0, lines.length).flatMap((line, at) => {
    const text = /^ ?[-*+•][ \t]+(?<text>\S.*)$/.exec(line)?.groups?.text
    return text === undefined ? [] : { at, mark: line.trim().charAt(0), text }
  })
  const versions = items.filter(({ text }) => /^v?\d+(?:\.\d+)+[\w.-]*(?:[ \t:,]|$)/i.test(text))
  return versions.length > 1 && versions.length * 5 >= items.length * 4 ? versions : null
}

const ENTRY_VERSION =
  /^(?![ \t]+[\d.]+\.$)[ \t]+(?:[*-][ \t]*)?(?:[^\s:]+:[ \t]*)?(?:(?:version|released?|release:?|v)[ \t]*)?v?(\d+(?:\.\d+)+[\w.-]*?)(?:[ \t]*(?:released?|release)?[.!]?$|[ \t]+-{1,2}[ \t])/i

/** `* GCC 12.2.0 released.` */
const NAMED_RELEASE = /^[ \t]+[*-][ \t]*[A-Za-z][\w+-]*[ \t]+v?(\d+(?:\.\d+)+[\w-]*)[ \t]+released[.!]?$/i

const LINE =
  /^ ?(?<mark>#{1,6}|\*+|={2,}|-{2,}|[-+•])?[ \t]*(?<text>\S.*?)[ \t]*(?:={2,}|\*{2,}|-{3,}|#{1,6})?$/
const MOST = 200

const isRule = (line: string): boolean => /^[ \t]*([-=*~_#^"+])\1{2,}[ \t]*$/.test(line)
const isUnderline = (line: string): boolean => /^(?:=+|-{3,})[ \t]*$/.test(line)
/** A bullet, or indented. */
const isBelow = (line: string): boolean => /^(?:[ \t]+\S|[-*+•o][ \t])/.test(line)

/** An item, unless it may be a heading of GNU: `* Noteworthy changes in release 1.2`. */
const isItem = (line: string): boolean =>
  /^ ?(?:-(?!-)|[+•]|\*(?!\*))/.test(line) &&
  (!/^ ?\*/.test(line) || line.includes('](') || !SAYS_CHANGES.test(line))

function versionAt(lines: TextLines, at: number): VersionLine | 'heading' | null {
  const line = lines.at(at)
  if (line.length > MOST || !/\d|nreleased/.test(line) || /^(?: {2}|\t)/.test(line)) return null
  // Most lines are items, which need not be looked at any further.
  if (isItem(line) && !hasNested(lines, at)) return null
  const { mark = '', text: written = '' } = LINE.exec(line)?.groups ?? {}
  // A link definition.
  if (/^\[[^\]]+\]:/.test(written)) return null
  if (mark.startsWith('#')) return /\d/.test(written) ? 'heading' : null
  const bold = /^(\*\*|__)(?![\s*_])(.+?)\1(.*)$/.exec(line)
  // `- **1.2.0**, *2 Jan 2026*`
  const bare = mark.length === 1 ? written.replace(/\*+/g, '') : written
  const text = halfWidth(bold ? `${bold[2]}${bold[3]}` : bare).replace(/^\[([^[\]]+)\]/, '$1')
  const label = plainLabel(text)
  if (label === null || label.isDate || (label.kind === 'other' && label.titleStart === label.end))
    return null
  const [above, next] = [lines.at(at - 1), lines.at(at + 1)]
  const isBetweenRules = isRule(above) && isRule(next)
  if (bold || (isUnderline(next) && !isBetweenRules)) return 'heading'
  const date = label.date ?? dateBesideLabel(text, label.end)
  const behind =
    date === null || date.end <= label.end
      ? text.slice(label.end)
      : text.slice(label.end, date.start) + text.slice(date.end)
  const isAlone =
    /^[\s:.,;()[\]–—\p{So}-]*(?:released?)?[\s:]*$/iu.test(behind) || asNote(behind.trim()) !== null
  const isApart = isBlank(above) || isRule(above) || /^#{1,6} /.test(above)
  const isNamed = label.titleStart < label.end
  const isBracketed = /^\[v?\d+(?:\.\d+){2,}\](?:[ \t]|$)/i.test(bare)
  const isPart = isNamed && date === null && label.kind === 'other'
  const version = { at, mark, text: isBracketed ? text : bare, label: label.text, isPart }
  if (mark.length === 1 && mark !== '*') return isAlone && hasNested(lines, at) ? version : null
  if (mark === '*') return isAlone && (isNamed || hasNested(lines, at)) ? version : null
  if (isBracketed) return version
  if (isAlone && !isNamed)
    return isApart || date !== null || isBelow(next) || /:\s*$/.test(text) ? version : null
  if (isAlone && SAYS_CHANGES.test(text)) return isApart || isBlank(next) || isBelow(next) ? version : null
  if (isAlone)
    return isApart && (isBlank(next) || isBelow(next) || isRule(next) || date !== null || mark !== '')
      ? version
      : null
  const isTitled = date !== null || /^\s*(?:[-–—:]\s|\(|\[)/.test(behind)
  const beginsWithDate = label.date !== null || /^\d{4}[-./]/.test(text)
  return isApart && (beginsWithDate || (isTitled && (!isNamed || SAYS_CHANGES.test(text)))) ? version : null
}

const SAYS_CHANGES = /\b(?:changes?|changed|change ?log|new|news|version|release)\b/i

/** Whether the lines below belong to an item. */
function hasNested(lines: TextLines, at: number): boolean {
  for (let next = at + 1; next < at + 4; next++) {
    const line = lines.at(next)
    if (!isBlank(line)) return /^(?: {2}|\t)/.test(line)
  }
  return false
}

/** Without the indentation that all lines have. */
function dedented(lines: readonly string[]): string[] {
  const widths = lines.filter((line) => !isBlank(line)).map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const least = Math.min(...widths)
  return lines.map((line) => (isBlank(line) ? '' : line.replace(/^\t/, '    ').slice(Math.min(least, 8))))
}

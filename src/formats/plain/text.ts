import { isBlank } from '../keepachangelog/markdown/lines.ts'
import { onlyDate } from '../keepachangelog/versions/dates.ts'
import { asNote, dateBesideLabel } from '../keepachangelog/versions/heading-title.ts'
import { plainLabel } from '../keepachangelog/versions/label.ts'
import { halfWidth } from '../keepachangelog/vocabulary.ts'
import type { TextLines } from '../text-lines.ts'
import { isRule } from './body.ts'
import { beginningEntries, type Entry, entriesByDate, versionsByDate } from './by-date.ts'
import { isIndentedVersion, itemsByNumber } from './outlines.ts'
import { byLine, isInOrder, linesInOrder, type VersionLine, withMore, withoutNamedAbove } from './shapes.ts'

/** The lines that begin versions, and entries by date; null if fewer than half as many as headings of markdown have a version. */
export function plainVersions(
  lines: TextLines,
  inMarkdown: () => number,
): { versions: VersionLine[] | null; entries: Entry[] } {
  const candidates = candidatesIn(lines)
  if (candidates.headings >= MANY_HEADINGS)
    return { versions: versionsAmong(candidates, lines, []), entries: [] }
  const entries = entriesByDate(lines)
  return { versions: versionsOrEntries(candidates, lines, entries, inMarkdown), entries }
}

function versionsOrEntries(
  candidates: Candidates,
  lines: TextLines,
  entries: Entry[],
  inMarkdown: () => number,
): VersionLine[] | null {
  const { headings } = candidates
  const known = versionsAmong(candidates, lines, entries)
  const numbered = known?.filter(({ label }) => label !== undefined) ?? []
  const shaped = linesInOrder(lines)
  const inEntries = beginningEntries(entries, shaped)
  const isRare = numbered.length === 0 && shaped.length * MOST_ENTRIES < entries.length
  if (isRare || shaped.length <= 2 * Math.max(headings, numbered.length))
    return numbered.length === 0 ? known : withMore(known ?? [], inEntries)
  return known === null && shaped.length < inMarkdown()
    ? null
    : withoutNamedAbove(withMore(inEntries, numbered), lines)
}

/** By date, for one version: if there are more, numbers are in them by chance. */
const MOST_ENTRIES = 30

/** Of markdown: then no other lines are looked for. */
const MANY_HEADINGS = 10

interface Candidates {
  found: VersionLine[]
  indented: VersionLine[]
  doubtful: VersionLine[]
  /** Headings of markdown, if most versions are. */
  underlined: VersionLine[]
  /** How many lines of markdown have a number. */
  headings: number
}

function candidatesIn(lines: TextLines): Candidates {
  const found: VersionLine[] = []
  const indented: VersionLine[] = []
  const doubtful: VersionLine[] = []
  const underlined: VersionLine[] = []
  let headings = 0
  let fence: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at)
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === null ? mark : line.trim().startsWith(fence) ? null : fence
    if (fence !== null) continue
    const version = versionAt(lines, at)
    if (version === 'heading' || version?.isUnderlined) {
      headings++
      if (version !== 'heading') underlined.push(version)
    } else if (version?.isDoubtful) doubtful.push(version)
    else if (version !== null) found.push(version)
    else if (isIndentedVersion(lines, at)) indented.push({ at, mark: '', text: line.trim() })
  }
  return { found, indented, doubtful, underlined, headings }
}

function versionsAmong(
  { found, indented, doubtful, underlined, headings }: Candidates,
  lines: TextLines,
  entries: Entry[],
): VersionLine[] | null {
  if (
    headings === 0 &&
    doubtful.length > 2 * found.length + 2 &&
    isInOrder([...found, ...doubtful].sort(byLine))
  )
    found.push(...doubtful.splice(0))
  if (found.length === 0 && headings === 0)
    return versionsByDate(entries) ?? (indented.length > 1 ? indented : itemsByNumber(lines))
  const byMark = [...Map.groupBy(found, ({ mark }) => mark.slice(0, 2)).values()]
  const most = byMark.reduce<VersionLine[]>((most, one) => (one.length > most.length ? one : most), [])
  // Items or texts of entries by date: `* Version is 1.2`.
  const isStarred = most.every(({ at, mark }) => mark === '*' && !isBlank(lines.at(at - 1)))
  if (headings < MANY_HEADINGS && (most.length < 3 || isStarred)) {
    const byDate = versionsByDate(entries)
    const least = Math.max(20 * headings, most.length * (isStarred ? 1 : 5))
    if (byDate !== null && byDate.length > least) return byDate
  }
  if (most.length <= 2 * headings) return null
  const forms = new Set(most.map(({ text }) => formOf(text)))
  const more = indented.filter(({ text }) => forms.has(formOf(text)))
  return withoutParts(withMore(withMore([...most, ...more].sort(byLine), underlined), doubtful))
}

const formOf = (text: string): string => text.replace(/\d[\w./]*/, '0').toLowerCase()

/**
 * Without lines that name a part of a version, `libfoo v2.0.1:`, if most have no name; nor its number once more, nor the end
 * of a sentence, if most are none.
 */
function withoutParts(versions: VersionLine[]): VersionLine[] {
  const most = (is: (version: VersionLine) => boolean | undefined) =>
    versions.filter(is).length * 2 > versions.length
  const isWhole = most(({ isPart }) => !isPart)
  const isApart = most(({ mayContinue }) => !mayContinue)
  return versions.filter(({ isPart, mayContinue, label, text }, at) => {
    if (mayContinue && isApart) return false
    const above = versions[at - 1]
    const isAgain = label === above?.label && text !== above?.text
    return !isPart || !(isAgain || (isWhole && /:$/.test(text) && !SAYS_CHANGES.test(text)))
  })
}

const LINE = /^ ?(?<mark>#{1,6}|\*+|=+|-{2,}|[-+•])?[ \t]*(?<text>\S.*?)[ \t]*(?:=+|\*{2,}|-{3,}|#{1,6})?$/
const MOST = 200
/** `1.2.0: text`, line below line. */
const NUMBERED = /^v?\d+(?:\.\d+){1,4}(?:-\w[\w.]*)?:?[ \t]/i

const isUnderline = (line: string): boolean => /^(?:=+|-{3,})[ \t]*$/.test(line)
/** A bullet, or indented. */
const isBelow = (line: string): boolean => /^(?:[ \t]+\S|[-*+•o][ \t])/.test(line)

/** An item, unless it may be a heading of GNU: `* Noteworthy changes in release 1.2`. */
const isItem = (line: string): boolean =>
  /^ ?(?:-(?!-)|[+•]|\*(?!\*))/.test(line) &&
  (!/^ ?\*/.test(line) || line.includes('](') || !SAYS_CHANGES.test(line))

function versionAt(lines: TextLines, at: number): VersionLine | 'heading' | null {
  const line = lines.at(at)
  if (line.length > MOST || !/\d|nreleased/.test(line) || /^(?: {2}|\t|\$Id)/.test(line)) return null
  // Most lines are items, which need not be looked at any further.
  if (isItem(line) && !hasNested(lines, at) && !isOutline(lines, at)) return null
  const { mark: marked = '', text: written = '' } = LINE.exec(line)?.groups ?? {}
  // `= 1.2 =` is a heading too.
  const mark = marked === '=' ? '==' : marked
  // A link definition.
  if (/^\[[^\]]+\]:/.test(written)) return null
  if (mark.startsWith('#') || /^<h[1-6]\b/i.test(written)) return /\d/.test(written) ? 'heading' : null
  const bold = /^(\*\*|__)(?![\s*_])(.+?)\1(.*)$/.exec(line)
  // `- **1.2.0**, *2 Jan 2026*`
  const bare = mark.length === 1 ? written.replace(/\*+|__/g, '') : written
  const text = halfWidth(bold ? `${bold[2]}${bold[3]}` : bare).replace(/^\[([^[\]]+)\]/, '$1')
  const label = plainLabel(text)
  if (
    label === null ||
    label.isDate ||
    /^\d\d\.\d\d\.(?:19|20)\d\d$/.test(label.text) ||
    (label.kind === 'other' && label.titleStart === label.end)
  )
    return null
  const [above, next] = [lines.at(at - 1), lines.at(at + 1)]
  const isBetweenRules = isRule(above) && isRule(next)
  const date = label.date ?? dateBesideLabel(text, label.end)
  const behind =
    date === null || date.end <= label.end
      ? text.slice(label.end)
      : text.slice(label.end, date.start) + text.slice(date.end)
  const isAlone =
    /^[\s:.,;()[\]–—\p{So}-]*(?:released?|release notes|news|changes)?[\s:]*$/iu.test(behind) ||
    /^(?:[,、] ?v?\d+(?:\.\d+)+)+$/.test(behind) ||
    /^\s*<?https?:\/\/\S+(?:\s+<?https?:\/\/\S+)*$/.test(behind) ||
    asNote(behind.trim()) !== null
  const isParagraph = bold && (isAlone || date !== null) && (isBlank(next) || isBelow(next))
  if (isParagraph) return 'heading'
  const isApart =
    isBlank(above) ||
    isRule(above) ||
    (/^\s/.test(above) && label.titleStart === label.end) ||
    /^#{1,6} /.test(above) ||
    mark.length > 1 ||
    NUMBERED.test(above)
  const isNamed = label.titleStart < label.end
  const isBracketed = /^\[v?\d+(?:\.\d+){2,}\](?:[ \t]|$)/i.test(bare)
  const isPart = isNamed && date === null && label.kind === 'other'
  const mayContinue =
    mark === '' && date === null && above.length > 40 && /^\p{L}/u.test(above) && /[\p{L}\d,]$/u.test(above)
  const shown = isBracketed || bold ? text : bare
  const version = { at, mark, text: shown, label: label.text, isPart, mayContinue }
  if (isUnderline(next) && !isBetweenRules) return { ...version, isUnderlined: true }
  const isTitled = date !== null || /^\s*(?:(?:-{1,2}|[–—:])\s|\(|\[)/.test(behind)
  if (mark.length === 1 && mark !== '*') return isAlone && hasNested(lines, at) ? version : null
  if (mark === '*') {
    const isHead = isOutline(lines, at) || hasNested(lines, at)
    const isBegun = isAlone
      ? isNamed || isHead
      : date !== null
        ? isHead
        : isTitled && !isNamed && hasOtherBullets(lines, at)
    return isBegun ? version : null
  }
  if (isBracketed) return version
  if (isAlone && !isNamed)
    return isApart || date !== null || isBelow(next) || /:\s*$/.test(text) ? version : null
  if (isAlone && SAYS_CHANGES.test(text)) return isApart || isBlank(next) || isBelow(next) ? version : null
  if (isAlone)
    return isApart &&
      (isBlank(next) ||
        isBelow(next) ||
        isRule(next) ||
        date !== null ||
        mark !== '' ||
        onlyDate(next) !== null)
      ? version
      : null
  // `2004.03.16 Jane Doe` is an entry by date.
  if (date === null && !isNamed && onlyDate(label.text) !== null) return null
  const beginsWithDate = label.date !== null || /^\d{4}[-./]/.test(text)
  if (!isApart) return null
  if (beginsWithDate || (isTitled && (!isNamed || SAYS_CHANGES.test(text)))) return version
  const isAmongLines = NUMBERED.test(above) || NUMBERED.test(next)
  const isSentence = !isAmongLines && /^ \S/.test(behind) && (/^ \p{Ll}/u.test(behind) || /[.,]$/.test(text))
  return !isNamed && label.kind === 'version' && !isSentence && !/^\d\d\.\d\d\.\d\d$/.test(label.text)
    ? { ...version, isDoubtful: true }
    : null
}

/** `* 1.2` or `* Name 1.2 -- date` with an empty line above, and no item below. */
const isOutline = (lines: TextLines, at: number): boolean =>
  /^\*[ \t]+(?:[^\s\d]\S*[ \t]+)?v?\d+\.\d/.test(lines.at(at)) &&
  isBlank(lines.at(at - 1)) &&
  !/^\*[ \t]/.test(nextText(lines, at))

const SAYS_CHANGES = /\b(?:changes?|changed|change ?log|new|news|version|release)\b/i

/** Whether the lines below belong to an item. */
const hasNested = (lines: TextLines, at: number): boolean =>
  /^(?: {2}|\t)/.test(nextText(lines, at)) || hasOtherBullets(lines, at)

/** Whether a starred line has items with other bullets below it. */
const hasOtherBullets = (lines: TextLines, at: number): boolean =>
  /^ ?\*[ \t]/.test(lines.at(at)) && /^[-+•][ \t]/.test(nextText(lines, at))

/** The next line that is not blank, of three. */
const nextText = (lines: TextLines, at: number): string =>
  lines.slice(at + 1, at + 4).find((line) => !isBlank(line)) ?? ''

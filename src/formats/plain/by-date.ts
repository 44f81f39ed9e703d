import { firstIndex, isBlank } from '../keepachangelog/markdown/lines.ts'
import { findDate, onlyDate } from '../keepachangelog/versions/dates.ts'
import { UNRELEASED } from '../parsed.ts'
import type { TextLines } from '../text-lines.ts'
import type { ShapedLine, VersionLine } from './shapes.ts'

export interface Entry extends VersionLine {
  /** The version that it names. */
  number?: string | undefined
}

/** The entries of a ChangeLog by date. */
export function entriesByDate(lines: TextLines): Entry[] {
  const entries = lines.slice(0, lines.length).flatMap((line, at) => {
    if (!/^[\w*]/.test(line) || line.length > MOST) return []
    const text = line
      .trim()
      .replace(EMPHASIS, '$2')
      .replace(/^\*[ \t]*(?=\w)/, '')
      .replace(DIGITS_DATE, '$1-$2-$3')
      .replace(/:$/, '')
    return findDate(text)?.start === 0 ? { at, mark: '', text, number: numberBelow(lines, at) } : []
  })
  return entries.length < 2 ? [] : entries
}

/**
 * Those that name a version in their first lines (`* Version 1.2 released`) begin it, and older ones below belong to it;
 * without any, each day is a version.
 */
export function versionsByDate(entries: Entry[]): VersionLine[] | null {
  const released = entries.filter(({ number }) => number !== undefined)
  const [first] = entries
  // One number among many entries was found by chance.
  const isChance = released.length === 1 && entries.length > 50
  if (first === undefined) return null
  if (released.length === 0 || isChance) return oneADay(entries)
  return withNewest(
    first,
    released.map(({ number = '', ...entry }) => ({
      ...entry,
      label: number,
      text: `${number} - ${entry.text}`,
    })),
  )
}

/** The first of those of a day, which begins what happened then. */
function oneADay(entries: Entry[]): Entry[] {
  let last: string | undefined
  return entries.filter(({ text }) => {
    const date = findDate(text)
    const day = text.slice(0, date?.end)
    const isNew = day !== last
    last = day
    return isNew
  })
}

/** With what is above the first version, if it is in entries too. */
const withNewest = (newest: Entry, versions: VersionLine[]): VersionLine[] =>
  newest.at < (versions[0]?.at ?? 0)
    ? [
        { ...newest, text: `${NUMBER_AT_END.exec(newest.text)?.[1] ?? UNRELEASED} - ${newest.text}` },
        ...versions,
      ]
    : versions

/** `Tue Feb 03 2026 Jane Doe <jane@example.com> - 1.2.0` */
const NUMBER_AT_END = / - v?(\d+(?:\.\d+)+)$/

/** The entry that an indented line is in begins its version: the first of them, others begin where they are. */
export function beginningEntries(entries: Entry[], shaped: ShapedLine[]): VersionLine[] {
  const [newest] = entries
  if (newest === undefined || shaped.length === 0) return shaped
  let next = 0
  let used = -1
  const versions = shaped.map((line): VersionLine => {
    while ((entries[next]?.at ?? Number.POSITIVE_INFINITY) <= line.at) next++
    const entry = entries[next - 1]
    if (!line.isIndented || entry === undefined || line.at - entry.at > MOST_LINES) return line
    const isFirst = entry.at !== used
    used = entry.at
    const day = findDate(entry.text)
    return isFirst
      ? { ...entry, label: line.label, text: `${line.label} - ${entry.text}` }
      : { ...line, text: `${line.label} - ${entry.text.slice(day?.start, day?.end)} ${line.text}` }
  })
  return withNewest(newest, versions)
}

/**
 * The text of a version, which begins at the line `from`, as markdown: the day and the author of an entry in it are no
 * change, and go below the first item of the entry.
 */
export function withItemsFirst(body: string[], entries: Entry[], from: number): string[] {
  const first = firstIndex(entries.length, (index) => (entries[index]?.at ?? 0) >= from)
  for (let index = first; (entries[index]?.at ?? Number.POSITIVE_INFINITY) < from + body.length; index++) {
    const [start = 0, last = body.length] = [entries[index], entries[index + 1]].map(
      (one) => one && one.at - from,
    )
    const item = [1, 2, 3].map((below) => start + below).find((line) => body[line] !== '') ?? start
    // A day alone at the top is that of the version.
    const isOfVersion =
      onlyDate(entries[index]?.text ?? '') !== null && !body.slice(0, start).some((line) => line !== '')
    if (isOfVersion || !body[item]?.startsWith('- ')) continue
    let end = item + 1
    while (end < Math.min(last, body.length) && body[end] !== '' && !/^(?: *- |#)/.test(body[end] ?? ''))
      end++
    const moved = [...body.slice(item, end - 1), `${body[end - 1]}\\`, `  ${body[start]}`]
    body.splice(start, end - start, ...moved, ...body.slice(start + 1, item))
  }
  return body
}

/** Those with a day and an author, and no change: all of them, if most are. */
export function authoredEntries(entries: Entry[]): Entry[] {
  const authored = entries.filter(({ text }) => isDayOrAuthor(text))
  return authored.length * 4 >= entries.length * 3 ? entries : authored
}

/** Behind the day is a name, an address or a colon. */
export function isDayOrAuthor(text: string): boolean {
  const date = findDate(text)
  if (date?.start !== 0) return false
  const rest = text.slice(date.end)
  const words = rest.replace(/\([^()]*\)/g, '').match(/\p{L}[^\s,]*/gu) ?? []
  return /[@<]|:$/.test(rest) || words.length < 3 || (words.length < 6 && /^\p{Lu}/u.test(words.at(-1) ?? ''))
}

/** Without a first item that is nothing but the number of the version, above others or those within it. */
export function withoutLabel(lines: string[], label = ''): string[] {
  const first = lines.findIndex((line) => !isBlank(line))
  const next = lines.find((line, at) => at > first && !isBlank(line)) ?? ''
  const { indent = '', bullet, from, number } = NUMBER_ITEM.exec(lines[first] ?? '')?.groups ?? {}
  const isAbove =
    next.startsWith(indent) && (from !== undefined || bullet === undefined || /^\s+[-*+•o][ \t]/.test(next))
  return number !== undefined && number === label && isAbove ? lines.with(first, '') : lines
}

const NUMBER_ITEM =
  /^(?<indent>\s+)(?:(?<bullet>[-*+•o])[ \t]+(?:version )?|(?:version|release) )(?<from>\d\S* -> )?v?(?<number>\d\S*)\s*$/i

/** The version that an entry names in its first lines, or says to be released further below. */
function numberBelow(lines: TextLines, at: number): string | undefined {
  for (let next = at + 1; next < at + MOST_LINES && !MAY_BE_DATE.test(lines.at(next)); next++) {
    const line = lines.at(next)
    if (line.length > MOST) continue
    const first =
      next < at + 5
        ? (ENTRY_VERSION.exec(line) ??
          NAMED_RELEASE.exec(line) ??
          NUMBER_FIRST.exec(line) ??
          SUBJECT.exec(line))
        : null
    const number = (first ?? RELEASING.exec(line) ?? TAGGED.exec(line))?.[1]
    if (number !== undefined) return number
  }
}

const MOST = 200
/** The longest entry in which a release is looked for. */
const MOST_LINES = 100

const MAY_BE_DATE =
  /^(?:\d{4}|\d{1,2}[ /.-]|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W)/i

/** `*2018-11-22*` */
const EMPHASIS = /^(\*{1,2})([^*]+)\1$/
/** `20010325`, `20010325:` */
const DIGITS_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)(?=$|:(?:$|[ \t]))/

const ENTRY_VERSION =
  /^(?![ \t]+[\d.]+\.$)[ \t]+(?:[*-][ \t]*)?(?:[^\s:]+:[ \t]*)?(?:(?:version|released?|release:?|release version|v)[ \t]*)?v?(\d+(?:\.\d+)+[\w.-]*?)(?:[ \t]*(?:released?|release|\([^()]*\))?[.!]?$|,[ \t]+tag[ \t]|[ \t]+-{1,2}[ \t])/i

/** `The 1.0.4 version.` */
const NUMBER_FIRST =
  /^[ \t]+(?:[*-][ \t]*)?(?:the )?v?(\d+(?:\.\d+)+)\.? version(?: (?:is )?released)?[.;!]?$/i
/** `* GCC 12.2.0 released.` */
const NAMED_RELEASE = /^[ \t]+[*-][ \t]*[A-Za-z][\w+-]*[ \t]+v?(\d+(?:\.\d+)+[\w-]*)[ \t]+released[.!]?$/i
/** Of a commit: `foo 1.15`, `Bump version for the 19.1.0 release`, `foo: bump to 1.15` */
const SUBJECT =
  /^\t\* (?:(?:[\w.-]{1,40}: )?(?:bump(?:ed)?(?: the| version| release| to| for){0,4}|update(?: the)? version(?: to| for)?)[ \t]+|(?!require|use|update|support|fix|add|drop|need)[A-Za-z][\w+.-]*[ \t]+)v?(\d+(?:\.\d+)+[\w-]*)(?:[ \t]+release)?[.!]?$/i
/** `* Start again (4dbd15d6) (tag: v1.2.0)` */
const TAGGED = /[(,][ \t]?tag: (?:[A-Za-z][\w+]*[-_/])?v?(\d+(?:\.\d+)+[\w.-]*)[),]/
/** `Translations. Releasing GNU foo 0.6.3. -CG`, `* DESCRIPTION (Version): Release 0.0.20` */
const RELEASING =
  /(?:^[ \t]*(?:[*-][ \t]*)?(?:[^:]{1,60}:[ \t]*)?|[.)][ \t]+)(?:releas(?:e|ed|ing)|prepared? release|version is)(?:[ \t]+[A-Za-z][\w+-]*){0,2}[ \t]+v?(\d+(?:\.\d+)+[\w-]*)[.!]?(?:[ \t]+-[A-Z]{2,4})?$/i

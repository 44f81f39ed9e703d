import { UNRELEASED } from '../../domain/records.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { slugOf } from '../../domain/versions/made-label.ts'
import { hasNumber, labelsFrom } from '../../domain/versions/names.ts'
import { readYanked } from '../../domain/versions/standing.ts'
import { NO_COMMENT } from '../changelog/comments.ts'
import type { EntryLine } from '../changelog/read.ts'
import { headingWith, type VersionHeading } from '../changelog/versions/heading.ts'
import { asNote } from '../changelog/versions/heading-title.ts'
import { isUnreleased } from '../changelog/vocabulary.ts'
import type { Candidate } from '../lines/candidates.ts'
import type { Choice } from '../lines/choose.ts'
import { doubtAbout } from '../lines/doubts.ts'
import type { Line } from '../lines/line.ts'
import { classify } from '../lines/lines.ts'
import { inlineLink } from '../markdown/inline.ts'
import { dedentLine } from '../markdown/lines.ts'
import { FormatError, type ReadOptions, tooMany, type Warning } from '../parsed.ts'
import { explain } from './choose.ts'
import { otherThanEntries, warningsAbout } from './doubts.ts'
import type { Entry } from './headlines.ts'
import { type Head, Heads, YEAR } from './heads.ts'
import { periodIn } from './periods.ts'
import { unwrapped } from './wrappers.ts'

/** A text of entries: the lines that say their days and headlines are empty. */
export interface EntryText {
  lines: Line[]
  starts: EntryLine[]
  warnings: Warning[]
}

interface Options extends Pick<ReadOptions, 'isInsisting' | 'mostVersions'> {
  name: string
  isMarkdown: boolean
  /** The file has the name of something else. */
  isOther: boolean
  /** How the text is read without entries. */
  choice: Choice
}

/**
 * A changelog whose entries have days and headlines; null if it is one of numbers, or none. Throws a FormatError for one that can be
 * read in several ways, or whose days are those of something else.
 */
export function readEntries(written: readonly string[], options: Options): EntryText | null {
  const { isMarkdown, isInsisting } = options
  const { taken, untaken } = options.choice
  const numbered = taken.filter(({ number }) => number !== '' && !YEAR.test(number)).length
  if (written.length > MOST_LINES || (numbered > 0 && !mayBeEntries(written, numbered))) return null
  const { raws, tags } = unwrapped(written)
  const { lines } = classify(raws, isMarkdown)
  for (const at of tags) Object.assign(lines[at] ?? {}, { kind: 'heading', level: 0 })
  const file = new Heads(lines)
  const found = explain(file)
  if (!found && !isInsisting && taken.length === 0 && file.headings.filter(lacksYear).length > 1)
    throw new FormatError(NO_YEAR)
  if (!found || found.entries.length <= numbered * 2) return null
  const { entries, problem } = found
  if (entries.length > (options.mostVersions ?? entries.length)) throw tooMany(options.mostVersions ?? 0)
  // A day alone, plain lines by day and numbers with a day are read like any other.
  const [only, second] = entries
  const isFirst = file.title?.at === only?.at && !tags.has(only?.at ?? 0)
  const isNone = problem !== null || isFirst || only?.title === '' || isUnreleased(only?.title ?? '')
  if (second === undefined && isNone) return null
  const refused = new Set(untaken.map(({ candidate }) => candidate.at))
  if (taken.length === 0 && entries.every(({ at }) => refused.has(at))) return null
  const areLines = entries.every(({ form }) => form !== 'heading')
  if (areLines && (!isMarkdown || numbered > 0 || entries.length < taken.length)) return null
  if (entries.every(({ at, title }) => isNumber(title) && !tags.has(at))) return null
  if (doubtAbout({ taken: entries.map(asCandidate), lines, isOther: options.isOther, isGuide: false }))
    return null
  if (problem !== null && !isInsisting) throw new FormatError(`${problem}. ${HINT}`)
  const other = isInsisting ? null : otherThanEntries(entries)
  if (other !== null) throw new FormatError(other)
  const labels = labelsOf(entries)
  const starts = entries.map((entry, index): EntryLine => {
    return { at: entry.at, level: Math.max(1, entry.level), said: headingOf(entry, labels[index] ?? '') }
  })
  const top = written.slice(0, only?.at).join('\n')
  const warnings = warningsAbout({ entries, lines, heads: file.all, top, name: options.name })
  return { lines: withoutHeads(file, entries), starts, warnings }
}

/** True for `October 12`. */
const lacksYear = ({ period, title }: Head): boolean => {
  const found = period ? null : periodIn(title, { level: 0, year: '2000', outer: null })
  return found?.length === 'day' && found.start === 0 && found.end === title.length
}
const NO_YEAR =
  'the headings have dates without a year. Write it in them, or in a heading above them, such as "# 2026"'

const isNumber = (title: string): boolean => hasNumber(title) && !/\s/.test(title)

const asCandidate = ({ at, level, period, title }: Entry): Candidate => ({
  at,
  level,
  form: level > 0 ? 'heading' : 'line',
  heading: headingWith(title, { text: title, comment: NO_COMMENT }),
  number: '',
  day: period && Math.floor(period.at / DAY_MS),
  isDated: period !== null,
  isAlone: title === '',
  evidence: 'likely',
  isNamed: false,
  isUnreleased: isUnreleased(title),
  shape: '',
})

const HINT = 'Give each entry a heading with its date, such as "## 2026-01-31 – Title"'

/** Most texts have numbers, and need no second look. */
const mayBeEntries = (raws: readonly string[], numbered: number): boolean =>
  raws.filter((raw) => /(?<!\d)(?:19|20)\d\d(?!\d)/.test(raw)).length > numbered * 2

/** Nobody writes as many, which bounds the time that a text takes. */
const MOST_LINES = 20_000

/** The day as it is written; the headline, if several entries are of a day or none is known. A number stays one. */
function labelsOf(entries: readonly Entry[]): string[] {
  const days = Map.groupBy(entries, ({ period }) =>
    period ? (dayIn(period.written) ?? period.written) : null,
  )
  const used = new Set<string>()
  /** By title, the labels that have not been tried. */
  const left = new Map<string, Generator<string, never>>()
  return entries.map(({ period, title }) => {
    const isOnly = period && days.get(dayIn(period.written) ?? period.written)?.length === 1
    const day = isOnly || title === '' ? period?.written : undefined
    const own = isUnreleased(title) ? UNRELEASED : isNumber(title) ? title : day
    if (own !== undefined) {
      used.add(own)
      return own
    }
    const slug = slugOf(title)
    const made = left.get(slug) ?? labelsFrom(title)
    left.set(slug, made)
    const label = free(made, used)
    used.add(label)
    return label
  })
}

/** Takes labels up to the first free one: a loop would end them. */
function free(labels: Generator<string, never>, used: ReadonlySet<string>): string {
  let label = labels.next().value
  while (used.has(label)) label = labels.next().value
  return label
}

function headingOf({ title: written, period, url }: Entry, label: string): VersionHeading {
  const { title, isYanked } = readYanked(written)
  const note = asNote(title)
  return {
    label,
    title: note ? `${label} ${note}` : title || label,
    date: period && { at: period.at, warning: period.warning, numeric: period.numeric },
    comment: NO_COMMENT,
    link: url && inlineLink(title || label, url),
    byline: null,
    falseDate: null,
    isYanked,
  }
}

/** Without what entries say; what else those lines say is in the last of them. */
function withoutHeads(file: Heads, entries: readonly Entry[]): Line[] {
  const { lines, headings } = file
  const said = new Map<number, string>(
    headings.flatMap((head) => (file.isGroup(head) ? [[head.at, ''] as const] : [])),
  )
  const all = [...lines]
  for (const [index, { at, form, lines: own }] of entries.entries()) {
    const rest = [...own.values()].filter(Boolean).join(', ')
    const last = Math.max(...own.keys())
    // What is between headline and day comes below.
    const between = all.slice(at + 1, last)
    const isMoved = rest === '' && own.size === 2 && between.some(({ kind }) => kind !== 'blank')
    if (isMoved) all.splice(at + 1, between.length + 1, all[last] as Line, ...between)
    for (const each of own.keys())
      said.set(each === last && isMoved ? at + 1 : each, each === last ? rest : '')
    if (form === 'item') {
      const own = lines.slice(at + 1, entries[index + 1]?.at)
      const margin = Math.min(...own.filter(({ kind }) => kind !== 'blank').map(({ indent }) => indent), 8)
      all.splice(at + 1, own.length, ...own.map((line) => ({ ...line, raw: dedentLine(line.raw, margin) })))
    }
  }
  return all.map((line, at) => {
    const rest = said.get(at)
    const isRule = line.isUnderlined && line.kind === 'rule' && said.has(at - 1)
    if (rest === undefined && !isRule) return line
    const raw = rest ?? ''
    return {
      ...line,
      kind: raw === '' ? 'blank' : 'text',
      raw,
      text: raw,
      indent: 0,
      margin: 0,
      isUnderlined: false,
    }
  })
}

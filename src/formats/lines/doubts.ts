import { typeFromHeading } from '../../domain/slug.ts'
import { namesKind } from '../../domain/versions/kinds.ts'
import { findDate } from '../changelog/versions/dates.ts'
import { type Candidate, textBelow } from './candidates.ts'
import type { Line } from './line.ts'
import { stepsOf } from './order.ts'

/** The lines that would begin the versions of a text. */
interface Reading {
  taken: readonly Candidate[]
  lines: readonly Line[]
  /** The name of the file is that of something else. */
  isOther: boolean
  /** It is that of plans or of a guide. */
  isGuide: boolean
}

/** Why all of them are something else than versions; null if they are not. */
export const doubtAbout = (reading: Reading): string | null =>
  DOUBTS.find(({ holds }) => holds(reading))?.why ?? null

/** Reasons to refuse a text, the likeliest first. */
const DOUBTS: readonly { why: string; holds: (reading: Reading) => boolean }[] = [
  {
    why: 'most items are plans that are not done',
    holds: ({ lines }) => {
      const items = lines.filter(({ kind }) => kind === 'item')
      return items.filter(({ text }) => PLAN.test(text)).length * 2 > items.length
    },
  },
  {
    why: 'a file with this name has numbers for other reasons',
    holds: (reading) => reading.isGuide && undatedOf(reading).length === reading.taken.length,
  },
  {
    why: 'the dates look like those of a CV',
    holds: (reading) => isByDay(reading) && says(reading, CV),
  },
  {
    why: 'the lines look like rows of a table',
    holds: ({ taken, lines }) =>
      taken.length > 1 && taken.every((one) => ROW.test(lines[one.at]?.text ?? '') || hasTwoDates(one)),
  },
  {
    why: 'a file with this name has dates for other reasons',
    holds: (reading) => reading.isOther && isByDay(reading),
  },
  {
    why: 'it is the only one',
    holds: ({ taken: [first, ...others], lines, isOther }) =>
      first !== undefined && others.length === 0 && (isOther || isWeak(first, lines)),
  },
  {
    why: 'most of the text is above the first one',
    holds: ({ taken: [first, ...others], lines }) =>
      first !== undefined && first.at > MOST_ABOVE * (others.length + 1) && first.at * 3 > lines.length * 2,
  },
  {
    why: 'most headings of this file are not versions',
    holds: (reading) => {
      const { taken, lines, isOther } = reading
      const headings = lines.filter(({ kind }) => kind === 'heading')
      return isOther && undatedOf(reading).length === taken.length && headings.length > taken.length * 2
    },
  },
  {
    why: 'the lines look like measurements',
    holds: ({ taken, lines }) => {
      const isMeasured = ({ text = '' }: { text?: string }) => MEASURED.test(text)
      const written = lines.filter(({ text }) => text.trim() !== '')
      const areMeasured = taken.every(({ at }) => isMeasured(lines[at] ?? {}))
      return taken.length > 0 && (areMeasured || written.filter(isMeasured).length * 2 >= written.length)
    },
  },
  {
    why: 'the numbers look like those of other software, with its licences',
    holds: (reading) => areUndated(reading) && says(reading, LICENCE),
  },
  {
    why: 'the numbers look like chapters: they rise, without dates',
    holds: (reading) => {
      const undated = undatedOf(reading)
      const [rises, falls] = stepsOf(undated)
      const areChapters = reading.isOther || undated.every((one) => isChapter(one, reading.lines))
      return areUndated(reading) && rises > falls && areChapters
    },
  },
  {
    why: 'no other line has the same words before its number',
    holds: (reading) => {
      const { taken, lines } = reading
      const isNamed = (one: Candidate) =>
        (one.form === 'line' || one.evidence === 'likely') && nameOf(one) !== '' && !tells(one, lines)
      return areUndated(reading) && taken.every(isNamed) && new Set(taken.map(nameOf)).size * 2 > taken.length
    },
  },
]

const isByDay = ({ taken }: Reading): boolean => taken.every(({ day }) => day !== null)

const says = ({ lines }: Reading, words: RegExp): boolean =>
  lines.filter(({ text }) => words.test(text)).length > 1

const undatedOf = ({ taken }: Reading): Candidate[] =>
  taken.filter(({ isDated, isUnreleased }) => !isDated && !isUnreleased)

/** A single date, as that of a licence, says nothing about the others. */
const areUndated = (reading: Reading): boolean => undatedOf(reading).length * 10 >= reading.taken.length * 9

/** `[ ] Add a door` */
const PLAN = /^\[ \] /

/** True for a day that is no heading, and for a name or a whole number without a date: `Development`, `V8`. */
const isWeak = (one: Candidate, lines: readonly Line[]): boolean =>
  !tells(one, lines) && (one.isDated ? one.day !== null && one.form !== 'heading' : /^\d*$/.test(one.number))

/** Lines above the first version, for each version. */
const MOST_ABOVE = 20

/** The letters in front of the number: several names are those of several products. */
const nameOf = ({ heading: { text, label }, number }: Candidate): string =>
  text.slice(0, label.end === 0 ? 0 : text.indexOf(number)).replace(/[^\p{L}/]|v$/giu, '')

/** True if words, or a list or a kind of change below, say that something changed. */
function tells({ at, heading }: Candidate, lines: readonly Line[]): boolean {
  const below = textBelow(lines, at)
  if (below?.kind === 'heading' && namesKind(typeFromHeading(below.text) ?? '')) return true
  return CHANGED.test(heading.text) || below?.kind === 'item'
}

/** True for `2.1`, which has no zero, and for `1.0 Summary`, which has a title and no list of changes. */
const isChapter = (one: Candidate, lines: readonly Line[]): boolean =>
  !MARKED.test(one.heading.text) &&
  (!HAS_ZERO.test(one.number) ||
    (one.evidence !== 'certain' && !/^0\./.test(one.number) && !tells(one, lines)))

/** `1.0`, `0.3` */
const HAS_ZERO = /(?:^|\.)0+(?:\.|$)/
const MARKED = /^\W*v\d/i
const CHANGED = /\b(?:chang|news?\b|(?:un)?releas)/i

/** `1.2 2026-01-02 2027-01-02`: the release, and the end of its support. */
const hasTwoDates = ({ number, heading: { date, shown } }: Candidate): boolean =>
  number !== '' && date !== null && findDate(shown.slice(date.end)) !== null

/** `1.2,2026-01-02` */
const ROW = /^"?[^\s,;"]+"?[,;]\S/
/** `12.5 C`, `Temperature: 11 °C`, `wind 4.1 m/s` */
const MEASURED = /(?<![\w%.-])\d+(?:[.,]\d+)? ?(?:°(?: ?[CF])?|[CF]|mm|hPa|km\/h|m\/s|mph)(?:$|[\s,;.)])/
/** A text by date with such lines tells a life. */
const CV =
  /^[*_#\s-]*(?:(?:work |professional )?experience|education|employment(?: history)?|skills|curriculum vitae|résumé|références|references|career)[*_]*:?$/i
/** A text without dates with such lines has notices. */
const LICENCE = /^\W*(?:permission (?:is hereby granted|to use)|redistribution and use in source)\b/i

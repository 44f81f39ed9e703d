import { isOwnName } from '../addresses/paths.ts'
import { type Instant, UNRELEASED, type Version } from '../records.ts'
import { dayIn } from '../time/date-forms.ts'
import { formatInstant } from '../time/time.ts'
import { ENTRY, slugOf } from './made-label.ts'
import { readNumber } from './number.ts'

/** What a version is called, where people read it. */
export interface ShownName {
  /** Beside the title: a number, or what title and date do not say. */
  label: string | null
  /** Null where there is none but the label or the date. */
  title: string | null
}

/** The date is null if it is not known. */
export type Named = Pick<Version, 'label' | 'title'> &
  (Pick<Version, 'publishedAt' | 'dateKnown'> | { date: Instant | null })

/** `2026-11-12`; null if it is not known. */
export const dayOf = (version: Named): string | null => {
  const date = 'date' in version ? version.date : version.dateKnown ? version.publishedAt : null
  return date === null ? null : formatInstant(date).slice(0, 10)
}

/**
 * A number is a label beside the title. A day that is the date of the version is not shown beside it. A name is the title where
 * there is none. A label made from a title is only an address, also if the title has changed.
 */
export function shownName(version: Named): ShownName {
  const { label, title } = version
  const day = dayIn(label)
  if (day !== null) {
    return {
      label: dayOf(version) === day ? null : label,
      title: dayIn(title) === day ? null : behind(label, title),
    }
  }
  if (hasNumber(label)) return { label, title: titleBeside(version) }
  const isMade = slugOf(label) === label
  const says = isMade || title.toLowerCase().includes(label.toLowerCase())
  return { label: says ? null : label, title }
}

/** What to call it in a word, such as in a link: its number, else its title, else its date, as `2026-11-12`. */
export function shortName(version: Named): string {
  const { label, title } = shownName(version)
  return (hasNumber(version.label) ? label : title) ?? label ?? dayOf(version) ?? version.label
}

/**
 * Its name with that of its product, and the title where that is not in it: `Rocket 3.0.0`, `Meridian: Guests on every board`,
 * `Meridian, 20 August 2026`. `date` is written for the reader, and null if it is not known.
 */
export function nameWith(
  product: string,
  version: Named,
  date: string | null,
  textOf = (title: string) => title,
) {
  const { label, title } = shownName(version)
  if (hasNumber(version.label)) return { name: `${product} ${label}`, title }
  const name =
    title === null ? [product, label ?? date].filter(Boolean).join(', ') : `${product}: ${textOf(title)}`
  return { name, title: null }
}

/** A label of a version of which nothing else is known. */
export const labelInWords = (label: string): string =>
  !hasNumber(label) && slugOf(label) === label ? label.replaceAll('-', ' ') : label

/** Months, weeks and quarters. */
const PERIOD = /^(?:19|20)\d\d[ -]?(?:(?:0[1-9]|1[0-2])$|[WwQq]\d)/

/** True for `1.2.0` and `Sprint 12`; false for days, months, names and what is made from a title. */
export const hasNumber = (label: string): boolean =>
  readNumber(label) !== null && dayIn(label) === null && !PERIOD.test(label)

/** As many of the newest versions tell what a changelog is one of: those of a page. */
export const TELLING = 20

/** True if these are entries with dates and titles rather than releases: the newest visible versions of a changelog, if none has a number. */
export const areEntries = (newest: readonly Pick<Version, 'label'>[]): boolean =>
  newest.length > 0 && newest.slice(0, TELLING).every(({ label }) => !hasNumber(label))

/**
 * Labels for a version with this title, the best first: take the first that is free. They are never shown, and do not change
 * with the title.
 */
export function* labelsFrom(title: string): Generator<string, never> {
  const stem = slugOf(title) || ENTRY
  let front = ''
  for (let count = 1; ; count++) {
    const label = count > 1 ? `${stem}-${count}` : stem
    if (front === '' && (saysMore(label) || !isOwnName(label))) front = `${ENTRY}-`
    yield front + label
  }
}

/** True for a label that is read as a number, a time or a status. */
const saysMore = (label: string): boolean =>
  hasNumber(label) || PERIOD.test(label) || dayIn(label) !== null || label === UNRELEASED.toLowerCase()

/** Labels that may follow a number, the smallest step first: `1.2.3` → `1.2.4`, `1.3.0`, `2.0.0`. */
export function nextLabels(label: string): string[] {
  const [, lead = '', numbers = ''] = /^(.*?)(\d{1,9}(?:\.\d{1,9}){0,2})$/.exec(label) ?? []
  const parts = numbers.split('.').filter(Boolean).map(Number)
  const raised = (at: number) => parts.map((part, each) => (each < at ? part : each === at ? part + 1 : 0))
  return parts.map((_, at) => lead + raised(at).join('.')).reverse()
}

/** True for a label that `labelsFrom` makes from this title. */
export function isMadeFrom(title: string, label: string): boolean {
  const [first = ''] = labelsFrom(title).take(1)
  const isNext = (stem: string) => label.startsWith(`${stem}-`) && /^\d+$/.test(label.slice(stem.length + 1))
  return label === first || isNext(first) || isNext(`${ENTRY}-${first}`)
}

/** Between a label and the rest of a title: `4.0.0 — Harbor`, `v4.0.0: Harbor`, `4.0.0 (Harbor)` has none of it. */
const SEPARATOR = /^(?:\s*[:–—|]\s*|\s+[-·]+\s+|\s+)(?=[^\s()[\]])/

/** The title without the label at its beginning, with or without `v` and a package; null if nothing else is in it. */
function titleBeside({ label, title }: Pick<Version, 'label' | 'title'>): string | null {
  // `1 million users` is no title of version 1.
  if (!label.includes('.')) return title === label ? null : title
  const bare = label.slice(readNumber(label)?.start ?? 0)
  const opening = [label, `v${bare}`, bare].find((name) => title.toLowerCase().startsWith(name.toLowerCase()))
  return behind(opening, title)
}

function behind(opening: string | undefined, title: string): string | null {
  if (opening === undefined || !title.toLowerCase().startsWith(opening.toLowerCase())) return title
  const rest = title.slice(opening.length)
  if (rest === '') return null
  const separator = SEPARATOR.exec(rest)?.[0]
  return separator === undefined ? title : rest.slice(separator.length)
}

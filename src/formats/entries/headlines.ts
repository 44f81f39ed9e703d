import { typeFromHeading } from '../../domain/slug.ts'
import type { Head, Heads } from './heads.ts'
import type { Period } from './periods.ts'
import { namesSection } from './sections.ts'

/** An entry of a product changelog: a day and a headline, in either order, and a text. */
export interface Entry {
  /** The line that begins it, from 0. */
  at: number
  level: number
  form: Head['form']
  period: Period | null
  /** Empty if there is none. */
  title: string
  url: string | null
  /** Lines that say its day and its headline, and what else they say. */
  lines: ReadonlyMap<number, string>
}

/** Entries that are a day alone, each with the headline below. A day with several headlines is as many entries. */
export function withHeadlines(entries: Entry[], file: Heads): Entry[] {
  const inside = headsInside(entries, file)
  const headings = inside.flat().filter(({ form, period }) => form === 'heading' && !period)
  const level = Math.min(...headings.map((head) => head.level))
  const isTopic = (head: Head) =>
    headings.length > 0 ? head.form === 'heading' && head.level === level : isHeadline(head, file)
  const topics = inside.map((heads) => heads.filter(isTopic))
  if (topics.every(({ length }) => length === 0)) return withLinesBelow(entries, file)
  const names = Map.groupBy(
    topics.flatMap((all) => [...new Set(all.map(nameOf))]),
    (name) => name,
  )
  const isRepeated = (head: Head) => (names.get(nameOf(head))?.length ?? 0) > 1
  const isSection = (head: Head) => isRepeated(head) || namesSection(head.title)
  const headlines = topics.map((all) => {
    const own = all.filter((head) => !isSection(head))
    const told = own.filter(({ at }) => !file.isAboveList(at))
    return own.length > 1 ? told : own
  })
  const isLed = headlines.every(
    ([head], index) => !head || head.at === file.below(entries[index]?.at ?? 0, true),
  )
  // Names of parts of the product, above lists.
  const areParts = topics.some(
    (all, index) => all.length > 1 && all.every((head) => !isSection(head)) && !headlines[index]?.length,
  )
  if (!isLed || areParts) return entries
  return entries.flatMap((entry, index) => {
    const [first, ...more] = headlines[index] ?? []
    if (!first) return entry
    const own = withTitle(entry, first)
    if (more.length === 0) return own
    // Sections beside several headlines are of none of them, and a month may have several topics.
    const isWhole = entry.period?.length !== 'day' || topics[index]?.length !== more.length + 1
    return isWhole
      ? entry
      : [
          own,
          ...more.map((head) => ({
            ...own,
            at: head.at,
            title: head.title,
            lines: new Map([[head.at, '']]),
          })),
        ]
  })
}

/** The heads below each entry without a headline, up to the next one. */
function headsInside(entries: readonly Entry[], { all }: Heads): Head[][] {
  const inside: Head[][] = entries.map(() => [])
  let index = -1
  for (const head of all) {
    while ((entries[index + 1]?.at ?? head.at + 1) <= head.at) index++
    if (entries[index]?.title === '' && head.at > (entries[index]?.at ?? head.at)) inside[index]?.push(head)
  }
  return inside
}

/** In bold, as a paragraph of its own that is above no list. */
const isHeadline = ({ at, form, period }: Head, file: Heads): boolean =>
  form === 'bold' &&
  period === null &&
  (file.lines[at + 1]?.kind === 'blank' || file.day(at - 1) !== undefined) &&
  !file.isAboveList(at)

const nameOf = ({ title }: Head): string => typeFromHeading(title) ?? title

const withTitle = (entry: Entry, { at, title }: Pick<Head, 'at' | 'title'>): Entry => ({
  ...entry,
  title,
  lines: new Map([...entry.lines, [at, '']]),
})

/** With short lines right below all days, each above a paragraph. */
function withLinesBelow(entries: Entry[], { lines }: Heads): Entry[] {
  const titled = entries.flatMap((entry) => {
    const [day, title, below] = lines.slice(entry.at, entry.at + 3)
    const isShort = title?.kind === 'text' && title.text.length <= 80 && !/[.!?:。]$/.test(title.text)
    if (day?.kind !== 'text' || !isShort || below?.kind !== 'blank') return []
    return withTitle(entry, { at: entry.at + 1, title: title.text })
  })
  return titled.length === entries.length ? titled : entries
}

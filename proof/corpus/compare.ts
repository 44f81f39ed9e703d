import type { Expected, ExpectedVersion } from './counting/count.ts'
import { headingsMissing } from './counting/headings.ts'

/** A version as the importer stored it. */
export interface FoundVersion {
  label: string
  title: string
  /** As `2024-01-02`; null if the file gave none. */
  day: string | null
  /** Whether nobody sees it, also if it is scheduled. */
  isDraft: boolean
  titles: string[]
  /** Its text in the exported file. */
  exported: string
}

/** What the importer did not find, of what was expected. */
export interface Missing {
  versions: ExpectedVersion[]
  /** Versions that were found without their day, or with another. */
  days: { expected: ExpectedVersion; found: string | null }[]
  items: string[]
  /** Headings of sections that the export does not give back. */
  headings: string[]
  /** Labels that nothing expected. */
  surplus: string[]
}

export function compare(expected: Expected, found: FoundVersion[]): Missing {
  const missing: Missing = { versions: [], days: [], items: [], headings: [], surplus: [] }
  const byNumber = Map.groupBy(found, ({ label, day }) =>
    /\d\.[\dx]/.test(label) ? identity(label) : (day ?? identity(label)),
  )
  // of versions with one number, as some files have, either may be meant
  const textOf = new Map([...byNumber].map(([number, same]) => [number, exportedText(same)]))
  for (const version of expected.versions) {
    const candidates = byNumber.get(identity(version.number)) ?? []
    const at = Math.max(
      0,
      candidates.findIndex(({ day }) => day === version.day),
    )
    const [match] = candidates.splice(at, 1)
    const exported = textOf.get(identity(version.number)) ?? exportedText(found)
    missing.headings.push(...headingsMissing(version.headings, exported))
    if (match === undefined) missing.versions.push(version)
    else if (version.day !== null && match.day !== version.day)
      missing.days.push({ expected: version, found: match.day })
  }
  // what the importer takes for a version, and the count for a heading, is back as such
  const surplus = [...byNumber.values()].flat()
  for (const { exported } of surplus) missing.headings = headingsMissing(missing.headings, exported)
  missing.surplus = surplus.map(({ label }) => label)
  missing.items = itemsMissing(
    expected.items,
    found.flatMap(({ titles }) => titles),
  )
  return missing
}

const exportedText = (versions: FoundVersion[]): string => versions.map(({ exported }) => exported).join('\n')

/** The number in a label, without what the importer puts in front and behind of it: `v1.2.0 (2)`, `name@1.2.0`. */
export function identity(label: string): string {
  const plain = label.toLowerCase().replace(/ \(\d+\)$/, '')
  if (/^un-?released/.test(plain)) return 'unreleased'
  if (/^\d{4}-\d{2}-\d{2}$/.test(plain)) return plain
  const number = /\d+(?:\.(?:\d+|x\b))+(?:[-+._]?[0-9a-z]+)*/.exec(
    plain.replace(/\d{4}-\d{2}-\d{2}/, ''),
  )?.[0]
  return number ?? plain
}

/** Items no title begins with. Links count by their text; a title may have its section's name in front. */
function itemsMissing(items: string[], titles: string[]): string[] {
  const keys = titles
    .flatMap((title) => [title, title.replace(/^.{1,200}?: /, ''), title.replace(/^\*\*.{1,200}?:\*\* /, '')])
    .map(letters)
    .sort()
  const counts = new Map<string, number>()
  const missing: string[] = []
  for (const item of items) {
    const key = letters(item).slice(0, 24)
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    const taken = counts.get(key) ?? 0
    if (keys[low + taken]?.startsWith(key)) counts.set(key, taken + 1)
    else missing.push(item)
  }
  return missing
}

export function letters(markdown: string): string {
  return markdown
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

import { compare } from './compare.ts'
import type { Expected } from './counting/count.ts'
import { wordsMissing } from './counting/words.ts'
import type { File } from './download.ts'
import { inventedBy } from './invented.ts'
import type { Imported, Refused } from './program.ts'
import type { Released } from './releases.ts'

/** The least share that is found over all files. */
const TARGETS = { versions: 0.998, dates: 0.995, items: 0.998, headings: 1 }

/** What was found, of what was expected. */
export type Share = [found: number, expected: number]

/** What the import of a file found. */
export interface FileRow {
  name: string
  kilobytes: number
  refusal: string | null
  versions: Share
  dates: Share
  items: Share
  headings: Share
  /** What the file does not say: see `Invented`. */
  invented: { versions: number; dates: number; hidden: number }
  /** How many words the export has fewer of. */
  lost: number
  warnings: number
  stable: boolean
}

/** With `isVerbose` it prints what is missing, and what is invented. */
export function rowOf(
  { name, text }: File,
  expected: Expected,
  imported: Imported | Refused,
  isVerbose: boolean,
  released: Released = null,
): FileRow {
  const { versions, items } = expected
  const dated = versions.filter(({ day }) => day !== null).length
  const headings = versions.reduce((sum, version) => sum + version.headings.length, 0)
  const share = (all: number, missing: number): Share => [all - missing, all]
  const row = { name, kilobytes: Math.round(Buffer.byteLength(text) / 1024) }
  if ('refusal' in imported)
    return {
      ...row,
      ...{ versions: share(versions.length, versions.length), dates: share(dated, dated) },
      ...{ items: share(items.length, items.length), headings: share(headings, headings) },
      invented: { versions: 0, dates: 0, hidden: 0 },
      ...{ refusal: imported.refusal, lost: 0, warnings: 0, stable: true },
    }
  const missing = compare(expected, imported.versions)
  const invented = inventedBy(text, expected, missing, imported.versions, released)
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const lost = wordsMissing(lines, expected.headingLines, imported.markdown)
  if (isVerbose) {
    const say = (line: number | null, what: string) =>
      console.error(`${name}${line === null ? '' : `:${line + 1}`}: ${what}`)
    for (const one of missing.versions) say(one.line, `no version: ${one.text}`)
    for (const { expected: one, found } of missing.days)
      say(one.line, `${found ?? 'no date'} instead of ${one.day}: ${one.text}`)
    for (const item of missing.items.slice(0, 8)) say(null, `item missing: ${item}`)
    for (const heading of missing.headings.slice(0, 8)) say(null, `heading missing: ${heading}`)
    for (const label of missing.surplus) say(null, `not expected: ${label}`)
    for (const [what, all] of Object.entries(invented))
      for (const one of all) say(null, `invented ${what}: ${one}`)
    if (lost.length > 0) say(null, `words lost: ${lost.slice(0, 30).join(' ')}`)
  }
  const undated = missing.versions.filter(({ day }) => day !== null).length
  return {
    ...row,
    versions: share(versions.length, missing.versions.length),
    dates: share(dated, missing.days.length + undated),
    items: share(items.length, missing.items.length),
    headings: share(headings, missing.headings.length),
    invented: {
      versions: invented.versions.length,
      dates: invented.dates.length,
      hidden: invented.hidden.length,
    },
    ...{ refusal: null, lost: lost.length, warnings: imported.warnings, stable: imported.stable },
  }
}

/** What is below its target, over all files or in one. `refusals` are those that are right, by the name of the file. */
export function missedTargets(
  rows: readonly FileRow[],
  refusals: Readonly<Record<string, string>>,
  least?: number,
): string[] {
  const fields = ['versions', 'dates', 'items', 'headings'] as const
  return [
    ...fields.flatMap((field) => {
      const [found, expected] = total(rows, field)
      return found < expected * (least ?? TARGETS[field]) ? [`${field}: ${found} of ${expected}`] : []
    }),
    ...rows.flatMap(({ name, refusal, lost, stable }) => [
      ...(refusal !== null && refusals[name] === undefined ? [`${name}: ${refusal}`] : []),
      ...(lost > 0 ? [`${name}: ${lost} words lost`] : []),
      ...(stable ? [] : [`${name}: the exported file reads differently`]),
    ]),
  ]
}

export function total<K extends string>(rows: readonly Record<K, Share>[], field: K): Share {
  return rows.reduce<Share>(([a, b], row) => [a + row[field][0], b + row[field][1]], [0, 0])
}

export const wordsLost = (rows: readonly FileRow[]): number => rows.reduce((sum, { lost }) => sum + lost, 0)

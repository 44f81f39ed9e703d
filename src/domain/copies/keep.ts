import { DAY_MS } from '../time/time.ts'
import type { NamedCopy } from './copy-name.ts'

/** How many copies to keep: the newest of so many days, weeks or months each. */
export type Keep = readonly { count: number; unit: Unit }[]

type Unit = 'd' | 'w' | 'm'

/** `7d,4w,12m`, or null if it is not of that form. */
export function parseKeep(text: string): Keep | null {
  const parts = text.split(',').map((part) => /^([1-9]\d{0,3})([dwm])$/.exec(part.trim()))
  return parts.every((part) => part !== null)
    ? parts.map(([, count, unit]) => ({ count: Number(count), unit: unit as Unit }))
    : null
}

/** The first Monday. */
const MONDAY_MS = 4 * DAY_MS

/** The day, week or month of a time, in UTC. */
const PERIODS: Readonly<Record<Unit, (at: number) => string | number>> = {
  d: (at) => Math.floor(at / DAY_MS),
  w: (at) => Math.floor((at - MONDAY_MS) / (7 * DAY_MS)),
  m: (at) => new Date(at).toISOString().slice(0, 7),
}

/** The copies that are not to be kept. Days, weeks and months without a copy do not count; the newest is always kept. */
export function superfluous<Copy extends NamedCopy>(copies: readonly Copy[], keep: Keep): Copy[] {
  const newestFirst = copies.toSorted((one, other) => other.at - one.at)
  const kept = new Set(newestFirst.slice(0, 1))
  for (const { count, unit } of keep) {
    const periods = new Map(newestFirst.toReversed().map((copy) => [PERIODS[unit](copy.at), copy]))
    for (const copy of [...periods.values()].toReversed().slice(0, count)) kept.add(copy)
  }
  return newestFirst.filter((copy) => !kept.has(copy))
}

/** What is measured, in the form in which it is compared, printed and written down. */

/** One candidate's figure: every sample, and the median by which it is compared. */
export interface Figure {
  name: string
  unit: Unit
  median: number
  samples: number[]
  /** Processor time of the server for one request, in microseconds. */
  processor?: number
}

export type Unit = 'requests/s' | 's' | 'ms' | 'µs' | 'MiB'

/** One figure measured by another, and what the ratio should be. */
export interface Comparison {
  of: string
  against: string
  ratio: number
  /** Null where there is none: the ratio is told for what it is. */
  target: Target | null
  met: boolean | null
}

export interface Target {
  at: 'least' | 'most'
  ratio: number
}

/** What one row of the table of targets says. */
export interface RowResult {
  title: string
  figures: Figure[]
  comparisons: Comparison[]
  /** What a reader has to know to take the figures for what they are. */
  note?: string
}

export function figure(name: string, unit: Unit, samples: number[], processor?: number[]): Figure {
  return {
    name,
    unit,
    median: round(median(samples)),
    samples: samples.map(round),
    ...(processor ? { processor: round(median(processor)) } : {}),
  }
}

export function compare(figures: Figure[], of: string, against: string, target: Target | null): Comparison {
  const ratio = medianOf(figures, of) / medianOf(figures, against)
  const met = target && (target.at === 'least' ? ratio >= target.ratio : ratio <= target.ratio)
  return { of, against, ratio: Math.round(ratio * 1_000) / 1_000, target, met }
}

export const atLeast = (ratio: number): Target => ({ at: 'least', ratio })
export const atMost = (ratio: number): Target => ({ at: 'most', ratio })

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2
}

/** The value below which this share of the samples is. */
export const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN

function medianOf(figures: Figure[], name: string): number {
  const found = figures.find((figure) => figure.name === name)
  if (!found) throw new Error(`There is no figure of ${name}.`)
  return found.median
}

/** Four digits are more than the noise leaves. */
const round = (value: number): number => Number(value.toPrecision(4))

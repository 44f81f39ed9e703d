export type Labels = Readonly<Record<string, string>>

/** Metrics of the same name are one metric, with the series of all. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly series: readonly Labels[]
  /** Upper bounds of buckets, in seconds. */
  readonly bounds: readonly number[]
}

export const NO_LABELS: readonly Labels[] = [{}]

const describe =
  (type: Metric['type']) =>
  (name: string, help: string, series = NO_LABELS, bounds: readonly number[] = []): Metric => ({
    type,
    name,
    help,
    series,
    bounds,
  })
export const counter = describe('counter')
export const gauge = describe('gauge')
export const histogram = describe('histogram')

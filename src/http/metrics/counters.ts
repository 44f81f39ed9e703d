import type { Metric } from '../../log/metric.ts'
import { CACHE_RESULTS, type CacheResult, SURFACES, type Surface } from '../request/trace.ts'
import { METRICS, type MetricName, STATUSES } from './metrics.ts'

export interface Usage {
  readonly bytes: number
  readonly entries: number
}

/** The interval at which the event loop lag is sampled. */
const SAMPLE_MS = 100

/** The numbers of one serving thread. Counting a request takes nanoseconds. */
export class Counters {
  private readonly row: Float64Array
  usage: () => Usage = () => ({ bytes: 0, entries: 0 })

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.row = rowOf(memory, thread)
  }

  request(surface: Surface, status: number, cache: CacheResult, ms: number): void {
    const index = SURFACES.indexOf(surface)
    const cell = cellOf('requests', requestSeries(index, status, cache))
    ;(this.row[cell] as number)++
    observe(this.row, 'durations', index, ms / 1000)
  }

  add(name: MetricName): void {
    ;(this.row[cellOf(name)] as number)++
  }

  /** Samples event loop lag and cache size. Returns how to stop. */
  sample(): () => void {
    let due = performance.now() + SAMPLE_MS
    const timer = setInterval(() => {
      const at = performance.now()
      observe(this.row, 'lags', 0, Math.max(0, at - due) / 1000)
      due = at + SAMPLE_MS
      const { bytes, entries } = this.usage()
      this.row[cellOf('cacheBytes')] = bytes
      this.row[cellOf('cacheEntries')] = entries
    }, SAMPLE_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
}

/**
 * The numbers of serving threads: a row of cells for each, in shared memory. Only its thread writes to a row, so no
 * lock is needed, and the main thread can read all rows at any time. A thread that replaces another continues its row,
 * so that no counter goes back.
 */

/** One cell per series. In a histogram one per bucket, one above them, and one for the sum. */
export const seriesCells = ({ type, bounds }: Metric): number =>
  type === 'histogram' ? bounds.length + 2 : 1

let rowCells = 0
const FIRST_CELLS = Object.fromEntries(
  Object.entries(METRICS).map(([name, metric]) => {
    const first = rowCells
    rowCells += metric.series.length * seriesCells(metric)
    return [name, first]
  }),
) as Record<MetricName, number>
const ROW_BYTES = rowCells * Float64Array.BYTES_PER_ELEMENT

export const createMemory = (threads: number): SharedArrayBuffer => new SharedArrayBuffer(threads * ROW_BYTES)

export const rowOf = (memory: SharedArrayBuffer, thread: number): Float64Array =>
  new Float64Array(memory, thread * ROW_BYTES, rowCells)

export const rowsOf = (memory: SharedArrayBuffer): Float64Array[] =>
  Array.from({ length: memory.byteLength / ROW_BYTES }, (_, thread) => rowOf(memory, thread))

/** An ended thread has nothing cached. */
export const endRow = (memory: SharedArrayBuffer, thread: number): void => {
  const row = rowOf(memory, thread)
  for (const name of ['cacheBytes', 'cacheEntries'] as const) row[cellOf(name)] = 0
}

export const cellOf = (name: MetricName, series = 0): number =>
  FIRST_CELLS[name] + series * seriesCells(METRICS[name])

/** By the indices of surface, status and cache result. */
export const requestSeries = (surface: number, status: number, cache: CacheResult): number =>
  (surface * (STATUSES.length + 1) + statusIndex(status)) * CACHE_RESULTS.length +
  CACHE_RESULTS.indexOf(cache)

function statusIndex(status: number): number {
  const known = STATUSES.indexOf(status)
  return known < 0 ? STATUSES.length : known
}

export function observe(row: Float64Array, name: MetricName, series: number, value: number): void {
  const { bounds } = METRICS[name]
  const cell = cellOf(name, series)
  let bucket = 0
  while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
  ;(row[cell + bucket] as number)++
  ;(row[cell + bounds.length + 1] as number) += value
}

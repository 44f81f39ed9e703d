import { CACHE_RESULTS, type CacheResult } from '../pipeline/trace.ts'
import { SURFACES } from '../routes.ts'

/**
 * Where the numbers of a serving thread are: a row of cells for each thread, in memory that all threads share. Only the
 * thread itself writes to its row, so it needs no lock, and the main thread can read all rows at any time, whatever the others
 * are doing. A thread that replaces another one goes on with its row, so that no counter goes back.
 */

/** The statuses that are counted by themselves; all others are counted together. */
export const STATUSES: readonly number[] = [200, 204, 302, 304, 400, 401, 403, 404, 405, 429, 500, 503]

/** The upper bounds of the buckets of the two histograms, in seconds. */
export const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
] as const
export const LAGS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

/** What is counted one by one. */
const COUNTERS = [
  'limitedRequests',
  'limitedLogins',
  'failedLogins',
  'unauthorizedKeys',
  'forbiddenKeys',
  'revisionChanges',
  'storeErrors',
] as const
export type CounterName = (typeof COUNTERS)[number]

/** What is measured now and then. */
const GAUGES = ['cacheBytes', 'cacheEntries'] as const
export type GaugeName = (typeof GAUGES)[number]

/** A histogram takes a cell for each bucket, one for what is above, and one for the sum. */
const histogramCells = (bounds: readonly number[]): number => bounds.length + 2

const REQUEST_CELLS = SURFACES.length * (STATUSES.length + 1) * CACHE_RESULTS.length
const DURATION_CELLS = SURFACES.length * histogramCells(DURATIONS)
const DURATIONS_AT = REQUEST_CELLS
const LAGS_AT = DURATIONS_AT + DURATION_CELLS
const COUNTERS_AT = LAGS_AT + histogramCells(LAGS)
const GAUGES_AT = COUNTERS_AT + COUNTERS.length
const ROW_BYTES = (GAUGES_AT + GAUGES.length) * Float64Array.BYTES_PER_ELEMENT

export const createMemory = (threads: number): SharedArrayBuffer => new SharedArrayBuffer(threads * ROW_BYTES)

/** The cells of one thread. */
export const rowOf = (memory: SharedArrayBuffer, thread: number): Float64Array =>
  new Float64Array(memory, thread * ROW_BYTES, ROW_BYTES / Float64Array.BYTES_PER_ELEMENT)

export const rowsOf = (memory: SharedArrayBuffer): Float64Array[] =>
  Array.from({ length: memory.byteLength / ROW_BYTES }, (_, thread) => rowOf(memory, thread))

/** Notes that a thread has ended: it has nothing cached any more. */
export const endRow = (memory: SharedArrayBuffer, thread: number): void => {
  rowOf(memory, thread).fill(0, GAUGES_AT)
}

/** The number of a status, in `STATUSES` or after them. */
export const statusNumber = (status: number): number => STATUS_NUMBERS[status] ?? STATUSES.length

const STATUS_NUMBERS = Uint8Array.from({ length: 600 }, (_, status) => {
  const known = STATUSES.indexOf(status)
  return known < 0 ? STATUSES.length : known
})

/** The number of a result of the cache, in `CACHE_RESULTS`. */
export const cacheNumber = (cache: CacheResult): number =>
  // Almost all requests.
  cache === 'hit' ? HIT : CACHE_RESULTS.indexOf(cache)

const HIT = CACHE_RESULTS.indexOf('hit')

/** Where the cell of each kind is, by the numbers of what it counts. */
export const requestCell = (surface: number, status: number, cache: number): number =>
  (surface * (STATUSES.length + 1) + status) * CACHE_RESULTS.length + cache
export const durationCell = (surface: number): number => DURATIONS_AT + surface * histogramCells(DURATIONS)
export const LAG_CELL = LAGS_AT
export const counterCell = (name: CounterName): number => COUNTERS_AT + COUNTERS.indexOf(name)
export const gaugeCell = (name: GaugeName): number => GAUGES_AT + GAUGES.indexOf(name)

/** Adds a value to the histogram that begins at a cell. */
export function observe(row: Float64Array, cell: number, bounds: readonly number[], value: number): void {
  let bucket = 0
  while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
  ;(row[cell + bucket] as number)++
  ;(row[cell + bounds.length + 1] as number) += value
}

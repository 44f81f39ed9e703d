import { type CacheResult, SURFACES, type Surface } from '../request/trace.ts'
import { cellOf, observe, requestSeries, rowOf } from './cells.ts'
import type { MetricName } from './metrics.ts'

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

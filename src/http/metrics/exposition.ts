import { AggregatorRegistry } from 'prom-client'
import { CACHE_RESULTS } from '../pipeline/trace.ts'
import { SURFACES } from '../routes.ts'
import {
  type CounterName,
  counterCell,
  DURATIONS,
  durationCell,
  type GaugeName,
  gaugeCell,
  LAG_CELL,
  LAGS,
  requestCell,
  rowsOf,
  STATUSES,
} from './cells.ts'

type Labels = Readonly<Record<string, string>>

/** A metric as prom-client takes it from other processes; it adds up those of the same name and labels. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly aggregator: 'sum'
  readonly values: readonly { value: number; labels: Labels; metricName?: string }[]
}

/** What is known of the server as a whole. */
export interface Build {
  readonly version: string
  /** Empty if it is not known. */
  readonly commit: string
  readonly engine: string
  readonly schema: number
}

/** All metrics in the text format of Prometheus: the sum of all threads, and what the process has once. */
export function metricsText(memory: SharedArrayBuffer, build: Build, cacheMaxBytes: number): Promise<string> {
  const rows = rowsOf(memory)
  const once = [...ofProcess(), ...ofServer(rows.length, build, cacheMaxBytes)]
  return AggregatorRegistry.aggregate([...rows.map(ofThread), once]).metrics()
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

function ofThread(row: Float64Array): Metric[] {
  const one = (cell: number, labels: Labels = {}) => ({ value: row[cell] ?? 0, labels })
  const counter = (name: CounterName, labels?: Labels) => one(counterCell(name), labels)
  const gauge = (name: GaugeName) => [one(gaugeCell(name))]
  return [
    {
      ...counted('changelogd_requests_total', 'Requests, by surface, status and result of the cache.'),
      values: requestValues(row),
    },
    {
      ...histogram('changelogd_request_duration_seconds', 'Time until a response was ready, by surface.'),
      values: SURFACES.flatMap((surface, number) =>
        histogramValues('changelogd_request_duration_seconds', row, durationCell(number), DURATIONS, {
          surface,
        }),
      ),
    },
    {
      ...counted('changelogd_limiter_refusals_total', 'Requests refused with 429, by the limit that did.'),
      values: [
        counter('limitedRequests', { limit: 'requests' }),
        counter('limitedLogins', { limit: 'failed_logins' }),
      ],
    },
    {
      ...counted('changelogd_failed_logins_total', 'Wrong passwords at the gate of password protection.'),
      values: [counter('failedLogins')],
    },
    {
      ...counted('changelogd_keys_refused_total', 'Keyed requests refused: with 401, or with 403.'),
      values: [
        counter('unauthorizedKeys', { reason: 'unauthorized' }),
        counter('forbiddenKeys', { reason: 'forbidden' }),
      ],
    },
    {
      ...counted(
        'changelogd_revision_changes_total',
        'Times a thread found that the data had changed, and dropped its cache.',
      ),
      values: [counter('revisionChanges')],
    },
    {
      ...counted('changelogd_store_errors_total', 'Reads of the database that failed.'),
      values: [counter('storeErrors')],
    },
    { ...gauged('changelogd_cache_bytes', 'Memory that cached entries take.'), values: gauge('cacheBytes') },
    { ...gauged('changelogd_cache_entries', 'Entries in the cache.'), values: gauge('cacheEntries') },
    {
      ...histogram('changelogd_event_loop_lag_seconds', 'How late a timer of each thread fired.'),
      values: histogramValues('changelogd_event_loop_lag_seconds', row, LAG_CELL, LAGS, {}),
    },
  ]
}

/** Only what has been counted: most of the combinations never come up. */
function requestValues(row: Float64Array): Metric['values'] {
  return SURFACES.flatMap((surface, surfaceAt) =>
    [...STATUSES, 'other'].flatMap((status, statusAt) =>
      CACHE_RESULTS.flatMap((cache, cacheAt) => {
        const value = row[requestCell(surfaceAt, statusAt, cacheAt)] ?? 0
        return value > 0 ? [{ value, labels: { surface, status: String(status), cache } }] : []
      }),
    ),
  )
}

/** A bucket of Prometheus counts what is in all below it as well. */
function histogramValues(
  name: string,
  row: Float64Array,
  cell: number,
  bounds: readonly number[],
  labels: Labels,
): Metric['values'] {
  let count = 0
  const buckets = [...bounds.map(String), '+Inf'].map((le, bucket) => {
    count += row[cell + bucket] ?? 0
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` }
  })
  const sum = row[cell + bounds.length + 1] ?? 0
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ]
}

function ofServer(threads: number, { schema, ...build }: Build, cacheMaxBytes: number): Metric[] {
  const labels = { ...build, schema: String(schema) }
  return [
    single(gauged('changelogd_threads', 'Serving threads.'), threads),
    single(gauged('changelogd_cache_max_bytes', 'Memory for the cache: CACHE_MAX_BYTES.'), cacheMaxBytes),
    single(gauged('changelogd_build_info', 'What is running.'), 1, labels),
  ]
}

function ofProcess(): Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    single(gauged('process_resident_memory_bytes', 'Memory in use (RSS).'), process.memoryUsage.rss()),
    single(counted('process_cpu_seconds_total', 'Processor time used.'), (user + system) / 1e6),
    single(gauged('process_start_time_seconds', 'When the process started.'), performance.timeOrigin / 1000),
  ]
}

const describe = (type: Metric['type']) => (name: string, help: string) =>
  ({ name, help, type, aggregator: 'sum' }) as const

const counted = describe('counter')
const gauged = describe('gauge')
const histogram = describe('histogram')

const single = (metric: Omit<Metric, 'values'>, value: number, labels: Labels = {}): Metric => ({
  ...metric,
  values: [{ value, labels }],
})

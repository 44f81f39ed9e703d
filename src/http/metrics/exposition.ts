import { gauge, type Labels, type Metric } from '../../log/metric.ts'
import { ofProcess, type Sampled, samplesText, seriesOf, single } from '../../log/prometheus.ts'
import { cellOf, rowsOf } from './counters.ts'
import { METRICS, type MetricName } from './metrics.ts'

type Build = Readonly<Record<'version' | 'commit' | 'engine', string> & { schema: number }>

/** All metrics in Prometheus' text format: the sum over threads, and those of the process. */
export function metricsText(memory: SharedArrayBuffer, build: Build, cacheMaxBytes: number): Promise<string> {
  const rows = rowsOf(memory)
  const once = [...ofProcess(), ...ofServer(rows.length, build, cacheMaxBytes)]
  return samplesText(...rows.map(ofThread), once)
}

const ofThread = (row: Float64Array): Sampled[] =>
  (Object.keys(METRICS) as MetricName[]).map((name) => {
    const metric = METRICS[name]
    const values = metric.series.flatMap((labels, series) =>
      seriesValues(metric, row.subarray(cellOf(name, series)), labels),
    )
    // Most combinations of labels never occur.
    return seriesOf(metric, name === 'requests' ? values.filter(({ value }) => value > 0) : values)
  })

function seriesValues(
  { type, name, bounds }: Metric,
  cells: Float64Array,
  labels: Labels,
): Sampled['values'] {
  const [first = 0] = cells
  if (type !== 'histogram') return [{ value: first, labels }]
  let count = 0
  // Buckets of Prometheus are cumulative.
  const buckets = [...bounds.map(String), '+Inf'].map((le, bucket) => {
    count += cells[bucket] ?? 0
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` }
  })
  const sum = cells[bounds.length + 1] ?? 0
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ]
}

function ofServer(threads: number, { schema, ...build }: Build, cacheMaxBytes: number): Sampled[] {
  const labels = { ...build, schema: String(schema) }
  return [
    single(gauge('changelogd_threads', 'Serving threads.'), threads),
    single(gauge('changelogd_cache_max_bytes', 'Memory for the cache: CACHE_MAX_BYTES.'), cacheMaxBytes),
    single(gauge('changelogd_build_info', 'Version of the running program.'), 1, labels),
  ]
}

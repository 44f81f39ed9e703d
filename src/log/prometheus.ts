import { AggregatorRegistry } from 'prom-client'
import { counter, gauge, type Labels, type Metric } from './metric.ts'

/** As prom-client takes it from other processes; equal names and labels are added up. */
export interface Sampled extends Metric {
  readonly aggregator: 'sum'
  readonly values: readonly { value: number; labels: Labels; metricName?: string }[]
}

/** The sum of these groups in Prometheus' text format. */
export const samplesText = (...groups: Sampled[][]): Promise<string> =>
  AggregatorRegistry.aggregate(groups).metrics()

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function ofProcess(): Sampled[] {
  const { user, system } = process.cpuUsage()
  return [
    single(gauge('process_resident_memory_bytes', 'Memory in use (RSS).'), process.memoryUsage.rss()),
    single(counter('process_cpu_seconds_total', 'Processor time used.'), (user + system) / 1e6),
    single(gauge('process_start_time_seconds', 'When the process started.'), performance.timeOrigin / 1000),
  ]
}

export const single = (metric: Metric, value: number, labels: Labels = {}): Sampled =>
  seriesOf(metric, [{ value, labels }])

export const seriesOf = (metric: Metric, values: Sampled['values']): Sampled => ({
  ...metric,
  aggregator: 'sum',
  values,
})

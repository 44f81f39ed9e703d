import { ofProcess, samplesText, seriesOf } from './exposition.ts'
import { counter, gauge } from './metrics.ts'

/** What a worker counts: see worker/following/stats.ts. */
export interface WorkerCounts {
  readonly checks: Readonly<Record<string, number>>
  readonly changes: number
  readonly sources: Readonly<Record<string, number>>
  readonly failing: ReadonlyMap<string, number>
}

/** The metrics of a worker in Prometheus' text format. */
export const workerMetricsText = ({ checks, changes, sources, failing }: WorkerCounts): Promise<string> =>
  samplesText([
    ...ofProcess(),
    seriesOf(
      counter('changelogd_source_checks_total', 'Checks of sources, by how they ended.'),
      Object.entries(checks).map(([result, value]) => ({ value, labels: { result } })),
    ),
    seriesOf(counter('changelogd_source_changes_total', 'Checks that changed a changelog.'), [
      { value: changes, labels: {} },
    ]),
    seriesOf(
      gauge('changelogd_source_count', 'Sources that are followed, by state.'),
      Object.entries(sources).map(([state, value]) => ({ value, labels: { state } })),
    ),
    seriesOf(
      gauge('changelogd_source_failing_since_seconds', 'Since when each failing source fails.'),
      [...failing].map(([product, since]) => ({ value: since / 1_000, labels: { product } })),
    ),
  ])

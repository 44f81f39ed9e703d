import type { CopyStats } from '../../worker/copying/copy-job.ts'
import { ofProcess, samplesText, seriesOf, single } from './exposition.ts'
import { counter, gauge, type Metric } from './metrics.ts'

/** A worker counts: see worker/following/report.ts, announce/job.ts and worker/copying/copy-job.ts. */
export interface WorkerCounts {
  readonly checks: Readonly<Record<string, number>>
  readonly changes: number
  readonly sources: Readonly<Record<string, number>>
  readonly failing: ReadonlyMap<string, number>
  readonly deliveries: Readonly<Record<string, number>>
  readonly hooks: Readonly<Record<string, number>>
  /** Null if it makes no copies. */
  readonly copies: CopyStats | null
}

/** The metrics of a worker in Prometheus' text format. */
export const workerMetricsText = (counts: WorkerCounts): Promise<string> => {
  const { checks, changes, sources, failing, deliveries, hooks, copies } = counts
  return samplesText([
    ...ofProcess(),
    by('result', checks, counter('changelogd_source_checks_total', 'Checks of sources, by how they ended.')),
    single(counter('changelogd_source_changes_total', 'Checks that changed a changelog.'), changes),
    by('state', sources, gauge('changelogd_sources', 'Sources that are followed, by state.')),
    seriesOf(
      gauge('changelogd_source_failing_since_seconds', 'Since when each failing source fails.'),
      [...failing].map(([product, since]) => ({ value: since / 1_000, labels: { product } })),
    ),
    by(
      'result',
      deliveries,
      counter('changelogd_hook_deliveries_total', 'Tries of deliveries to hooks, by how they ended.'),
    ),
    by('state', hooks, gauge('changelogd_hooks', 'Hooks that fail, or were disabled because of that.')),
    ...(copies ? ofCopies(copies) : []),
  ])
}

const by = (label: string, counts: Readonly<Record<string, number>>, metric: Metric) =>
  seriesOf(
    metric,
    Object.entries(counts).map(([name, value]) => ({ value, labels: { [label]: name } })),
  )

const ofCopies = ({ results, every, newestAt, verifiedAt, isFaulty }: CopyStats) => [
  by(
    'result',
    results,
    counter('changelogd_copies_total', 'Tries to copy the database to a bucket, by how they ended.'),
  ),
  single(gauge('changelogd_copy_interval_seconds', 'How often copies are to be made.'), every / 1_000),
  single(
    gauge('changelogd_copy_newest_timestamp_seconds', 'When the newest good copy was made; 0 without one.'),
    newestAt / 1_000,
  ),
  single(
    gauge(
      'changelogd_copy_verified_timestamp_seconds',
      'When the newest copy was last found good; 0 for never.',
    ),
    verifiedAt / 1_000,
  ),
  single(
    gauge('changelogd_copy_faulty', 'Whether the newest copy was not good when it was last tried.'),
    Number(isFaulty),
  ),
]

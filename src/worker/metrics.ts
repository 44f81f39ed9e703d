import { counter, gauge, type Metric } from '../log/metric.ts'
import { ofProcess, samplesText, seriesOf, single } from '../log/prometheus.ts'
import type { BackupStats } from './backups/backup-job.ts'

/** The counts of a worker: see worker/following/report.ts, announce/job.ts and worker/backups/backup-job.ts. */
interface WorkerCounts {
  readonly checks: Readonly<Record<string, number>>
  readonly changes: number
  readonly sources: Readonly<Record<string, number>>
  readonly failing: ReadonlyMap<string, number>
  readonly deliveries: Readonly<Record<string, number>>
  readonly hooks: Readonly<Record<string, number>>
  readonly givenUp: number
  /** Null if it makes no backups. */
  readonly copies: BackupStats | null
}

export const workerMetricsText = (counts: WorkerCounts): Promise<string> => {
  const { checks, changes, sources, failing, deliveries, hooks, givenUp, copies } = counts
  return samplesText([
    ...ofProcess(),
    by('result', checks, counter('changelogd_source_checks_total', 'Checks of sources, by result.')),
    single(counter('changelogd_source_changes_total', 'Checks that changed a changelog.'), changes),
    by('state', sources, gauge('changelogd_sources', 'Sources, by state.')),
    seriesOf(
      gauge('changelogd_source_failing_since_seconds', 'When each failing source started to fail.'),
      [...failing].map(([product, since]) => ({ value: since / 1_000, labels: { product } })),
    ),
    by(
      'result',
      deliveries,
      counter('changelogd_hook_deliveries_total', 'Delivery attempts to hooks, by result.'),
    ),
    by('state', hooks, gauge('changelogd_hooks', 'Hooks that are failing, or were disabled after failing.')),
    single(
      gauge(
        'changelogd_hook_deliveries_given_up',
        'Deliveries given up, and not replayed or dismissed since.',
      ),
      givenUp,
    ),
    ...(copies ? ofBackups(copies) : []),
  ])
}

const by = (label: string, counts: Readonly<Record<string, number>>, metric: Metric) =>
  seriesOf(
    metric,
    Object.entries(counts).map(([name, value]) => ({ value, labels: { [label]: name } })),
  )

const ofBackups = ({ results, every, newestAt, verifiedAt, isFaulty }: BackupStats) => [
  by('result', results, counter('changelogd_copies_total', 'Backup attempts to a bucket, by result.')),
  single(gauge('changelogd_copy_interval_seconds', 'Interval of backups.'), every / 1_000),
  single(
    gauge('changelogd_copy_newest_timestamp_seconds', 'When the newest good backup was made, or 0.'),
    newestAt / 1_000,
  ),
  single(
    gauge('changelogd_copy_verified_timestamp_seconds', 'When the newest backup was last verified, or 0.'),
    verifiedAt / 1_000,
  ),
  single(
    gauge('changelogd_copy_faulty', 'Whether the last verification of the newest backup failed.'),
    Number(isFaulty),
  ),
]

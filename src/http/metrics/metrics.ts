import { counter, gauge, histogram, type Labels, NO_LABELS } from '../../log/metric.ts'
import { CACHE_RESULTS, SURFACES } from '../request/trace.ts'

/** Statuses with counters of their own; all others are counted together. */
export const STATUSES: readonly number[] = [200, 204, 302, 304, 400, 401, 403, 404, 405, 429, 500, 503]

const REFUSALS = ['changelogd_limiter_refusals_total', 'Requests refused with 429, by limit.'] as const
const REFUSED_KEYS = ['changelogd_keys_refused_total', 'Keyed requests refused with 401 or 403.'] as const

/** The metrics of each serving thread. */
export const METRICS = {
  requests: counter(
    'changelogd_requests_total',
    'Requests, by surface, status and result of the cache.',
    combined({ surface: SURFACES, status: [...STATUSES.map(String), 'other'], cache: CACHE_RESULTS }),
  ),
  durations: histogram(
    'changelogd_request_duration_seconds',
    'Time until a response was ready, by surface.',
    combined({ surface: SURFACES }),
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ),
  limitedRequests: counter(...REFUSALS, [{ limit: 'requests' }]),
  limitedLogins: counter(...REFUSALS, [{ limit: 'failed_logins' }]),
  failedLogins: counter('changelogd_failed_logins_total', 'Wrong passwords for password protection.'),
  unauthorizedKeys: counter(...REFUSED_KEYS, [{ reason: 'unauthorized' }]),
  forbiddenKeys: counter(...REFUSED_KEYS, [{ reason: 'forbidden' }]),
  revisionChanges: counter(
    'changelogd_revision_changes_total',
    'Times a thread had to check its cache because the data had changed.',
  ),
  storeErrors: counter('changelogd_store_errors_total', 'Failed database reads.'),
  cacheBytes: gauge('changelogd_cache_bytes', 'Memory used by the cache.'),
  cacheEntries: gauge('changelogd_cache_entries', 'Entries in the cache.'),
  lags: histogram(
    'changelogd_event_loop_lag_seconds',
    'Event loop delay of each thread.',
    NO_LABELS,
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  ),
}
export type MetricName = keyof typeof METRICS

/** Every combination of label values; the last label changes first. */
function combined(values: Record<string, readonly string[]>): Labels[] {
  let all: Labels[] = [{}]
  for (const [name, own] of Object.entries(values))
    all = all.flatMap((labels) => own.map((value) => ({ ...labels, [name]: value })))
  return all
}

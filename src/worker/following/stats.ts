import { address, type Instant, type Source } from '../../domain/records.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'
import type { Followed } from '../../store/records/types.ts'
import { isMisdated } from './schedule.ts'
import { isChanged, type SyncOutcome } from './sync-source.ts'

/** What a worker has counted since it started, and the state of the sources at its last look, for its metrics. */
export class FollowStats {
  readonly checks: Record<SyncOutcome['state'], number> = {
    unchanged: 0,
    imported: 0,
    postponed: 0,
    failed: 0,
  }
  changes = 0
  sources = { ok: 0, failing: 0, waiting: 0, paused: 0, unchecked: 0 }
  /** Since when, by product. */
  failing: ReadonlyMap<string, Instant> = new Map()

  checked(outcome: SyncOutcome): void {
    this.checks[outcome.state]++
    if (outcome.state === 'imported' && isChanged(outcome)) this.changes++
  }

  looked(followed: readonly Followed[], checks: ReadonlyMap<string, SourceCheck>, now: Instant): void {
    const failing = new Map<string, Instant>()
    this.sources = { ok: 0, failing: 0, waiting: 0, paused: 0, unchecked: 0 }
    for (const { source, product } of followed) {
      const check = checks.get(source.id)
      this.sources[stateOf(source, check, now)]++
      if (!source.paused && check?.failure) failing.set(address(product), check.failure.since)
    }
    this.failing = failing
  }
}

function stateOf(source: Source, check: SourceCheck | undefined, now: Instant): keyof FollowStats['sources'] {
  if (source.paused) return 'paused'
  if (!check || isMisdated(source, check, now)) return 'unchecked'
  return check.failure ? 'failing' : check.waiting ? 'waiting' : 'ok'
}

import { Notice } from '../../domain/notice.ts'
import { address, type Instant, type Source } from '../../domain/records.ts'
import { hintText } from '../../domain/refusal.ts'
import { formatInstant } from '../../domain/time/time.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'
import type { Followed } from '../../store/records/types.ts'
import { isChanged, isMisdated, noticesOf, type SyncOutcome } from './sync-source.ts'

/** Called after each check; `before` is the check before it. */
export type OnChecked = (followed: Followed, outcome: SyncOutcome, before: SourceCheck | null) => void

/** A line for each change and notice, and for each source that begins to fail or to wait, fails otherwise, or works again. */
export const logChecks =
  (report: (event: Notice) => void): OnChecked =>
  (followed, outcome, before) => {
    const { product, source } = followed
    const name = address(product)
    if ('reason' in outcome) {
      const { reason, remedy, state } = outcome
      const lead = state === 'postponed' ? `${name} is waiting until ${formatInstant(outcome.until)}` : name
      const text = [`${lead}: ${reason}`, ...(remedy ? [remedy] : [])].join(' ')
      if (state === 'failed' && before?.failure?.reason !== reason)
        report(new Notice('source_failed', text, 'warning'))
      if (state === 'postponed' && !before?.failure && !before?.waiting)
        report(new Notice('source_waiting', text))
      return
    }
    if (before?.failure) report(new Notice('source_back', `${name}: ${source.url} works again.`))
    const known = noticesOf(followed, before?.memory ?? {}).map(({ about, reason }) => about ?? reason)
    for (const { about, reason, hint } of noticesOf(followed, outcome.memory))
      if (!known.includes(about ?? reason))
        report(new Notice('source_notice', `${name}: ${reason} ${hintText(hint)}`, 'warning'))
    if (outcome.state !== 'imported' || !isChanged(outcome)) return
    const { added, updated, pruned } = outcome.result
    const deleted = pruned > 0 ? `, ${pruned} deleted` : ''
    const counts = `${added} added, ${updated} updated${deleted}`
    report(new Notice('source_imported', `${name}: imported from ${source.url}: ${counts}.`))
  }

/** Counts since the worker started, and the state of the sources at its last look, for its metrics. */
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

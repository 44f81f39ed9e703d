import { isPostgres } from '../../domain/addresses/database.ts'
import type { Instant } from '../../domain/records.ts'
import { targetOf } from '../../domain/source.ts'
import { keepMirrors } from '../../sources/git/check.ts'
import type { SourceCheck } from '../../store/bookkeeping/bookkeeping.ts'
import { open } from '../../store/open.ts'
import type { Followed } from '../../store/records/types.ts'
import type { Job } from '../job.ts'
import { AT_ONCE, inParallel } from './parallel.ts'
import { FollowStats } from './stats.ts'
import { type Following, type SyncOutcome, syncSource } from './sync-source.ts'

/** After this time at the latest, the sources are looked up again: one may be new. */
const LOOK_MS = 10_000

/** The soonest that a source is tried again that another worker has. */
const LEAST_MS = 1_000

type Checks = ReadonlyMap<string, SourceCheck>

/** Called after each check; `before` is what was known before it. */
export type OnChecked = (followed: Followed, outcome: SyncOutcome, before: SourceCheck | null) => void

/** Checks every source when it is due. */
export class FollowJob implements Job {
  readonly name = 'follow'
  readonly stats = new FollowStats()
  private isHurried = false

  constructor(
    private readonly following: Following,
    private readonly onChecked: OnChecked = () => {},
  ) {}

  hurry(): void {
    this.isHurried = true
  }

  async round(now: Instant, signal: AbortSignal): Promise<Instant> {
    const isAll = this.isHurried
    this.isHurried = false
    const { checks, followed } = await this.look()
    const due = followed
      .filter(({ source }) => isAll || dueAt(source, checks, now) <= now)
      .sort((a, b) => lastCheck(a, checks) - lastCheck(b, checks))
    await inParallel(AT_ONCE, due, async (each) => {
      if (!signal.aborted) await this.checkLeased(each, checks.get(each.source.id) ?? null, signal)
    })
    const after = due.length > 0 ? (await this.look()).checks : checks
    const end = this.following.now()
    const next = followed.map(({ source }) => Math.max(end + LEAST_MS, dueAt(source, after, end)))
    return Math.min(end + LOOK_MS, ...next)
  }

  /** What is followed and not paused, and what is known of it. */
  private async look(): Promise<{ followed: Followed[]; checks: Checks }> {
    const { database, waiting, now, bookkeeping, given } = this.following
    const store = await open(database, 'read', waiting, now)
    try {
      const all = await store.snapshot((records) => records.sources.list())
      const checks = await bookkeeping.sourceChecks.all()
      const ids = all.map(({ source }) => source.id)
      if (checks.size > ids.length) {
        keepMirrors(given.gitDirectory, ids)
        await bookkeeping.sourceChecks.keepOnly(ids)
      }
      this.stats.looked(all, checks)
      return { checks, followed: all.filter(({ source }) => !source.paused) }
    } finally {
      store.close()
    }
  }

  /** Checks a source unless another worker does, or has done it meanwhile. The lease is renewed until it is done. */
  private async checkLeased(each: Followed, known: SourceCheck | null, signal: AbortSignal): Promise<void> {
    const { leases, sourceChecks } = this.following.bookkeeping
    // There is one worker at a time: see working.ts.
    if (!isPostgres(this.following.database)) return this.checkNow(each, known, signal)
    const name = `source ${each.source.id}`
    if (!(await leases.take(name))) return
    const renewal = setInterval(() => void leases.take(name).catch(() => {}), leases.lengthMs / 3)
    try {
      const before = await sourceChecks.find(each.source.id)
      if (before?.checkedAt === known?.checkedAt) await this.checkNow(each, before, signal)
    } finally {
      clearInterval(renewal)
      await leases.release(name)
    }
  }

  private async checkNow(each: Followed, before: SourceCheck | null, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await syncSource(this.following, each, { signal })
      this.stats.checked(outcome)
      this.onChecked(each, outcome, before)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

/** A source that was never checked, or that is another one now, is due at once. */
function dueAt(source: Followed['source'], checks: Checks, now: Instant): Instant {
  const check = checks.get(source.id)
  return check?.target === targetOf(source) ? check.nextAt : now
}

const lastCheck = ({ source }: Followed, checks: Checks): Instant => checks.get(source.id)?.checkedAt ?? 0

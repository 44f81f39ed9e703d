import { isPostgres } from '../../domain/addresses/database.ts'
import type { Instant } from '../../domain/records.ts'
import { targetOf } from '../../domain/sources.ts'
import { inTime } from '../../domain/time/waiting.ts'
import { type Peer, Places } from '../../outgoing/places.ts'
import { keepMirrors } from '../../sources/git/check.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'
import { open } from '../../store/open.ts'
import type { Followed } from '../../store/records/types.ts'
import type { Job } from '../loop.ts'
import { FollowStats, type OnChecked } from './report.ts'
import { type Following, isMisdated, syncSource } from './sync-source.ts'

/** How often sources are looked up: one may be new. */
const LOOK_MS = 10_000

/** The soonest that a source is tried again that another worker has. */
const LEAST_MS = 1_000

type Checks = ReadonlyMap<string, SourceCheck>

export const MOST_AT_ONCE = { all: 128, ofHost: 4, slowMs: Infinity }

/**
 * Checks every source when it is due. A round ends when everything is checked or when it is time for the next one, which
 * starts the checks that became due meanwhile.
 */
export class FollowJob implements Job {
  readonly stats = new FollowStats()
  private isHurried = false
  /** Sources to be checked as soon as they are not already. */
  private readonly hurried = new Set<string>()
  private readonly places = new Places(MOST_AT_ONCE)
  private failure: { error: unknown } | null = null

  constructor(
    private readonly following: Following,
    private readonly onChecked: OnChecked = () => {},
    private readonly lookMs = LOOK_MS,
  ) {}

  hurry(): void {
    this.isHurried = true
  }

  async round(now: Instant, signal: AbortSignal): Promise<Instant> {
    const isAll = this.isHurried
    this.isHurried = false
    const { checks, followed } = await this.look()
    if (isAll) for (const { source } of followed) this.hurried.add(source.id)
    const due = followed
      .filter(({ source }) => this.hurried.has(source.id) || dueAt(source, checks, now) <= now)
      .filter(({ source }) => !this.places.has(source.id))
      .sort((a, b) => lastCheck(a, checks) - lastCheck(b, checks))
    for (const each of due) {
      this.hurried.delete(each.source.id)
      const known = checks.get(each.source.id) ?? null
      const check = () => this.checkLeased(each, known, signal)
      this.places.add(each.source.id, peerOf(each.source, known), check).catch((error: unknown) => {
        this.failure ??= { error }
      })
    }
    await inTime(this.lookMs, this.places.ended(), () => new Error('late')).catch(() => {})
    this.throwFailure()
    const after = due.length > 0 ? (await this.look()).checks : checks
    const end = this.following.now()
    const next = followed.map(({ source }) => Math.max(end + LEAST_MS, dueAt(source, after, end)))
    return Math.min(end + LOOK_MS, ...next)
  }

  async ended(): Promise<void> {
    await this.places.ended()
    this.throwFailure()
  }

  /** A failure of this side, such as a database that does not answer. */
  private throwFailure(): void {
    const { failure } = this
    this.failure = null
    if (failure) throw failure.error
  }

  /** Sources that are not paused, and their last checks. */
  private async look(): Promise<{ followed: Followed[]; checks: Checks }> {
    const { database, waiting, now, bookkeeping, context } = this.following
    // On PostgreSQL, opening to write derives what nodes of an older program have left out.
    using store = await open(database, isPostgres(database) ? 'write' : 'read', waiting, now)
    const all = await store.snapshot((records) => records.sources.list())
    const checks = await bookkeeping.sourceChecks.all()
    const ids = all.map(({ source }) => source.id)
    if (checks.size > ids.length) {
      keepMirrors(context.gitDirectory, ids)
      await bookkeeping.sourceChecks.keepOnly(ids)
    }
    this.stats.looked(all, checks, now())
    return { checks, followed: all.filter(({ source }) => !source.paused) }
  }

  /** Checks a source unless another worker does, or has done it meanwhile. The lease is renewed until it is done. */
  private async checkLeased(each: Followed, known: SourceCheck | null, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.failure) return
    const { leases, sourceChecks } = this.following.bookkeeping
    // There is one worker at a time: see run/working.ts.
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

/** A source is due at once that was never checked, is another one now, or was checked by a clock that was wrong. */
function dueAt(source: Followed['source'], checks: Checks, now: Instant): Instant {
  const check = checks.get(source.id)
  return check?.target === targetOf(source) && !isMisdated(source, check, now) ? check.nextAt : now
}

/** A file on this machine has its path for a host. */
export const peerOf = ({ url }: Followed['source'], check?: SourceCheck | null): Peer => ({
  host: URL.parse(url)?.host ?? url.replace(/:.*$/, ''),
  isFailing: check?.failure != null,
})

const lastCheck = ({ source }: Followed, checks: Checks): Instant => checks.get(source.id)?.checkedAt ?? 0

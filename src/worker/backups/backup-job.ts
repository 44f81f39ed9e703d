import { type BackUp, backUpElsewhere, isOfFuture, ownBackups } from '../../backups/backups.ts'
import { addressOf } from '../../domain/backups.ts'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { size } from '../../domain/text/size.ts'
import { backOff } from '../../domain/time/waiting.ts'
import type { BackupNotes } from '../../store/bookkeeping/backups.ts'
import type { Trouble } from '../../store/bookkeeping/source-checks.ts'
import { identityOf } from '../../store/sqlite/backup/backup.ts'
import type { Job } from '../loop.ts'

export interface BackupSettings extends BackUp {
  every: number
  notes: BackupNotes
}

export type BackupStats = Awaited<ReturnType<BackupJob['stats']>>

const RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000

/**
 * Backs up the database to a bucket, once the newest good backup of it there is older than the interval. The bucket itself tells
 * when that was: a second worker or a backup made by hand counts too. The answer is noted for `status` and `doctor`.
 */
export class BackupJob implements Job {
  private readonly results = { made: 0, failed: 0 }
  private readonly address: string
  private failures = 0
  private isHurried = false

  constructor(
    private readonly settings: BackupSettings,
    private readonly report: (event: unknown) => void,
  ) {
    this.address = addressOf(settings.place)
  }

  hurry(): void {
    this.isHurried = true
  }

  async round(): Promise<Instant> {
    const isAsked = this.isHurried
    this.isHurried = false
    const { database, waiting, every, notes, now } = this.settings
    let newest: Instant | null | undefined
    try {
      const { databaseId } = await identityOf(database, waiting)
      const [backup] = await ownBackups(this.settings, databaseId)
      newest = backup?.at ?? null
      const isDue = newest === null || newest + every <= now() || isOfFuture(newest, now()) || isAsked
      const current = isDue ? await this.backup() : newest
      await notes.found(this.address, current)
      this.failures = 0
      return (current ?? now()) + every
    } catch (error) {
      this.results.failed++
      await notes.failed(this.address, this.failure(error), newest)
      return now() + backOff(++this.failures, RETRY_MS, LONGEST_RETRY_MS)
    }
  }

  /** Numbers for metrics, with what other processes have noted. Times are 0 for what never happened. */
  async stats() {
    const { every, notes } = this.settings
    const note = (await notes.all()).find(({ place }) => place === this.address)
    return {
      results: this.results,
      every,
      newestAt: note?.newestAt ?? 0,
      verifiedAt: note?.verifiedAt ?? 0,
      isFaulty: note?.fault != null,
    }
  }

  private async backup(): Promise<Instant> {
    const { backup, removed } = await backUpElsewhere(this.settings)
    this.results.made++
    const deleted = removed.length === 0 ? '' : `; ${removed.length} older deleted`
    this.report(
      new Notice('copied', `Backed up to ${backup.address}: ${size(backup.compressedBytes)}${deleted}.`),
    )
    return backup.at
  }

  /** Logs an error, and says what to note. */
  private failure(error: unknown): Trouble {
    const since = this.settings.now()
    if (!(error instanceof Refusal)) {
      this.report(error)
      return { since, reason: 'An unexpected error.', remedy: 'Check the log of the worker.' }
    }
    const { message: reason, hint } = error
    const text = `Backup failed: ${reason}${hint === undefined ? '' : ` ${hint}`}`
    this.report(new Notice('copy_failed', text, 'warning'))
    return { since, reason, remedy: hint ?? null }
  }
}

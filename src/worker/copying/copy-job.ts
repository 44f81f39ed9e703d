import { backUpElsewhere } from '../../copies/back-up.ts'
import type { Bucket } from '../../copies/bucket.ts'
import { listCopies } from '../../copies/copies.ts'
import type { Keep } from '../../domain/copies/keep.ts'
import type { Place } from '../../domain/copies/place.ts'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { size } from '../../domain/text/size.ts'
import type { Waiting } from '../../store/wait.ts'
import type { Job } from '../job.ts'

/** What copying by itself needs. */
export interface Copying {
  database: string
  bucket: Bucket
  place: Place
  every: number
  /** Null to delete nothing. */
  keep: Keep | null
  waiting: Waiting
  now(): Instant
}

/** After a failure it is tried again: after a minute, then after twice as long each time, up to an hour. */
const RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000

/**
 * Copies the database to a bucket, once the newest good copy there is older than the interval. The bucket itself tells
 * when that was: nothing has to be remembered, and a second worker or a copy made by hand counts too.
 */
export class CopyJob implements Job {
  readonly name = 'backup'
  private failures = 0
  private isHurried = false

  constructor(
    private readonly copying: Copying,
    private readonly report: (event: Notice) => void,
  ) {}

  hurry(): void {
    this.isHurried = true
  }

  async round(): Promise<Instant> {
    const isAsked = this.isHurried
    this.isHurried = false
    const { every, now } = this.copying
    try {
      const newest = await this.newest()
      if (newest !== null && newest + every > now() && !isAsked) return newest + every
      await this.copy()
      this.failures = 0
      return now() + every
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const hint = error.hint === undefined ? '' : ` ${error.hint}`
      this.report(new Notice('copy_failed', `No copy was made: ${error.message}${hint}`, 'warning'))
      return now() + Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** this.failures++)
    }
  }

  /** When the newest good copy was made. */
  private async newest(): Promise<Instant | null> {
    const [newest] = await listCopies(this.copying.bucket, this.copying.place)
    return newest?.at ?? null
  }

  private async copy(): Promise<void> {
    const { database, bucket, place, keep, now, waiting } = this.copying
    const { copy, removed } = await backUpElsewhere(database, bucket, place, keep, now, waiting)
    const deleted = removed.length === 0 ? '' : `; ${removed.length} older deleted`
    this.report(new Notice('copied', `Copied to ${copy.address}: ${size(copy.compressedBytes)}${deleted}.`))
  }
}

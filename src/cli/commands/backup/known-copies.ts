import { readCopying } from '../../../config/config.ts'
import { isPostgres } from '../../../domain/addresses/database.ts'
import { addressOf, type Place } from '../../../domain/copies.ts'
import type { Instant } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import type { CopyNote, CopyNotes } from '../../../store/bookkeeping/copies.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Context } from '../../context.ts'
import { moment, relative } from '../../terminal/moments.ts'
import { timeOrNull } from '../../terminal/record-json.ts'
import { plain } from '../../terminal/text.ts'
import { newestCopyAt } from './copy-files.ts'

/** What is known of the copies in a bucket. It is asked only if no copy is noted. */
export interface KnownCopies extends CopyNote {
  /** Whether the newest is older than twice the interval, or there is none. */
  isOld: boolean
}

/** A copy that failed may be made up for in the next interval. */
const INTERVALS = 2

/** Those at BACKUP_TO, or else where the newest is that was made by hand; null if none are made. */
export async function knownCopies(context: Context, database: string): Promise<KnownCopies | null> {
  if (isPostgres(database)) return null
  const { to, every } = readCopying(context.env, context.configFile())
  using bookkeeping = await openExistingBookkeeping(database)
  const notes = await bookkeeping?.copies?.all()
  const none = { place: to, newestAt: null, failure: null, verifiedAt: null, fault: null }
  const note = to === '' ? notes?.[0] : (notes?.find(({ place }) => place === to) ?? none)
  if (!note) return null
  const known = note.newestAt === null ? await asked(context, database, note) : note
  return { ...known, isOld: known.newestAt === null || context.now() - known.newestAt > INTERVALS * every }
}

/** As `backup verify` asks: copies may be there before a worker has looked, as after a restore to another machine. */
async function asked(context: Context, database: string, note: CopyNote): Promise<CopyNote> {
  try {
    return { ...note, newestAt: await newestCopyAt(context, note.place, database) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message: reason, hint: remedy = null } = error
    return { ...note, failure: note.failure ?? { since: context.now(), reason, remedy } }
  }
}

/** Notes something about the copies of a place. If that fails, the copies are what they are: only a line says so. */
export async function noteCopies(
  context: Context,
  open: Promise<Bookkeeping | null>,
  place: Place,
  note: (notes: CopyNotes, place: string) => Promise<void>,
): Promise<void> {
  try {
    using bookkeeping = await open
    if (bookkeeping?.copies) await note(bookkeeping.copies, addressOf({ ...place, name: null }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await context.stderr(`status and doctor do not know of this: ${error.message}\n`)
  }
}

export function knownCopiesLine({ place, newestAt, failure, fault }: KnownCopies, now: Instant): string {
  const lines = [
    newestAt === null
      ? `No copy at ${place} ${failure ? 'is known' : 'yet'}`
      : `Copied to ${place} ${relative(newestAt, now)}`,
    ...(failure
      ? [`fails since ${moment(failure.since, now)}: ${failure.reason} ${failure.remedy ?? ''}`.trimEnd()]
      : []),
    ...(fault === null ? [] : [`Verifying the newest copy failed: ${fault}`]),
  ]
  return lines.map(plain).join('\n  ')
}

export const knownCopiesJson = ({ place, newestAt, isOld, failure, verifiedAt, fault }: KnownCopies) => ({
  place,
  newestAt: timeOrNull(newestAt),
  isOld,
  failing: failure && { ...failure, since: formatInstant(failure.since) },
  verifiedAt: timeOrNull(verifiedAt),
  fault,
})

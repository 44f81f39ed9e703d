import { dirname, resolve } from 'node:path'
import { download, listBackups } from '../../../backups/backups.ts'
import { Bucket } from '../../../backups/bucket.ts'
import { backupsFor } from '../../../backups/choose.ts'
import { readBucketSettings, readSetting } from '../../../config/config.ts'
import { databaseName, isPostgres } from '../../../domain/addresses/database.ts'
import { addressOf, type BucketAddress, bucketAddressOf, isPlace } from '../../../domain/backups.ts'
import { nullIf } from '../../../domain/errors.ts'
import type { Instant } from '../../../domain/records.ts'
import { type Hint, Refusal } from '../../../domain/refusal.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { fill, temporaryFileBeside } from '../../../files/temporary.ts'
import { unpacked } from '../../../files/unpacked.ts'
import type { BackupNote, BackupNotes } from '../../../store/bookkeeping/backups.ts'
import type { Bookkeeping } from '../../../store/bookkeeping/bookkeeping.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import { createWaiting, type Waiting } from '../../../store/engines/wait.ts'
import { type Identity, identityOf, NO_IDENTITY } from '../../../store/sqlite/backup/backup.ts'
import { createUndoable, type Noted } from '../../../store/sqlite/backup/restore.ts'
import { parser } from '../../arguments/arguments.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { databaseFrom, sourcesFrom } from '../../settings.ts'
import { timeOrNull } from '../../terminal/json.ts'
import { moment, relative } from '../../terminal/moments.ts'
import { plain } from '../../terminal/text.ts'

/** Refuses a PostgreSQL server, which has its own programs for backups. */
export function databaseFile(context: Context, { db }: Common, instead: Hint): string {
  const database = databaseFrom(context, db)
  if (!isPostgres(database)) return database
  throw new Refusal(`${databaseName(database)} is not SQLite. This command works with SQLite only.`, {
    hint: instead,
  })
}

export const filePath = parser(
  (text) => (text === '' || text.endsWith('/') ? null : resolve(text)),
  'a file name',
)

export const bucketOf = (context: Context, { bucket }: BucketAddress, stallMs?: number): Bucket =>
  new Bucket(bucket, readBucketSettings(sourcesFrom(context, {})), stallMs)

interface LocalBackup {
  file: string
  /** The path or address that the user gave. */
  name: string
  /** Sentences on how it was chosen. */
  remarks: string[]
  /** The note beside it; null if it has none. */
  noted: Noted | null
}

/**
 * Gives the backup at a path, in a bucket, or on standard input (`-`) to `use`, as a file. A backup that is not a file
 * is written to one next to the database, for as long as it is used.
 */
export async function withBackup<T>(
  context: Context,
  from: string,
  database: string,
  waiting: Waiting,
  use: (backup: LocalBackup) => Promise<T>,
): Promise<T> {
  if (from !== '-' && !isPlace(from)) {
    const file = filePath(from)
    return use({ file, name: file, remarks: [], noted: null })
  }
  // On a new machine there is no directory of the database yet.
  using undo = new DisposableStack()
  undo.defer(createUndoable(dirname(database)))
  const scratch = undo.use(temporaryFileBeside(database))
  if (from === '-') {
    await receive(context, scratch.path)
    return await use({ file: scratch.path, name: 'standard input', remarks: [], noted: null })
  }
  const place = bucketAddressOf(from)
  const here = await identityAt(database, waiting)
  const bucket = bucketOf(context, place)
  const { backup, remark, note } = await download({ bucket, place }, here, scratch.path)
  const remarks = remark === null ? [] : [remark]
  return await use({ file: scratch.path, name: backup.address, remarks, noted: note })
}

/** The identity of a database: unknown for PostgreSQL and for an unreadable one, which the command itself refuses. */
export async function identityAt(database: string, waiting: Waiting): Promise<Identity> {
  if (isPostgres(database)) return NO_IDENTITY
  const known = await identityOf(database, waiting).catch(nullIf((error) => error instanceof Refusal))
  return known ?? NO_IDENTITY
}

/** Writes standard input to a file, decompressed. */
async function receive({ stdin }: Context, path: string): Promise<void> {
  const reader = stdin.stream().getReader()
  // A refused command does not wait for a sender that pauses.
  await using _ = { [Symbol.asyncDispose]: () => reader.cancel() }
  const chunks = (async function* () {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  })()
  await fill(path, unpacked(chunks, 'Standard input'))
}

/** The newest backups in a bucket, as noted. The bucket is asked only if none is noted. */
export interface KnownBackups extends BackupNote {
  /** True if the newest is older than twice the interval, or there is none. */
  isOld: boolean
}

/** A backup that failed may be made up for in the next interval. */
const INTERVALS = 2

/** The backups at BACKUP_TO, or else where the newest one was made by hand; null if none are made. */
export async function knownBackups(context: Context, database: string): Promise<KnownBackups | null> {
  if (isPostgres(database)) return null
  const sources = sourcesFrom(context, {})
  const to = readSetting('backupTo', sources)
  using bookkeeping = await openExistingBookkeeping(database)
  const notes = await bookkeeping?.backups?.all()
  const none = { place: to, newestAt: null, failure: null, verifiedAt: null, fault: null }
  const note = to === '' ? notes?.[0] : (notes?.find(({ place }) => place === to) ?? none)
  if (!note) return null
  const known = note.newestAt === null ? await asked(context, database, note) : note
  return {
    ...known,
    isOld:
      known.newestAt === null ||
      context.now() - known.newestAt > INTERVALS * readSetting('backupEvery', sources),
  }
}

/**
 * As `backup verify` asks: backups may be there before a worker has looked, as after a restore to another machine. Does
 * not wait long for the bucket.
 */
async function asked(context: Context, database: string, note: BackupNote): Promise<BackupNote> {
  try {
    const place = bucketAddressOf(note.place)
    const backups = await listBackups({ bucket: bucketOf(context, place, 5_000), place })
    const [latest] = backupsFor(await identityAt(database, createWaiting()), backups)
    return { ...note, newestAt: latest?.at ?? null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message: reason, hint: remedy = null } = error
    return { ...note, failure: note.failure ?? { since: context.now(), reason, remedy } }
  }
}

/** Notes something about the backups of a place. A failure does not affect the backups, and is only printed. */
export async function noteBackups(
  context: Context,
  open: Promise<Bookkeeping | null>,
  place: BucketAddress,
  note: (notes: BackupNotes, place: string) => Promise<void>,
): Promise<void> {
  try {
    using bookkeeping = await open
    if (bookkeeping?.backups) await note(bookkeeping.backups, addressOf({ ...place, name: null }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await context.stderr(`Cannot note this for status and doctor. ${error.message}\n`)
  }
}

export function knownBackupsLine({ place, newestAt, failure, fault }: KnownBackups, now: Instant): string {
  const lines = [
    newestAt === null
      ? `No backup at ${place} ${failure ? 'is known' : 'yet'}`
      : `Backed up to ${place} ${relative(newestAt, now)}`,
    ...(failure
      ? [`failing since ${moment(failure.since, now)}: ${failure.reason} ${failure.remedy ?? ''}`.trimEnd()]
      : []),
    ...(fault === null ? [] : [`Verifying the newest backup failed: ${fault}`]),
  ]
  return lines.map(plain).join('\n  ')
}

export const knownBackupsJson = ({ place, newestAt, isOld, failure, verifiedAt, fault }: KnownBackups) => ({
  place,
  newestAt: timeOrNull(newestAt),
  isOld,
  failing: failure && { ...failure, since: formatInstant(failure.since) },
  verifiedAt: timeOrNull(verifiedAt),
  fault,
})

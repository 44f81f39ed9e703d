import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { constants, createZstdCompress } from 'node:zlib'
import {
  addressOf,
  type BucketAddress,
  backupName,
  isOf,
  type Keep,
  readName,
  superfluous,
} from '../domain/backups.ts'
import type { Instant } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { DAY_MS, spelledOut } from '../domain/time/time.ts'
import { fill, temporaryFileBeside } from '../files/temporary.ts'
import { unpacked } from '../files/unpacked.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { backUp, type Identity, identityOf } from '../store/sqlite/backup/backup.ts'
import type { Bucket } from './bucket.ts'
import { type Backup, type Chosen, chooseBackup, type Note } from './choose.ts'

/**
 * Backups of database files in a bucket. Each name has the id of its database. Each backup gets a note once it was read back
 * and compared. A backup without a note is not good, and is never restored by itself.
 */

interface BackupPlace {
  bucket: Bucket
  place: BucketAddress
}

const NOTE = '.json'

/** Adds a checksum, for those who take an object from the bucket without its note. */
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** An upload never found to be good is removed after a day: it may be in progress. */
const ABANDONED_MS = DAY_MS

/** Servers refuse requests with a time that differs from theirs by more. */
const MOST_SKEW_MS = 15 * 60_000

/** True for a time that only a wrong clock can have given. */
export const isOfFuture = (at: Instant, now: Instant): boolean => at > now + MOST_SKEW_MS

/** The good backups of a database, newest first. */
export async function ownBackups(at: BackupPlace, databaseId: string | null): Promise<Backup[]> {
  return (await listBackups(at)).filter((backup) => isOf(databaseId, backup))
}

/** Refuses to back up where a backup of the future is: it would stay the newest, and one made now would not be restored. */
export async function refuseFuture(at: BackupPlace, databaseId: string | null, now: Instant): Promise<void> {
  const [newest] = await ownBackups(at, databaseId)
  if (newest && isOfFuture(newest.at, now))
    throw new Refusal(
      `The clock of this machine is wrong, or was: it is ${spelledOut(now)}, and ${newest.address} was made ${spelledOut(newest.at)}.`,
      { hint: 'Set the clock, or delete that backup and its note in the bucket.' },
    )
}

/** Copies a file to a directory of the bucket under a name of its own, reads it back, and compares. */
export async function upload(
  { bucket, place }: BackupPlace,
  file: string,
  { databaseId, ...about }: Pick<Backup & Note, 'databaseId' | 'schema' | 'contents'>,
  now: Instant,
): Promise<Backup & Note> {
  const name = backupName(now, about.schema, databaseId)
  const key = place.directory + name
  const address = addressOf({ ...place, name })
  const sent = measure()
  const compressed = Readable.from(sent.through(createReadStream(file))).pipe(createZstdCompress(CHECKED))
  const compressedBytes = await bucket.upload(key, compressed)
  const read = measure()
  try {
    for await (const _ of read.through(unpacked(bucket.download(key), address)));
    const note: Note = { sha256: sent.sha256(), bytes: sent.bytes(), ...about }
    const text = `${JSON.stringify(note)}\n`
    if (read.sha256() !== note.sha256) throw differs(address)
    await bucket.writeText(key + NOTE, text)
    if ((await bucket.readText(key + NOTE)) !== text) throw differs(address + NOTE)
    return { name, at: now, databaseId, address, compressedBytes, ...note }
  } catch (error) {
    await discard(bucket, key).catch(() => {})
    throw error
  }
}

const differs = (address: string): Refusal =>
  new Refusal(
    `Verification of ${address} failed: the bucket has other data than was sent. The backup was deleted.`,
    {
      hint: 'Try again. If it happens again, use another server.',
    },
  )

/** The note first: without it nobody takes the rest for a backup. */
async function discard(bucket: Bucket, key: string): Promise<void> {
  for (const part of [key + NOTE, key]) await bucket.delete(part)
}

/** The good backups of a directory, of whichever database, newest first. */
export const listBackups = async (at: BackupPlace): Promise<Backup[]> => (await contentsOf(at)).good

async function contentsOf({ bucket, place }: BackupPlace) {
  const files = await bucket.list(place.directory)
  const names = new Set(files.map(({ name }) => name))
  const backups = files.flatMap(({ name, bytes }): Backup[] => {
    const named = readName(name)
    return named ? [{ ...named, address: addressOf({ ...place, name }), compressedBytes: bytes }] : []
  })
  const newestFirst = backups.sort((one, other) => other.at - one.at)
  const isGood = ({ name }: Backup) => names.has(name + NOTE)
  return { good: newestFirst.filter(isGood), others: newestFirst.filter((backup) => !isGood(backup)) }
}

/** Downloads the backup of a place to a file, and compares it with its note. It is for the database `here`: see `chooseBackup`. */
export async function download(
  at: BackupPlace,
  here: Identity,
  file: string,
): Promise<Chosen & { note: Note }> {
  const { bucket, place } = at
  const { backup, remark } = chooseBackup(await listBackups(at), place, here)
  const key = place.directory + backup.name
  const note = readNote(await bucket.readText(key + NOTE), backup.address)
  const received = measure(note.bytes)
  await fill(file, received.through(unpacked(bucket.download(key), backup.address)))
  const isAsNoted = received.bytes() === note.bytes && received.sha256() === note.sha256
  if (!isAsNoted || note.schema !== backup.schema)
    throw new Refusal(`${backup.address} is damaged: it does not match its note.`, {
      hint: 'Restore another backup.',
    })
  return { backup, remark, note }
}

/** Deletes superfluous and unfinished backups of this database; returns the former. */
async function prune(
  { bucket, place }: BackupPlace,
  databaseId: string | null,
  keep: Keep,
  now: Instant,
): Promise<Backup[]> {
  const { good, others } = await contentsOf({ bucket, place })
  const isOwn = (backup: Backup) => isOf(databaseId, backup)
  const removed = superfluous(good.filter(isOwn), keep)
  for (const { name } of removed) await discard(bucket, place.directory + name)
  for (const { name, at } of others.filter(isOwn))
    if (now - at > ABANDONED_MS) await bucket.delete(place.directory + name)
  return removed
}

function readNote(text: string, address: string): Note {
  try {
    const { sha256, bytes, schema, contents } = JSON.parse(text) as Note
    const numbers = [bytes, schema, ...Object.values(contents)]
    if (/^[0-9a-f]{64}$/.test(sha256) && numbers.every(Number.isSafeInteger))
      return { sha256, bytes, schema, contents }
  } catch {
    // Refused below.
  }
  throw new Refusal(`The note beside ${address} cannot be read.`, { hint: 'Restore another backup.' })
}

/** Length and hash of what passes. Lets through no more than `most` bytes: a few can decompress to any number. */
function measure(most = Number.POSITIVE_INFINITY) {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  let digest: string | undefined
  return {
    async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > most) return
        hash.update(chunk)
        yield chunk
      }
    },
    bytes: () => bytes,
    sha256: () => {
      digest ??= hash.digest('hex')
      return digest
    },
  }
}

export interface BackUp extends BackupPlace {
  database: string
  /** Null to delete nothing. */
  keep: Keep | null
  waiting: Waiting
  now(): Instant
}

/** Backs up a database to a bucket while it is in use. `removed` are older backups, deleted by the rule of `keep`. */
export async function backUpElsewhere({ database, keep, waiting, now, ...at }: BackUp) {
  const { databaseId } = await identityOf(database, waiting)
  await refuseFuture(at, databaseId, now())
  using scratch = temporaryFileBeside(database)
  const { schema, contents } = await backUp(database, scratch.path, true, waiting)
  const about = { databaseId, schema, contents: { ...contents } }
  const backup = await upload(at, scratch.path, about, now())
  try {
    const removed = keep ? await prune(at, databaseId, keep, now()) : []
    return { backup: { ...backup, contents }, removed }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${backup.address} is good, but older backups could not be deleted. ${error.message}`, {
      hint: error.advice,
      cause: error,
    })
  }
}

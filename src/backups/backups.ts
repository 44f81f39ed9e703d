import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { constants, createZstdCompress } from 'node:zlib'
import { addressOf, copyName, isOf, type Keep, type Place, readName, superfluous } from '../domain/backups.ts'
import type { Instant } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { DAY_MS, spelledOut } from '../domain/time/time.ts'
import { fill, temporaryFileBeside } from '../files/temporary.ts'
import { unpacked } from '../files/unpacked.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { backUp } from '../store/sqlite/backup/backup.ts'
import { type Identity, identityOf } from '../store/sqlite/backup/identity.ts'
import type { Bucket } from './bucket.ts'
import { type Chosen, type Copy, chooseCopy, type Note } from './choose.ts'

/**
 * Copies of database files in a bucket. Each name has the id of its database. Each copy gets a note once it was read back
 * and compared. A copy without a note is not good, and is never restored by itself.
 */

export interface Copies {
  bucket: Bucket
  place: Place
}

const NOTE = '.json'

/** With a checksum, for those who take an object from the bucket without its note. */
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** An upload never found to be good is removed after a day: it may be in progress. */
const ABANDONED_MS = DAY_MS

/** Servers refuse requests with a time that differs from theirs by more. */
const MOST_SKEW_MS = 15 * 60_000

/** True for a time that only a wrong clock can have given. */
export const isOfFuture = (at: Instant, now: Instant): boolean => at > now + MOST_SKEW_MS

/** The good copies of a database, newest first. */
export async function ownCopies(at: Copies, databaseId: string | null): Promise<Copy[]> {
  return (await listCopies(at)).filter((copy) => isOf(databaseId, copy))
}

/** Refuses to copy where one of the future is: it would stay the newest, and a copy made now would not be restored. */
export async function refuseFuture(at: Copies, databaseId: string | null, now: Instant): Promise<void> {
  const [newest] = await ownCopies(at, databaseId)
  if (newest && isOfFuture(newest.at, now))
    throw new Refusal(
      `The clock of this machine is wrong, or was: it is ${spelledOut(now)}, and ${newest.address} was made ${spelledOut(newest.at)}.`,
      { hint: 'Set the clock, or delete that backup and its note in the bucket.' },
    )
}

/** Copies a file to a directory of the bucket under a name of its own, reads it back, and compares. */
export async function upload(
  { bucket, place }: Copies,
  file: string,
  { databaseId, ...about }: Pick<Copy & Note, 'databaseId' | 'schema' | 'contents'>,
  now: Instant,
): Promise<Copy & Note> {
  const name = copyName(now, about.schema, databaseId)
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

/** The note first: without it nobody takes the rest for a copy. */
async function discard(bucket: Bucket, key: string): Promise<void> {
  for (const part of [key + NOTE, key]) await bucket.delete(part)
}

/** The good copies of a directory, of whichever database, newest first. */
export const listCopies = async (at: Copies): Promise<Copy[]> => (await contentsOf(at)).good

async function contentsOf({ bucket, place }: Copies) {
  const files = await bucket.list(place.directory)
  const names = new Set(files.map(({ name }) => name))
  const copies = files.flatMap(({ name, bytes }): Copy[] => {
    const named = readName(name)
    return named ? [{ ...named, address: addressOf({ ...place, name }), compressedBytes: bytes }] : []
  })
  const newestFirst = copies.sort((one, other) => other.at - one.at)
  const isGood = ({ name }: Copy) => names.has(name + NOTE)
  return { good: newestFirst.filter(isGood), others: newestFirst.filter((copy) => !isGood(copy)) }
}

/** Downloads the copy of a place to a file, and compares it with its note. It is for the database `here`: see `chooseCopy`. */
export async function download(at: Copies, here: Identity, file: string): Promise<Chosen & { note: Note }> {
  const { bucket, place } = at
  const { copy, remark } = chooseCopy(await listCopies(at), place, here)
  const key = place.directory + copy.name
  const note = readNote(await bucket.readText(key + NOTE), copy.address)
  const received = measure(note.bytes)
  await fill(file, received.through(unpacked(bucket.download(key), copy.address)))
  const isAsNoted = received.bytes() === note.bytes && received.sha256() === note.sha256
  if (!isAsNoted || note.schema !== copy.schema)
    throw new Refusal(`${copy.address} is damaged: it does not match its note.`, {
      hint: 'Restore another backup.',
    })
  return { copy, remark, note }
}

/** Deletes superfluous and unfinished copies of this database; returns the former. */
async function prune(
  { bucket, place }: Copies,
  databaseId: string | null,
  keep: Keep,
  now: Instant,
): Promise<Copy[]> {
  const { good, others } = await contentsOf({ bucket, place })
  const isOwn = (copy: Copy) => isOf(databaseId, copy)
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

export interface BackUp extends Copies {
  database: string
  /** Null to delete nothing. */
  keep: Keep | null
  waiting: Waiting
  now(): Instant
}

/** Copies a database to a bucket while it is in use. `removed` are older copies, deleted by the rule of `keep`. */
export async function backUpElsewhere({ database, keep, waiting, now, ...at }: BackUp) {
  const { databaseId } = await identityOf(database, waiting)
  await refuseFuture(at, databaseId, now())
  using scratch = temporaryFileBeside(database)
  const { schema, contents } = await backUp(database, scratch.path, true, waiting)
  const about = { databaseId, schema, contents: { ...contents } }
  const copy = await upload(at, scratch.path, about, now())
  try {
    const removed = keep ? await prune(at, databaseId, keep, now()) : []
    return { copy: { ...copy, contents }, removed }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${copy.address} is good, but older backups could not be deleted. ${error.message}`, {
      hint: error.advice,
      cause: error,
    })
  }
}

import { dirname, resolve } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { readBucketSettings } from '../../../config/config.ts'
import { Bucket } from '../../../copies/bucket.ts'
import { download } from '../../../copies/copies.ts'
import { databaseName, isPostgres } from '../../../domain/addresses/database.ts'
import { isPlace, type Place, placeOf } from '../../../domain/copies/place.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { fill } from '../../../files/pieces.ts'
import { temporaryFileBeside } from '../../../files/temporary.ts'
import { type Identity, identityOf, NO_IDENTITY } from '../../../store/sqlite/backup/identity.ts'
import { createUndoable, type Noted } from '../../../store/sqlite/backup/restore.ts'
import type { Waiting } from '../../../store/wait.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'

/** Refuses a PostgreSQL server, which has its own programs for backups. */
export function databaseFile(context: Context, { db }: Common, instead: string): string {
  const database = databaseFrom(context, db)
  if (!isPostgres(database)) return database
  throw new Refusal(`${databaseName(database)} is not a file: this command is for SQLite only.`, {
    hint: instead,
  })
}

export function filePath(text: string): string {
  if (text === '' || text.endsWith('/')) throw new InvalidArgumentError('it must be a file name.')
  return resolve(text)
}

export const bucketOf = (context: Context, { bucket }: Place): Bucket =>
  new Bucket(bucket, readBucketSettings(context.env, context.configFile()))

/** A copy as a file on this machine. */
export interface LocalCopy {
  file: string
  /** As the user knows it. */
  name: string
  /** Sentences on how it was chosen. */
  remarks: string[]
  /** What a note beside it says; null if it has none. */
  noted: Noted | null
}

/**
 * Gives the copy at a path, in a bucket, or on standard input (`-`) to `use`, as a file. What is not one yet becomes one
 * next to the database, for as long as it is used.
 */
export async function withCopy<T>(
  context: Context,
  from: string,
  database: string,
  waiting: Waiting,
  use: (copy: LocalCopy) => Promise<T>,
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
    await fill(scratch.path, received(context))
    return await use({ file: scratch.path, name: 'what came on standard input', remarks: [], noted: null })
  }
  const place = placeOf(from)
  const here = await identityAt(database, waiting)
  const { copy, remark, note: noted } = await download(bucketOf(context, place), place, here, scratch.path)
  return await use({
    file: scratch.path,
    name: copy.address,
    remarks: remark === null ? [] : [remark],
    noted,
  })
}

/** That of a PostgreSQL or a database that cannot be read is not known: what is done with it refuses it. */
export async function identityAt(database: string, waiting: Waiting): Promise<Identity> {
  if (isPostgres(database)) return NO_IDENTITY
  try {
    return await identityOf(database, waiting)
  } catch (error) {
    if (error instanceof Refusal) return NO_IDENTITY
    throw error
  }
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** What came on standard input, decompressed if it is zstd. */
async function* received({ stdin }: Context): AsyncGenerator<Uint8Array> {
  const chunks = stdin.stream()[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const all = (async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  })()
  const isCompressed = Buffer.from(first.value.subarray(0, ZSTD.length)).equals(ZSTD)
  const stream: Transform = createZstdDecompress()
  yield* isCompressed ? Readable.from(all).pipe(stream) : all
}

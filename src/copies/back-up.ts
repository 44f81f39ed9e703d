import type { Keep } from '../domain/copies/keep.ts'
import type { Place } from '../domain/copies/place.ts'
import type { Instant } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { temporaryFileBeside } from '../files/temporary.ts'
import { backUp } from '../store/sqlite/backup/backup.ts'
import type { Contents } from '../store/sqlite/backup/copy.ts'
import { identityOf } from '../store/sqlite/backup/identity.ts'
import type { Waiting } from '../store/wait.ts'
import type { Bucket } from './bucket.ts'
import { prune, refuseFuture, upload } from './copies.ts'
import type { Copy, Note } from './copy.ts'

export interface CopiedElsewhere {
  copy: Omit<Copy & Note, 'contents'> & { contents: Contents }
  /** Older copies that were deleted. */
  removed: Copy[]
}

/** Copies a database to a bucket while it is in use, and deletes older copies of it by the rule of `keep`, if any. */
export async function backUpElsewhere(
  database: string,
  bucket: Bucket,
  place: Place,
  keep: Keep | null,
  now: () => Instant,
  waiting: Waiting,
): Promise<CopiedElsewhere> {
  const { databaseId } = await identityOf(database, waiting)
  await refuseFuture(bucket, place, databaseId, now())
  using scratch = temporaryFileBeside(database)
  const { schema, contents } = await backUp(database, scratch.path, true, waiting)
  const copy = await upload(
    bucket,
    place,
    scratch.path,
    { databaseId, schema, contents: { ...contents } },
    now(),
  )
  try {
    const removed = keep ? await prune(bucket, place, databaseId, keep, now()) : []
    return { copy: { ...copy, contents }, removed }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${copy.address} is good, but older copies could not be deleted. ${error.message}`, {
      hint: error.advice,
      cause: error,
    })
  }
}

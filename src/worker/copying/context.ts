import { readBucketSettings } from '../../config/config.ts'
import { Bucket } from '../../copies/bucket.ts'
import { parseKeep } from '../../domain/copies/keep.ts'
import { placeOf } from '../../domain/copies/place.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import { type WorkerSettings, workerDatabase } from '../settings.ts'
import type { Copying } from './copy-job.ts'

/** What copying needs, from the settings; null if it is not asked for, or the database is no file. */
export function copyingFor(
  { config, env, file, waiting, now }: WorkerSettings,
  { copies: notes }: Bookkeeping,
): Copying | null {
  if (config.backupTo === '' || !notes) return null
  const database = workerDatabase(config)
  const place = placeOf(config.backupTo)
  const bucket = new Bucket(place.bucket, readBucketSettings(env, file))
  const keep = parseKeep(config.backupKeep)
  return { database, bucket, place, every: config.backupEvery, keep, notes, waiting, now }
}

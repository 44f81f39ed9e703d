import { readBucketSettings } from '../../config/config.ts'
import { Bucket } from '../../copies/bucket.ts'
import { parseKeep } from '../../copies/keep.ts'
import { placeOf } from '../../copies/place.ts'
import { isPostgres } from '../../domain/addresses/database.ts'
import { type FollowingSettings, workerDatabase } from '../following/context.ts'
import type { Copying } from './copy-job.ts'

/** What copying needs, from the settings; null if it is not asked for, or the database is no file. */
export function copyingFor({ config, env, file, waiting, now }: FollowingSettings): Copying | null {
  const database = workerDatabase(config)
  if (config.backupTo === '' || isPostgres(database)) return null
  const place = placeOf(config.backupTo)
  const bucket = new Bucket(place.bucket, readBucketSettings(env, file))
  const keep = parseKeep(config.backupKeep)
  return { database, bucket, place, every: config.backupEvery, keep, waiting, now }
}

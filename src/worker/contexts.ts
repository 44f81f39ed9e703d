import { Bucket } from '../backups/bucket.ts'
import { besideDatabase, readBucketSettings } from '../config/config.ts'
import { bucketAddressOf, parseKeep } from '../domain/backups.ts'
import { createTurns } from '../domain/turns.ts'
import { Quotas } from '../sources/quotas.ts'
import type { Bookkeeping } from '../store/bookkeeping/bookkeeping.ts'
import type { BackupSettings } from './backups/backup-job.ts'
import type { Following } from './following/sync-source.ts'
import { type WorkerSettings, workerDatabase } from './settings.ts'

export function checkContextFor(settings: Omit<WorkerSettings, 'waiting' | 'now'>): Following['context'] {
  const { config, env, file } = settings
  const { githubToken, gitlabToken, forgejoToken } = config
  return {
    // Settings may come from a file.
    env: { ...env, GITHUB_TOKEN: githubToken, GITLAB_TOKEN: gitlabToken, FORGEJO_TOKEN: forgejoToken },
    database: workerDatabase(config),
    allowPrivate: config.followPrivate,
    knownHosts: config.followKnownHosts || null,
    gitDirectory: config.followDirectory || besideDatabase(workerDatabase(config), file, 'mirrors'),
    quotas: new Quotas(),
  }
}

export function followingFor(settings: WorkerSettings, bookkeeping: Bookkeeping): Following {
  const { config, waiting, now } = settings
  const database = workerDatabase(config)
  return {
    database,
    bookkeeping,
    waiting,
    now,
    context: checkContextFor(settings),
    picturesMaxBytes: config.picturesMaxBytes,
    imports: createTurns(),
  }
}

/** Null if no backups are asked for, or the database is no file. */
export function backupSettingsFor(
  { config, env, file, waiting, now }: WorkerSettings,
  { backups: notes }: Bookkeeping,
): BackupSettings | null {
  if (config.backupTo === '' || !notes) return null
  const database = workerDatabase(config)
  const place = bucketAddressOf(config.backupTo)
  const bucket = new Bucket(place.bucket, readBucketSettings({ flags: {}, env, file }))
  const keep = parseKeep(config.backupKeep)
  return { database, bucket, place, every: config.backupEvery, keep, notes, waiting, now }
}

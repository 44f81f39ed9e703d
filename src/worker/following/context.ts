import { besideDatabase } from '../../config/config.ts'
import { Quotas } from '../../sources/quotas.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import { type WorkerSettings, workerDatabase } from '../settings.ts'
import type { Following } from './sync-source.ts'

/** What a check needs, from the settings. */
export function checkContextFor({
  config,
  env,
  file,
}: Omit<WorkerSettings, 'waiting' | 'now'>): Following['context'] {
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

/** What following needs, from the settings. */
export function followingFor(settings: WorkerSettings, bookkeeping: Bookkeeping): Following {
  const { config, file, waiting, now } = settings
  const database = workerDatabase(config)
  return {
    ...{ database, bookkeeping, waiting, now },
    context: checkContextFor(settings),
    trash: {
      database,
      directory: config.trashDirectory || besideDatabase(database, file, 'trash'),
      now,
    },
  }
}

import { defaultMirrorDirectory, defaultTrashDirectory } from '../../config/config.ts'
import { Quotas } from '../../sources/quotas.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import { type WorkerSettings, workerDatabase } from '../settings.ts'
import type { Following } from './sync-source.ts'

/** What following needs, from the settings. */
export function followingFor(settings: WorkerSettings, bookkeeping: Bookkeeping): Following {
  const { config, env, file, waiting, now } = settings
  const database = workerDatabase(config)
  const { githubToken, gitlabToken, forgejoToken } = config
  return {
    ...{ database, bookkeeping, waiting, now, random: Math.random },
    given: {
      // Settings may come from a file.
      env: { ...env, GITHUB_TOKEN: githubToken, GITLAB_TOKEN: gitlabToken, FORGEJO_TOKEN: forgejoToken },
      allowPrivate: config.followPrivate,
      knownHosts: config.followKnownHosts || null,
      gitDirectory: config.followDirectory || defaultMirrorDirectory(database, file),
      quotas: new Quotas(),
    },
    trash: {
      database,
      directory: config.trashDirectory || defaultTrashDirectory(database, file),
      now,
    },
  }
}

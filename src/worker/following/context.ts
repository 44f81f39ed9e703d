import {
  type Config,
  defaultMirrorDirectory,
  defaultTrashDirectory,
  type Environment,
} from '../../config/config.ts'
import type { ConfigFile } from '../../config/file.ts'
import type { Instant } from '../../domain/records.ts'
import { Quotas } from '../../sources/quotas.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import type { Waiting } from '../../store/wait.ts'
import type { Following } from './sync-source.ts'

export interface FollowingSettings {
  config: Config
  env: Environment
  /** The configuration file, if any: it tells where a service has its files. */
  file: ConfigFile | null
  waiting: Waiting
  now(): Instant
}

/** The database of a worker. */
export const workerDatabase = ({ workerDatabase, database }: Config): string => workerDatabase || database

/** What following needs, from the settings. */
export function followingFor(settings: FollowingSettings, bookkeeping: Bookkeeping): Following {
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

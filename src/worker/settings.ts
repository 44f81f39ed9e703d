import type { Config, Environment } from '../config/config.ts'
import type { ServiceFile } from '../config/file.ts'
import type { Instant } from '../domain/records.ts'
import type { Waiting } from '../store/wait.ts'

/** What every job is made of. */
export interface WorkerSettings {
  config: Config
  env: Environment
  file: ServiceFile
  waiting: Waiting
  now(): Instant
}

/** The database of a worker. */
export const workerDatabase = ({ workerDatabase, database }: Config): string => workerDatabase || database

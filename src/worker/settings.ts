import type { Config, Environment } from '../config/config.ts'
import type { ConfigFile } from '../config/file.ts'
import type { Instant } from '../domain/records.ts'
import type { Waiting } from '../store/engines/wait.ts'

export interface WorkerSettings {
  config: Config
  env: Environment
  /** The configuration file, if any: it tells where a service has its files. */
  file: ConfigFile | null
  waiting: Waiting
  now(): Instant
}

/** Sent from a server to its worker. */
export type HandedOver = Pick<WorkerSettings, 'config' | 'file'>

export const workerDatabase = ({ workerDatabase, database }: Config): string => workerDatabase || database

import { isPostgres } from '../domain/addresses/database.ts'
import type { Finding } from '../domain/finding.ts'
import type { Instant } from '../domain/records.ts'
import type { Waiting } from './engines/wait.ts'
import type { OpenMode, Serving, Store, ThreadedStore, WritableStore } from './store.ts'

/**
 * Opens the store of the database at an address: a file is SQLite's, a `postgres:` URL PostgreSQL's. Only the code of
 * that engine is loaded. Every function waits for other commands as `waiting` says, and throws a `Refusal` or
 * `Unavailable` if the database cannot be used. `clock` decides which scheduled versions are published.
 */

export async function open(
  address: string,
  mode: OpenMode,
  waiting: Waiting,
  clock: () => Instant = Date.now,
): Promise<WritableStore> {
  const engine = isPostgres(address) ? import('./postgres/commands.ts') : import('./sqlite/commands.ts')
  return (await engine).open(address, mode, waiting, clock)
}

const serving = (address: string) =>
  isPostgres(address) ? import('./postgres/serve.ts') : import('./sqlite/serve.ts')

/** Opens the store of a server, or of one of its threads. */
export const openForServing = async (address: string, options: Serving): Promise<Store> =>
  (await serving(address)).openForServing(address, options)

/** Opens the database for the main thread of a server with several. */
export const openForThreads = async (
  address: string,
  options: Serving,
  threads: number,
): Promise<ThreadedStore> => (await serving(address)).openForThreads(address, options, threads)

/** Opens the store of a server for one request of a command: never creates or migrates a database. */
export const openForOneRequest = async (address: string, waiting: Waiting): Promise<Store> =>
  (await serving(address)).openForOneRequest(address, waiting)

export async function describeEngine(address: string): Promise<{ engine: string; schema: number }> {
  const engine = isPostgres(address) ? import('./postgres/migrations.ts') : import('./sqlite/migrations.ts')
  const { SCHEMA_VERSION } = await engine
  return { engine: isPostgres(address) ? 'postgresql' : 'sqlite', schema: SCHEMA_VERSION }
}

/** Checks the database and its surroundings, whatever their state, and changes nothing. */
export async function checkDatabase(address: string): Promise<Finding[]> {
  const engine = isPostgres(address) ? import('./postgres/doctor.ts') : import('./sqlite/doctor/database.ts')
  return (await engine).checkDatabase(address)
}

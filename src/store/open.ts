import { isPostgres } from '../domain/addresses/database.ts'
import type { Finding } from '../domain/finding.ts'
import type { Instant } from '../domain/records.ts'
import type { ReadableStore, Store, WritableStore } from './store.ts'
import { createWaiting, type Waiting } from './wait.ts'

/**
 * Opens the store of the database at an address: a file is SQLite's, a `postgres:` URL PostgreSQL's. Only what is needed of
 * the one engine is loaded. Every function waits for other commands as `waiting` says, and throws a `Refusal` or
 * `Unavailable` if the database cannot be used. `clock` decides which scheduled versions are published.
 */

/** For a command that only reads: never creates or migrates a database. */
export const openForReading = (
  address: string,
  waiting: Waiting,
  clock: () => Instant = Date.now,
): Promise<ReadableStore> =>
  isPostgres(address)
    ? import('./postgres/write.ts').then((engine) => engine.openForReading(address, waiting, clock))
    : import('./sqlite/read.ts').then((engine) =>
        openFile(address, waiting, () => engine.openForReading(address, waiting, clock)),
      )

/**
 * How a command opens the database for writing: it must exist; it may be created; it may be created even behind a dangling
 * link; or for a dry run.
 */
export type OpenMode = 'existing' | 'creating' | 'migrating' | 'dry run'

/** For a command that writes: migrates the database first if need be, except for a dry run. */
export async function openForWriting(
  address: string,
  use: OpenMode,
  waiting: Waiting,
  clock: () => Instant = Date.now,
): Promise<WritableStore> {
  if (isPostgres(address)) {
    const engine = await import('./postgres/write.ts')
    return engine[OPENERS[use]](address, waiting, clock)
  }
  const engine = await import('./sqlite/write.ts')
  const { resolvedPath } = await import('../files/lookup.ts')
  const path = use === 'migrating' ? resolvedPath(address) : address
  return openFile(path, waiting, () => engine[OPENERS[use]](path, waiting, clock))
}

const OPENERS = {
  existing: 'openExisting',
  creating: 'openForWriting',
  migrating: 'openForWriting',
  'dry run': 'openForDryRun',
} as const satisfies Record<OpenMode, string>

/** For a server: creates and migrates the database first if need be. `report` gets what the operator should know later. */
export async function openForServing(
  address: string,
  waiting: Waiting,
  report: (event: unknown) => void,
  clock: () => Instant = Date.now,
): Promise<Store> {
  if (isPostgres(address))
    return (await import('./postgres/serve.ts')).openForServing(address, waiting, report, clock)
  const { prepareForServing, openForServing } = await import('./sqlite/serve.ts')
  // While that is open, no other process can be in the way of the store, which cannot wait.
  using _ = await prepareForServing(address, waiting, report, clock)
  return openForServing(address, report, clock)
}

/** The main thread’s part of a store that serving threads use. */
export interface ThreadedStore {
  /** What every thread gets, to open the store with `openInThread`. Null if they share nothing. */
  readonly memory: SharedArrayBuffer | null
  /** Checks that the files at the path are still the ones that the threads have open. */
  checkFiles(): Promise<void>
  /** Notes that a thread has ended. */
  forget(thread: number): void
  /** Once all threads have ended. */
  close(): void
}

/** As `openForServing`, for so many threads, which open the store after that. */
export async function openForThreads(
  address: string,
  waiting: Waiting,
  report: (event: unknown) => void,
  threads: number,
): Promise<ThreadedStore> {
  if (isPostgres(address)) {
    await (await import('./postgres/serve.ts')).prepareForServing(address, waiting, report)
    return { memory: null, checkFiles: async () => {}, forget: () => {}, close: () => {} }
  }
  const { prepareForServing, openForServing } = await import('./sqlite/serve.ts')
  const { createSharing } = await import('./sqlite/serving/sharing.ts')
  const sharing = createSharing(threads)
  using _ = await prepareForServing(address, waiting, report)
  const { ping, close } = openForServing(address, report, Date.now, sharing)
  return { ...sharing, checkFiles: () => ping().catch(() => {}), close }
}

/** The store in one of the threads. `checkFiles` has the main thread look at the files. */
export async function openInThread(
  address: string,
  place: { memory: SharedArrayBuffer | null; thread: number; threads: number },
  checkFiles: () => Promise<void>,
  report: (event: unknown) => void,
): Promise<Store> {
  const { memory } = place
  if (memory === null)
    return (await import('./postgres/serve.ts')).openForServing(address, createWaiting(), report)
  return (await import('./sqlite/serve.ts')).openInThread(address, { ...place, memory }, checkFiles)
}

/** The same store, for a command that sends one request: never creates or migrates a database. */
export async function openForOneRequest(address: string, waiting: Waiting): Promise<Store> {
  if (isPostgres(address)) return (await import('./postgres/serve.ts')).openForOneRequest(address)
  const { openForOneRequest } = await import('./sqlite/serve.ts')
  return openFile(address, waiting, () => openForOneRequest(address, waiting))
}

/** The engine of a database, and the schema that this program uses in it. */
export async function describeEngine(address: string): Promise<{ engine: string; schema: number }> {
  if (isPostgres(address)) {
    const { SCHEMA_VERSION } = await import('./postgres/migrations.ts')
    return { engine: 'postgresql', schema: SCHEMA_VERSION }
  }
  const { SCHEMA_VERSION } = await import('./sqlite/migrations.ts')
  return { engine: 'sqlite', schema: SCHEMA_VERSION }
}

/** Checks the database, whatever its state, and what is around it, and changes nothing. */
export async function checkDatabase(address: string): Promise<Finding[]> {
  if (isPostgres(address)) return (await import('./postgres/doctor.ts')).checkDatabase(address)
  return (await import('./sqlite/doctor/database.ts')).checkDatabase(address)
}

/** Opens a file once other commands are done with it, unless the log of another database is beside it. */
async function openFile<S>(path: string, waiting: Waiting, open: () => S): Promise<S> {
  const { refuseStaleWal } = await import('./sqlite/stale-wal.ts')
  refuseStaleWal(path)
  return waiting.untilFree(open)
}

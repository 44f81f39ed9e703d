import type { Instant } from '../domain/records.ts'
import { Unavailable } from '../domain/refusal.ts'
import type { Waiting } from './engines/wait.ts'
import type { Snapshots, StoreReads } from './queries/reads.ts'
import type { Revision } from './queries/types.ts'
import type { Records } from './records/records.ts'
import type { Migration } from './upkeep/migration.ts'
import type { Repaired } from './upkeep/repair.ts'

export * from './queries/types.ts'

/** Older entries are read again before they are served. */
export const CONFIRMED_MS = 1_000

/** How long a snapshot may last: it keeps the engine from reusing the space of old rows. */
export const LONG_READ_MS = 10_000

export class TooLong extends Unavailable {
  constructor() {
    super(`Reading this took longer than ${LONG_READ_MS / 1_000} seconds.`)
  }
}

/** The store of a server, which only reads. Every method may throw `Unavailable` if the engine fails. */
export interface Store extends StoreReads, Snapshots {
  /**
   * A number that differs whenever any process has committed a change, or the clock has passed the time of a scheduled
   * version, in either direction. Synchronous and cheap: a read at one value is valid until it changes. It is the last
   * known one: see `unconfirmedFor`. Compare it only for equality: a restored database may have a lower one.
   */
  revision(): Revision

  /**
   * How many milliseconds ago the question was sent whose answer last confirmed `revision()`: what it says was true
   * then, and may have changed since. Always 0 for SQLite, which is asked at each call. While a PostgreSQL does not
   * answer it grows; when one answers again, `revision()` is the new one before this is low again. It is `CONFIRMED_MS` or
   * more from the moment of a scheduled version until a read has seen that.
   */
  unconfirmedFor(): number

  close(): void
}

export interface Serving {
  /** How to wait for other commands, before the database is created or migrated. */
  waiting: Waiting
  report(event: unknown): void
  clock?: () => Instant
  /** How long a snapshot may last. */
  longReadMs?: number
  /** Which of several threads this is: the main thread has opened the store. */
  thread?: { thread: number; memory: ThreadedStore['memory'] }
}

/** The main thread's part of a store for serving threads. */
export interface ThreadedStore {
  /** Null if they share nothing. */
  readonly memory: SharedArrayBuffer | null
  forget(thread: number): void
  /** To be called once all threads have ended. */
  close(): void
}

/**
 * How a command opens its store. `read` requires this program's schema. `write` requires a database, and migrates it;
 * `create` also creates it, `create behind links` even at a dangling link. A `dry run` keeps nothing: without a
 * database it has a new one.
 */
export type OpenMode = 'read' | 'write' | 'create' | 'create behind links' | 'dry run'

/** Every method may throw `Unavailable` if the engine fails, or another writer does not finish in time. */
export interface WritableStore extends Disposable {
  readonly migration: Migration

  /** Runs `work` on one state of the data, beside any writer. Writes fail. */
  snapshot<T>(work: (records: Records) => Promise<T>): Promise<T>

  /**
   * Runs `work` with the exclusive right to write, after other writers. Its writes are kept as a whole when it
   * resolves, and not at all when it rejects, the process dies, or `commit` is false, for a dry run. One at a time.
   */
  transaction<T>(work: (records: Records) => Promise<T>, options?: { commit: boolean }): Promise<T>

  /** Mends indexes, triggers, views and the tables of triggers. Refuses other faults of the schema. */
  repair(): Promise<Repaired>

  close(): void
}

import type { Migration } from './migration.ts'
import type { StoreReads } from './queries/reads.ts'
import type { Revision } from './queries/types.ts'
import type { Records } from './records/types.ts'

export * from './queries/types.ts'

/** Entries confirmed longer ago are read again before they are served. */
export const CONFIRMED_MS = 1_000

/**
 * The store of a server, which only reads: see `queries/reads.ts` for the reads. Everything is awaited, so that an engine may
 * be on another machine. Every method may throw `Unavailable` when the engine fails.
 */
export interface Store extends StoreReads {
  /**
   * A number that differs whenever any process has committed a change, and whenever the clock has passed the moment of a
   * scheduled version, in either direction. Cheap and synchronous: what was read at one value is valid for as long as the
   * value stays the same. It is the last one known: see `unconfirmedFor`. Compare it by
   * equality alone, as a restored database may have a lower one.
   */
  revision(): Revision

  /**
   * How many milliseconds ago the question was sent whose answer last confirmed `revision()`: what it says was true
   * then, and may have changed since. Always 0 for SQLite, which is asked at each call. While a PostgreSQL does not
   * answer it grows; when one answers again, `revision()` is the new one before this is low again. It is `CONFIRMED_MS` or
   * more from the moment of a scheduled version until a read has seen that.
   */
  unconfirmedFor(): number

  /** Resolves if a real read succeeds. */
  ping(): Promise<void>

  close(): void
}

/**
 * The store of a command that reads. Every method may throw `Unavailable` when the engine fails, or when another
 * writer does not finish in time.
 */
export interface ReadableStore {
  /** Runs `work` on one state of the data, beside any writer. Writing within it fails. */
  snapshot<T>(work: (records: Records) => Promise<T>): Promise<T>

  close(): void
}

/** The store of a command that writes. */
export interface WritableStore extends ReadableStore {
  /** What opening it did to the schema. */
  readonly migration: Migration

  /**
   * Runs `work` with the exclusive right to write, waiting for another writer first. What it wrote is kept
   * whole when its promise resolves, and not at all when it rejects or the process dies; with `commit: false`,
   * a dry run, not at all either. One at a time.
   */
  transaction<T>(work: (records: Records) => Promise<T>, options?: { commit: boolean }): Promise<T>
}

import type { Instant, SourceMemory } from '../../domain/records.ts'
import type { Announced } from './announced.ts'
import type { CopyNotes } from './copies.ts'
import type { Deliveries } from './deliveries.ts'
import type { HookSecrets } from './hook-secrets.ts'

/**
 * What the worker remembers. It is not content: writing it never changes the revision, and exports do not have it. If it
 * is lost, every source is checked again. Every method may throw `Unavailable`.
 */
export interface Bookkeeping extends Disposable {
  readonly leases: Leases
  readonly sourceChecks: SourceChecks
  readonly announced: Announced
  readonly deliveries: Deliveries
  readonly hookSecrets: HookSecrets
  /** Null on PostgreSQL, which is copied by its own tools. */
  readonly copies: CopyNotes | null
  /** Another text whenever anybody has changed the content. Cheap; only equality means something. */
  contentRevision(): Promise<string>
  close(): void
}

/** How long a lease is valid without being renewed: the work of a killed worker is taken over after that. */
export const LEASE_MS = 60_000

/** What tests set otherwise. */
export interface Timing {
  /** Of SQLite: PostgreSQL has its own. */
  clock: () => Instant
  leaseMs: number
}

/** Rights to do something, of which one process at a time has each. On PostgreSQL, the engine's clock counts. */
export interface Leases {
  /** How long one is valid without being renewed. */
  readonly lengthMs: number
  /**
   * Takes the lease, or renews it. False if another process has it: one that was not killed, as far as
   * this machine can tell, and has renewed it in time.
   */
  take(name: string): Promise<boolean>
  release(name: string): Promise<void>
}

export interface SourceCheck {
  /** What was checked, such as its address: a check of another target says nothing. */
  target: string
  memory: SourceMemory
  checkedAt: Instant
  /** When a check last changed something here. */
  changedAt: Instant | null
  /** When the next one is due. */
  nextAt: Instant
  /** How many versions the source had when it was last imported: see transfer/import-followed.ts. */
  size: number | null
  /** Null if the last check succeeded, or if its host has asked for a pause before anything failed. */
  failure: (Trouble & { /** How many checks have failed in a row. */ count: number }) | null
  /** Not null if only the host's wish for a pause keeps it from being checked, until `nextAt`. */
  waiting: Trouble | null
}

/** Why something does not work. */
export interface Trouble {
  since: Instant
  /** A sentence. */
  reason: string
  /** What to do about it, as a sentence or a command. */
  remedy: string | null
}

export interface SourceChecks {
  /** By the id of the source. */
  all(): Promise<ReadonlyMap<string, SourceCheck>>
  find(sourceId: string): Promise<SourceCheck | null>
  put(sourceId: string, check: SourceCheck): Promise<void>
  /** Forgets the checks of sources that are not among these. */
  keepOnly(sourceIds: readonly string[]): Promise<void>
}

import type { Instant } from '../../domain/records.ts'
import { type Announced, announcedRecords } from './announced.ts'
import { type CopyNotes, copyNotes } from './copies.ts'
import { type Deliveries, deliveryRecords } from './deliveries.ts'
import type { BookkeepingEngine } from './engine.ts'
import { type HookSecrets, hookSecretRecords } from './hook-secrets.ts'
import { type Leases, leaseRecords } from './leases.ts'
import { type SourceChecks, sourceCheckRecords } from './source-checks.ts'

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

export const bookkeepingOn = (engine: BookkeepingEngine): Bookkeeping => ({
  leases: leaseRecords(engine),
  sourceChecks: sourceCheckRecords(engine),
  announced: announcedRecords(engine),
  deliveries: deliveryRecords(engine),
  hookSecrets: hookSecretRecords(engine),
  copies: engine.copies && copyNotes(engine, engine.copies),
  contentRevision: engine.contentRevision,
  close: engine.close,
  [Symbol.dispose]: engine.close,
})

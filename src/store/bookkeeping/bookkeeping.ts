import { mapRows } from '../../domain/objects.ts'
import type { Instant } from '../../domain/records.ts'
import { announcedRecords, roundWriter } from './announced.ts'
import { backupNotes } from './backups.ts'
import { deliveryRecords } from './deliveries.ts'
import type { BookkeepingEngine } from './engine.ts'
import { hookSecretRecords } from './hook-secrets.ts'
import { leaseRecords } from './leases.ts'
import { sourceCheckRecords } from './source-checks.ts'
import { writerRecords } from './writers.ts'

export type Bookkeeping = ReturnType<typeof bookkeepingOn>

/** How long a lease is valid without being renewed: the work of a killed worker is taken over after that. */
export const LEASE_MS = 60_000

/** Overridden by tests. */
export interface Timing {
  /** The time on SQLite. PostgreSQL asks the engine. */
  clock: () => Instant
  leaseMs: number
}

/** The worker's memory: see tables/bookkeeping.ts. If it is lost, every source is checked again. */
export function bookkeepingOn(engine: BookkeepingEngine) {
  const run = <Records extends object>(records: Records): Records => {
    const methods = records as Record<string, (...given: unknown[]) => Promise<unknown>>
    return mapRows(
      methods,
      (method) =>
        (...given: unknown[]) =>
          engine.run(() => method(...given)),
    ) as Records
  }
  return {
    leases: { ...run(leaseRecords(engine)), lengthMs: engine.leaseMs },
    sourceChecks: run(sourceCheckRecords(engine)),
    announced: { ...run(announcedRecords(engine)), write: roundWriter(engine) },
    deliveries: run(deliveryRecords(engine)),
    hookSecrets: run(hookSecretRecords(engine)),
    writers: run(writerRecords(engine)),
    /** Null on PostgreSQL, which is backed up by other tools. */
    backups: engine.backups && run(backupNotes(engine, engine.backups)),
    contentRevision: engine.contentRevision,
    close: engine.close,
    [Symbol.dispose]: engine.close,
  }
}

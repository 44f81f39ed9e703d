import { isPostgres } from '../../domain/addresses/database.ts'
import { type Bookkeeping, LEASE_MS, type Timing } from './bookkeeping.ts'

const timed = (timing: Partial<Timing>): Timing => ({ clock: Date.now, leaseMs: LEASE_MS, ...timing })

const engineOf = (address: string) => (isPostgres(address) ? import('./postgres.ts') : import('./sqlite.ts'))

/** Opens it for a worker, beside a database that has this program's schema. On SQLite, creates the file. */
export const openBookkeeping = async (address: string, timing: Partial<Timing> = {}): Promise<Bookkeeping> =>
  (await engineOf(address)).openBookkeeping(address, timed(timing))

/** Opens it for a command that shows it; null if no worker has ever run. */
export const openExistingBookkeeping = async (
  address: string,
  timing: Partial<Timing> = {},
): Promise<Bookkeeping | null> => (await engineOf(address)).openExisting(address, timed(timing))

/** After older content was restored, versions read from a source before may be missing: all sources are read again. */
export async function forgetSourceChecks(address: string): Promise<void> {
  using bookkeeping = await openExistingBookkeeping(address)
  await bookkeeping?.sourceChecks.keepOnly([])
}

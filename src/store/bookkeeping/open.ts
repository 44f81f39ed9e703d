import { isPostgres } from '../../domain/addresses/database.ts'
import type { Instant } from '../../domain/records.ts'
import type { Bookkeeping } from './bookkeeping.ts'

/** For a worker, beside a database that has this program's schema. On SQLite, creates its file. */
export async function openBookkeeping(
  address: string,
  clock: () => Instant = Date.now,
): Promise<Bookkeeping> {
  return isPostgres(address)
    ? (await import('./postgres.ts')).openBookkeeping(address)
    : (await import('./sqlite.ts')).openBookkeeping(address, clock)
}

/** For a command that shows it; null if no worker has ever run. */
export async function openExistingBookkeeping(
  address: string,
  clock: () => Instant = Date.now,
): Promise<Bookkeeping | null> {
  return isPostgres(address)
    ? (await import('./postgres.ts')).openBookkeeping(address)
    : (await import('./sqlite.ts')).openExisting(address, clock)
}

/** After the content was replaced by older one, what was read of a source before may be missing: all are read again. */
export async function forgetSourceChecks(address: string): Promise<void> {
  const bookkeeping = await openExistingBookkeeping(address)
  await bookkeeping?.sourceChecks.keepOnly([])
  bookkeeping?.close()
}

import type { ReservedSQL, SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import type { Instant } from '../../domain/records.ts'
import type { Bulk } from '../records/insert.ts'
import type { Records } from '../records/port.ts'
import { prepareRecords } from '../records/records.ts'
import type { Drizzle } from '../schema.ts'
import type { Waiting } from '../wait.ts'
import { connect } from './connect.ts'
import { engineError } from './errors.ts'
import { databaseIdentity } from './identity.ts'
import { POSTGRES_TABLES } from './tables.ts'

/** The one connection of a command. */
export interface Session {
  address: string
  waiting: Waiting
  clock: () => Instant
  sql: SQL
  isInTransaction: boolean
}

/** How a transaction begins, what is done first, and how it ends. */
export interface Kind {
  begin: string
  prepare(client: ReservedSQL): Promise<unknown>
  end: 'commit' | 'rollback'
}

export const openSession = (address: string, waiting: Waiting, clock: () => Instant): Session => ({
  address,
  waiting,
  clock,
  sql: connect(address, { max: 1 }),
  isInTransaction: false,
})

/** Ends the session if `work`, which goes on with it, fails. */
export async function orClose<T>({ address, sql }: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await sql.close({ timeout: 0 })
    throw engineError(error, address)
  }
}

/**
 * Runs `work` in a transaction: it begins when no other command is in the way any more. One at a time, as there is one
 * connection.
 */
export async function inTransaction<T>(
  session: Session,
  { begin, prepare, end }: Kind,
  work: (client: ReservedSQL) => Promise<T>,
): Promise<T> {
  const { address, waiting, sql } = session
  if (session.isInTransaction) throw new Error('a command runs one transaction at a time')
  session.isInTransaction = true
  try {
    using client = await sql.reserve()
    const orRollBack = async <R>(step: () => Promise<R>): Promise<R> => {
      try {
        return await step()
      } catch (error) {
        await client.unsafe('rollback').catch(() => {})
        throw error
      }
    }
    const lockTimeout = `set local lock_timeout = ${Math.max(1, waiting.attemptMs)}`
    await waiting.untilFree(() =>
      orRollBack(async () => {
        await client.unsafe(`${begin}; ${lockTimeout}`).simple()
        await prepare(client)
      }),
    )
    return await orRollBack(async () => {
      const result = await work(client)
      await client.unsafe(end)
      return result
    })
  } catch (error) {
    throw engineError(error, address)
  } finally {
    session.isInTransaction = false
  }
}

export const recordsOn = (client: ReservedSQL, now: Instant, bulk?: Bulk): Records =>
  prepareRecords({
    ...(bulk && { bulk }),
    db: drizzle({ client }) as unknown as Drizzle,
    tables: POSTGRES_TABLES,
    now,
    identity: () => databaseIdentity(client),
    prepare: (text) => async (values) => {
      await client.unsafe(text, values)
    },
  })

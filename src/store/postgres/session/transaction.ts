import type { ReservedSQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import { createRowBuffer } from '../../records/engine.ts'
import { prepareRecords, type Records } from '../../records/records.ts'
import { POSTGRES_TABLES } from '../../tables/postgres.ts'
import { type Drizzle, typedAs } from '../../tables/schema.ts'
import { before, type Client, OPEN_MS, valuesOf } from '../connect.ts'
import { engineError } from '../errors.ts'
import { commit, recordCommand } from './outcome.ts'
import { backendOf, type Session, unlessSilentOn } from './session.ts'

export interface TransactionMode {
  begin: string
  prepare(client: ReservedSQL): Promise<unknown>
  /** True to commit. */
  writes: boolean
}

/**
 * Runs `work` in a transaction, once no other command is in the way. One at a time, on the one connection. Throws
 * `Unavailable` if nothing was written, and `OutcomeUnknown` if that is not known.
 */
export async function inTransaction<T>(
  session: Session,
  { begin, prepare, writes }: TransactionMode,
  work: (client: ReservedSQL) => Promise<T>,
): Promise<T> {
  const { address, waiting, sql } = session
  if (session.isInTransaction) throw new Error('a command runs one transaction at a time')
  session.isInTransaction = true
  try {
    using reserved = await before(OPEN_MS, address, sql.reserve())
    const backend = await before(OPEN_MS, address, backendOf(reserved))
    const client = unlessSilentOn(session, backend, reserved)
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
    const { result, recorded } = await orRollBack(async () => {
      const result = await work(client)
      const recorded = writes ? await recordCommand(client) : null
      // If no content was written, the result is right whatever happens at the end.
      if (!recorded) await client.unsafe(writes ? 'commit' : 'rollback').catch(() => {})
      return { result, recorded }
    })
    // `commit` finds out what became of a COMMIT without an answer.
    if (recorded) await commit(session, reserved, backend, recorded)
    return result
  } catch (error) {
    throw session.silence ?? engineError(error, address)
  } finally {
    session.isInTransaction = false
  }
}

export const recordsOn = (session: Session, client: ReservedSQL, groupLength = 0): Records =>
  prepareRecords({
    db: typedAs<Drizzle>(drizzle({ client })),
    tables: POSTGRES_TABLES,
    now: session.clock(),
    identity: () => databaseIdentity(client),
    // Rows as JSON need one statement, whatever their number: many times as fast as one for each.
    rows: createRowBuffer(groupLength, async (table, columns, rows) => {
      const names = columns.map((column) => `"${column}"`).join()
      const objects = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
      await client.unsafe(
        `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1::text::json)`,
        [JSON.stringify(objects)],
      )
    }),
  })

/** The identifiers of the server's data and of the database in it; null if this role may not read the first. */
async function databaseIdentity(client: Client): Promise<string | null> {
  // Asked separately: a refused statement would end the transaction.
  const [allowed] = await valuesOf(client, "select has_function_privilege('pg_control_system()', 'execute')")
  if (allowed?.[0] !== true) return null
  const [row] = await valuesOf(
    client,
    `select system_identifier::text || '/' || (select oid from pg_database where datname = current_database())
     from pg_control_system()`,
  )
  return String(row?.[0])
}

import type { Instant } from '../../domain/records.ts'
import type { Waiting } from '../engines/wait.ts'
import { inGroups } from '../records/engine.ts'
import type { OpenMode, WritableStore } from '../store.ts'
import { type Migration, upToDate } from '../upkeep/migration.ts'
import { repair } from '../upkeep/repair.ts'
import { before, close, OPEN_MS } from './connect.ts'
import { engineError } from './errors.ts'
import {
  asking,
  checkCurrent,
  deriveMissing,
  deriveSome,
  isBehind,
  migrate,
  migrationError,
  readMeta,
  SCHEMA_VERSION,
} from './migrations.ts'
import { CONTENT_RULES, schemaFaults } from './schema.ts'
import { openSession, type Session } from './session/session.ts'
import { inTransaction, recordsOn, type TransactionMode } from './session/transaction.ts'

/** Throws a `Refusal` or `Unavailable` if it cannot connect or use the database. */
export async function open(
  address: string,
  mode: OpenMode,
  waiting: Waiting,
  clock: () => Instant,
): Promise<WritableStore> {
  const session = openSession(address, waiting, clock)
  try {
    return storeOn(session, await prepareSchema(session, mode))
  } catch (error) {
    close(session.sql)
    throw engineError(error, address)
  }
}

/** Checks that the database has this program's schema, and migrates it first if the command may. */
async function prepareSchema(session: Session, mode: OpenMode): Promise<Migration> {
  const { address, sql } = session
  // An engine that does not answer the first query is down. Later ones may take long.
  const meta = await before(OPEN_MS, address, readMeta(sql))
  // The dry run of an empty database has a new schema: see `transaction`.
  if (!meta && mode === 'dry run') return upToDate(SCHEMA_VERSION)
  const mayMigrate = mode === 'write' ? meta !== null : mode.startsWith('create')
  if (!mayMigrate || (meta && !(await isBehind(sql, meta))))
    return upToDate(checkCurrent(meta, address).schema)
  let steps = 0
  const alone = (prepare: TransactionMode['prepare']): TransactionMode => ({
    begin: 'begin',
    prepare,
    writes: true,
  })
  const migrating = alone(async (client) => {
    steps = await migrate(client, address)
  })
  const deriving = alone((client) => readMeta(client, 'for update'))
  try {
    await inTransaction(session, migrating, async () => {})
    // In groups, so that nobody waits for all of them: readers may already use what the migration made.
    while (await inTransaction(session, deriving, deriveSome)) {}
  } catch (error) {
    throw migrationError(error, address)
  }
  return { steps, schema: SCHEMA_VERSION, backup: null }
}

function storeOn(session: Session, migration: Migration): WritableStore {
  const { address } = session
  const reading: TransactionMode = {
    begin: 'begin isolation level repeatable read read only',
    // A newer program may have migrated it since it was opened.
    prepare: async (client) => checkCurrent(await readMeta(client), address),
    writes: false,
  }
  const writing = (commit: boolean): TransactionMode => ({
    begin: 'begin',
    // The lock of the one row makes writers wait for each other. A dry run may be of a database without a schema.
    prepare: async (client) => {
      const meta = await readMeta(client, 'for update')
      if (meta || commit) checkCurrent(meta, address)
      else await migrate(client, address)
    },
    writes: commit,
  })
  const end = () => close(session.sql)
  return {
    migration,
    snapshot: (work) => inTransaction(session, reading, (client) => work(recordsOn(session, client))),
    transaction: (work, { commit } = { commit: true }) =>
      inGroups((groupLength) =>
        inTransaction(session, writing(commit), async (client) => {
          const result = await work(recordsOn(session, client, groupLength))
          await deriveMissing(client)
          return result
        }),
      ),
    repair: () =>
      inTransaction(session, writing(true), async (client) => {
        const repaired = await repair(await schemaFaults(client), CONTENT_RULES, asking(client))
        await deriveMissing(client)
        return repaired
      }),
    close: end,
    [Symbol.dispose]: end,
  }
}

import { type Migration, upToDate } from '../migration.ts'
import type { ReadableStore, WritableStore } from '../store.ts'
import type { Waiting } from '../wait.ts'
import { close, OPEN_MS } from './connect.ts'
import { CopyRefused, copyingBulk } from './copy.ts'
import { before } from './deadline.ts'
import { checkCurrent, type Meta, migrate, migrationError, readMeta, SCHEMA_VERSION } from './migrations.ts'
import { counted, openSession, orClose, type Session } from './session.ts'
import { inTransaction, recordsOn, type TransactionMode } from './transaction.ts'

/** The stores of commands. Each function connects, and throws a `Refusal` or `Unavailable` if it cannot. */

/** For a command that only reads: it changes nothing in the database, and cannot. */
export async function openForReading(
  address: string,
  waiting: Waiting,
  clock = Date.now,
): Promise<ReadableStore> {
  const session = openSession(address, waiting, clock)
  return orClose(session, async () => {
    checkCurrent(await askMeta(session), address)
    return readableStore(session)
  })
}

/** For a command that writes to a database that has a schema; migrates it first if need be. */
export async function openExisting(
  address: string,
  waiting: Waiting,
  clock = Date.now,
): Promise<WritableStore> {
  const session = openSession(address, waiting, clock)
  return orClose(session, async () => {
    const meta = await askMeta(session)
    if (!meta) checkCurrent(meta, address)
    return writableStore(session, await migrateIfNeeded(session))
  })
}

/** The same, but creates the schema if there is none. */
export async function openForWriting(
  address: string,
  waiting: Waiting,
  clock = Date.now,
): Promise<WritableStore> {
  const session = openSession(address, waiting, clock)
  return orClose(session, async () => writableStore(session, await migrateIfNeeded(session)))
}

/** For a dry run, which migrates nothing for good: that of an empty database is of one with a new schema. */
export async function openForDryRun(
  address: string,
  waiting: Waiting,
  clock = Date.now,
): Promise<WritableStore> {
  const session = openSession(address, waiting, clock)
  return orClose(session, async () => {
    const meta = await askMeta(session)
    if (meta) checkCurrent(meta, address)
    return writableStore(session, upToDate(meta?.schema ?? SCHEMA_VERSION))
  })
}

/** Migrates the database to this program's schema if it has an older one. */
async function migrateIfNeeded(session: Session): Promise<Migration> {
  const { address } = session
  const meta = await askMeta(session)
  if (meta && meta.schema >= SCHEMA_VERSION) {
    checkCurrent(meta, address)
    return upToDate(meta.schema)
  }
  let steps = 0
  const kind: TransactionMode = {
    begin: 'begin',
    prepare: async (client) => {
      steps = await migrate(client, address)
    },
    end: 'commit',
    writes: true,
  }
  try {
    await inTransaction(session, kind, async () => {})
  } catch (error) {
    throw migrationError(error, address)
  }
  return { steps, schema: SCHEMA_VERSION, backup: null }
}

/** The first question: an engine that does not answer it is away. What comes later may take its time. */
const askMeta = ({ address, sql }: Session): Promise<Meta | null> => before(OPEN_MS, address, readMeta(sql))

function readableStore(session: Session): ReadableStore {
  const { address } = session
  const kind: TransactionMode = {
    begin: 'begin isolation level repeatable read read only',
    // A newer program may have migrated it since it was opened.
    prepare: async (client) => checkCurrent(await readMeta(client), address),
    end: 'commit',
    writes: false,
  }
  return {
    snapshot: (work) => inTransaction(session, kind, (client) => work(recordsOn(session, client))),
    close: () => close(session.sql),
  }
}

function writableStore(session: Session, migration: Migration): WritableStore {
  const { address } = session
  return {
    ...readableStore(session),
    migration,
    transaction: (work, { commit } = { commit: true }) => {
      const kind: TransactionMode = {
        begin: 'begin',
        // The lock of the one row makes writers wait for each other. A dry run may be of a database without a schema.
        prepare: async (client) => {
          const meta = await readMeta(client, 'for update')
          if (meta || commit) checkCurrent(meta, address)
          else await migrate(client, address)
        },
        end: commit ? 'commit' : 'rollback',
        writes: commit,
      }
      return inTransaction(session, kind, (client) =>
        work(
          recordsOn(
            session,
            client,
            copyingBulk(client, (part) => counted(session, part)),
          ),
        ),
      ).catch((error: unknown) => {
        if (!(error instanceof CopyRefused)) throw error
        return inTransaction(session, kind, (client) => work(recordsOn(session, client)))
      })
    },
  }
}

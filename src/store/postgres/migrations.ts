import { databaseName } from '../../domain/addresses/database.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import type { Revision } from '../store.ts'
import { UNDERIVED } from '../tables/derived.ts'
import { awaiting, deriving, GROUP, type Query } from '../upkeep/derivation.ts'
import { migrationFiles } from '../upkeep/migration.ts' with { type: 'macro' }
import { newerSchema, olderSchema } from '../upkeep/migration.ts'
import { type Client, valuesOf } from './connect.ts'
import { postgresError } from './errors.ts'

export const MIGRATIONS = Object.freeze(migrationFiles('postgres'))

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * The oldest schema of a program that can still use the database. A migration that only adds keeps that, so that nodes of
 * both versions can run side by side: an older program keeps a scheduled version hidden, whose status it does not know; what
 * it writes has nothing derived until a worker or a command of a newer one opens it; and a hook that it adds is called by
 * its id.
 */
const OLDEST_PROGRAM = 2

/** The advisory lock of migrations: the letters "clgd", as SQLite's application id. */
const LOCK = 0x636c6764

/** The only row of the table `changelogd`. */
export interface Meta {
  revision: Revision
  schema: number
  oldestProgram: number
}

// Not to_regclass, which misses a table that another program created during a wait for a lock.
const EXISTS = `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relname = 'changelogd' and nspname = any(current_schemas(false))`
/** The first columns of every query for `Meta`. */
export const META_COLUMNS = 'revision, schema, oldest_program'
const META = `select ${META_COLUMNS} from changelogd`

/** Null if there is no schema yet. With `lock`, no other command writes until the transaction ends. */
export async function readMeta(client: Client, lock: '' | 'for update' = ''): Promise<Meta | null> {
  if ((await valuesOf(client, EXISTS)).length === 0) return null
  const [row] = await valuesOf(client, `${META} ${lock}`)
  return metaOf(row)
}

export function metaOf(row: readonly unknown[] | undefined): Meta {
  if (!row) throw new Refusal('The table changelogd is empty.', { hint: 'Restore the database from a dump.' })
  const [revision, schema, oldestProgram] = row.map(Number) as [number, number, number]
  return { revision, schema, oldestProgram }
}

export const WAY_BACK = 'Run the newer program, or restore the dump from before the upgrade.'

export function checkKnown({ schema, oldestProgram }: Meta, address: string): void {
  if (oldestProgram > SCHEMA_VERSION)
    throw newerSchema(databaseName(address), schema, SCHEMA_VERSION, WAY_BACK)
}

/** Refuses a database that must be migrated first, or that this program is too old for. */
export function checkCurrent(meta: Meta | null, address: string): Meta {
  if (meta) checkKnown(meta, address)
  if (!meta || meta.schema < SCHEMA_VERSION)
    throw olderSchema(databaseName(address), meta?.schema ?? 0, SCHEMA_VERSION)
  return meta
}

/** True for an older schema, and if a program of an older one has written versions without derived values since. */
export const isBehind = async (client: Client, { schema }: Meta): Promise<boolean> =>
  schema < SCHEMA_VERSION ||
  (schema === SCHEMA_VERSION &&
    (await valuesOf(client, `select from version where ${UNDERIVED} limit 1`)).length > 0)

/** Migrates within the caller's transaction, but for derived columns; returns the number of steps. Refuses a database of a newer program. */
export async function migrate(transaction: Client, address: string): Promise<number> {
  // If two programs start at once, the second finds the schema of the first.
  await valuesOf(transaction, `select pg_advisory_xact_lock(${LOCK})`)
  const meta = await readMeta(transaction, 'for update')
  if (meta) checkKnown(meta, address)
  const from = meta?.schema ?? 0
  const pending = MIGRATIONS.slice(from)
  for (const sql of pending) await transaction.unsafe(sql).simple()
  if (pending.length === 0) return 0
  await valuesOf(
    transaction,
    `update changelogd set schema = ${SCHEMA_VERSION}, oldest_program = ${OLDEST_PROGRAM},
      revision = revision + 1, raised_by = pg_current_xact_id()`,
  )
  return pending.length
}

/** Writes missing columns derived from labels and changes. */
export const deriveMissing = (client: Client) => awaiting(deriving(), asking(client))
/** Writes the missing columns of some versions. True if others may lack theirs. */
export const deriveSome = (client: Client) => awaiting(deriving(GROUP), asking(client))

export const asking =
  (client: Client) =>
  ({ sql, values }: Query) =>
    valuesOf(client, sql, values)

/** Names the missing rights of a role; returns other errors unchanged. */
export function migrationError(error: unknown, address: string): unknown {
  const state = postgresError(error)?.errno
  if (state !== '42501' && state !== '25006') return error
  return new Refusal(`${databaseName(address)} must be migrated, and this role cannot do that.`, {
    hint: toRun('As the owner of the tables, run', 'migrate'),
    cause: error,
  })
}

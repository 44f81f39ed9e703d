import type { Database } from 'bun:sqlite'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Refusal } from '../../../domain/refusal.ts'
import { APPLICATION_ID } from '../../../files/leftovers.ts'
import { targetPath } from '../../../files/temporary.ts'
import { SQLITE_TABLES } from '../../tables/sqlite.ts'
import type { Waiting } from '../../wait.ts'
import { applicationId, schemaVersion } from '../migrations.ts'
import { connect, databaseExists, missingDatabase } from '../open.ts'
import { copyDatabase } from './copy.ts'
import { hasTable } from './identity.ts'

export interface Backup {
  file: string
  bytes: number
  schema: number
  contents: Contents
}

/** Numbers of records. */
export interface Contents {
  teams: number
  products: number
  versions: number
  keys: number
}

/**
 * Copies the database to `target`, whatever other processes do: the copy is one state of the data, verified, on disk,
 * and readable by its owner only. Changes nothing in the database, not even its schema. Replaces an existing file only
 * with `overwrite`, and never one of a database in use. On failure nothing of the copy remains.
 */
export async function backUp(
  database: string,
  target: string,
  overwrite: boolean,
  waiting: Waiting,
): Promise<Backup> {
  if (!databaseExists(database)) throw missingDatabase(database)
  const place = targetPath(target, database, overwrite)
  using client = await waiting.untilFree(() => connect(database, waiting))
  return await waiting.untilFree(() => {
    if (applicationId(client) !== APPLICATION_ID)
      throw new Refusal(`${database} is empty, so there is nothing to back up.`)
    return copyTo(client, place, overwrite)
  })
}

/** Copies what `client` sees, with the promises of `backUp`. The client must not be in a transaction. */
export function copyTo(client: Database, target: string, overwrite: boolean): Backup {
  const inspect = (copy: Database) => ({ schema: schemaVersion(copy), contents: contentsOf(copy) })
  const { found, ...file } = copyDatabase(client, target, overwrite, inspect)
  return { ...file, ...found }
}

export function contentsOf(client: Database): Contents {
  const { teams, products, versions, keys } = SQLITE_TABLES
  const count = (table: SQLiteTable) => rowCount(client, getTableConfig(table).name)
  return { teams: count(teams), products: count(products), versions: count(versions), keys: count(keys) }
}

/** 0 if the table does not exist, as in a database without a schema. */
function rowCount(client: Database, table: string): number {
  if (!hasTable(client, table)) return 0
  return client.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0
}

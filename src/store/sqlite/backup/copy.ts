import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { fileError } from '../../../files/errors.ts'
import { moveIntoPlace, temporaryFileBeside } from '../../../files/temporary.ts'
import { SQLITE_TABLES } from '../../tables/sqlite.ts'
import { ClosingDatabase } from '../database.ts'
import { engineError, isDamage } from '../errors.ts'
import { hasTable, schemaVersion } from '../migrations.ts'
import { verify } from '../verify.ts'

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
 * Copies what `client` sees to `target`: one state of the data, on disk, readable by its owner only. Refuses a copy
 * with faults. Replaces an existing file only with `overwrite`. On failure nothing of it remains. The client must not
 * be in a transaction.
 */
export function copyDatabase(client: Database, target: string, overwrite: boolean): Backup {
  try {
    using temporary = temporaryFileBeside(target)
    client.query('VACUUM INTO ?').run(temporary.path)
    const found = verified(temporary.path, client.filename)
    const bytes = statSync(temporary.path).size
    moveIntoPlace(temporary.path, target, overwrite)
    return { file: target, bytes, ...found }
  } catch (error) {
    if (isDamage(error)) throw damaged(client.filename, error.message)
    throw fileError(engineError(error, target, `Cannot write ${target}`), target, `Cannot write ${target}`)
  }
}

function verified(path: string, database: string): Pick<Backup, 'schema' | 'contents'> {
  using copy = new ClosingDatabase(path, { readonly: true, strict: true })
  // A foreign index is no reason to go without a backup: doctor and restore name it.
  const fault = verify(copy).find(({ check }) => check !== 'schema')
  if (fault) throw damaged(database, fault.message)
  return { schema: schemaVersion(copy), contents: contentsOf(copy) }
}

const damaged = (database: string, fault: string): Refusal =>
  new Refusal(`${database} is damaged (${fault}), so no backup of it was made.`, {
    hint: toRun('To see what to do', `changelogd doctor --db ${shellWord(database)}`),
  })

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

import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { mapRows } from '../../../domain/objects.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { fileError } from '../../../files/errors.ts'
import { moveIntoPlace, temporaryFileBeside } from '../../../files/temporary.ts'
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

const COUNTED = { teams: 'team', products: 'product', versions: 'version', keys: 'api_key' }

export type Contents = Record<keyof typeof COUNTED, number>

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
    hint: toRun('To see what to do', 'doctor', [], { db: database }),
  })

export const contentsOf = (client: Database): Contents => mapRows(COUNTED, (table) => rowCount(client, table))

/** 0 if the table does not exist, as in a database without a schema. */
function rowCount(client: Database, table: string): number {
  if (!hasTable(client, table)) return 0
  return client.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0
}

/** The id goes with every backup. A restore into a database with content keeps that of the database. */
export function databaseIdOf(client: Database): string | null {
  if (!hasTable(client, 'database_id')) return null
  return client.query<{ id: string }, []>('SELECT id FROM database_id').get()?.id ?? null
}

export const hasContent = (client: Database): boolean =>
  hasTable(client, 'team') && client.query('SELECT 1 FROM team LIMIT 1').get() !== null

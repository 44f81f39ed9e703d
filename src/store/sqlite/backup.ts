import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { Refusal } from '../../domain/refusal.ts'
import { engineError, fileError, isDamage } from './errors.ts'
import { fileAt, moveIntoPlace, placeFor, temporaryFileBeside } from './files.ts'
import { type Contents, contentsOf, foreignKeyFaults, integrityFaults } from './inspect.ts'
import { APPLICATION_ID, applicationId, schemaVersion } from './migrations.ts'
import { connect, WRITER_PATIENCE_MS } from './open.ts'

/** A copy of a database: where it is, and what is in it. */
export interface Copy {
  file: string
  bytes: number
  schema: number
  contents: Contents
}

/**
 * Copies the database to the file `target`, whatever other processes do to it meanwhile: the copy is one state
 * of the data, checked, on the disk, and readable by its owner only. Changes nothing in the database, not even
 * its schema. Refuses to replace a file that is there, unless told to `overwrite`; and always a file that
 * belongs to a database in use. Whatever goes wrong, no part of a copy stays behind.
 */
export function backUp(database: string, target: string, overwrite: boolean): Copy {
  if (!fileAt(database))
    throw new Refusal(`There is no database ${database}, so there is nothing to back up.`)
  const place = placeFor(target, database, overwrite)
  const client = connect(database, WRITER_PATIENCE_MS)
  try {
    if (applicationId(client) !== APPLICATION_ID)
      throw new Refusal(`${database} is empty, so there is nothing to back up.`)
    return copyTo(client, place, overwrite)
  } finally {
    client.close()
  }
}

/** Copies what `client` sees to a file, with the promises of `backUp`. The client must not be in a transaction. */
export function copyTo(client: Database, target: string, overwrite: boolean): Copy {
  try {
    using temporary = temporaryFileBeside(target)
    client.query('VACUUM INTO ?').run(temporary.path)
    const found = checked(temporary.path, client.filename)
    const bytes = statSync(temporary.path).size
    moveIntoPlace(temporary.path, target, overwrite)
    return { file: target, bytes, ...found }
  } catch (error) {
    if (isDamage(error)) throw damaged(client.filename, error.message)
    throw fileError(engineError(error, `Cannot write ${target}`), `Cannot write ${target}`)
  }
}

function checked(copy: string, database: string): { schema: number; contents: Contents } {
  const client = new Database(copy, { readonly: true, strict: true })
  try {
    const fault = integrityFaults(client)[0] ?? foreignKeyFaults(client)[0]
    if (fault !== undefined) throw damaged(database, fault)
    return { schema: schemaVersion(client), contents: contentsOf(client) }
  } finally {
    client.close()
  }
}

const damaged = (database: string, fault: string): Refusal =>
  new Refusal(`${database} is damaged (${fault}), so no copy of it was kept.`, {
    hint: 'To see what to do: changelogd doctor',
  })

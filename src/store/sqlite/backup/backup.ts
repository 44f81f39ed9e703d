import { Refusal } from '../../../domain/refusal.ts'
import { APPLICATION_ID } from '../../../files/leftovers.ts'
import { targetPath } from '../../../files/temporary.ts'
import type { Waiting } from '../../engines/wait.ts'
import { applicationId } from '../migrations.ts'
import { connect, databaseExists, missingDatabase } from '../open.ts'
import { type Backup, copyDatabase, databaseIdOf, hasContent } from './copy.ts'

/**
 * Copies the database as `copyDatabase` does, whatever other processes do. Changes nothing in it, not even its schema.
 * Never replaces a file of a database in use.
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
      throw new Refusal(`${database} is empty. Nothing to back up.`)
    return copyDatabase(client, place, overwrite)
  })
}

/** Tells a database from others with copies at the same place. */
export interface Identity {
  /** Null if there is no database, or it has an older schema, without an id. */
  databaseId: string | null
  hasContent: boolean
}

/** The identity of a missing or unreadable database. */
export const NO_IDENTITY: Identity = { databaseId: null, hasContent: false }

export async function identityOf(database: string, waiting: Waiting): Promise<Identity> {
  if (!databaseExists(database)) return NO_IDENTITY
  using client = await waiting.untilFree(() => connect(database, waiting))
  return { databaseId: databaseIdOf(client), hasContent: hasContent(client) }
}

import type { Database } from 'bun:sqlite'
import type { Waiting } from '../../engines/wait.ts'
import { hasTable } from '../migrations.ts'
import { connect, databaseExists } from '../open.ts'

/** Tells a database from others with copies at the same place. */
export interface Identity {
  /** Null if there is no database, or it has an older schema, without an id. */
  databaseId: string | null
  hasContent: boolean
}

/** The identity of a missing or unreadable database. */
export const NO_IDENTITY: Identity = { databaseId: null, hasContent: false }

/** Changes nothing. */
export async function identityOf(database: string, waiting: Waiting): Promise<Identity> {
  if (!databaseExists(database)) return NO_IDENTITY
  using client = await waiting.untilFree(() => connect(database, waiting))
  return { databaseId: databaseIdOf(client), hasContent: hasContent(client) }
}

/** The id goes with every backup. A restore into a database with content keeps that of the database. */
export function databaseIdOf(client: Database): string | null {
  if (!hasTable(client, 'database_id')) return null
  return client.query<{ id: string }, []>('SELECT id FROM database_id').get()?.id ?? null
}

export const hasContent = (client: Database): boolean =>
  hasTable(client, 'team') && client.query('SELECT 1 FROM team LIMIT 1').get() !== null

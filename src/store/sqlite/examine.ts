import { Database, SQLiteError } from 'bun:sqlite'
import { foreignKeyFaults, integrityFaults, schemaFaults } from './inspect.ts'
import { APPLICATION_ID, applicationId, SCHEMA_VERSION, schemaVersion } from './migrations.ts'

/** What is found in a file that is meant to be the database. */
export interface Examination {
  /** Whether it is a database of changelogd's, or may become one because nothing is in it. */
  owner: 'ours' | 'nobody' | 'others'
  schema: { found: number; known: number; faults: string[] }
  integrity: string[]
  /** Null if the file is damaged, so that nothing could be said about them. */
  foreignKeys: string[] | null
}

/** How long to wait for a process that is just recovering the file. */
const PATIENCE_MS = 2_000

/**
 * Looks at a database without changing it, whatever its state, while others use it. Gives the reason, as a
 * text, if it cannot be read at all.
 */
export function examine(path: string): Examination | string {
  let client: Database | undefined
  try {
    // Not opened read-only: SQLite would then leave the files behind that it needs for reading.
    client = new Database(path, { readwrite: true, create: false, strict: true })
    client.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    client.run('PRAGMA query_only = ON')
    const id = applicationId(client)
    const found = schemaVersion(client)
    const integrity = integrityFaults(client)
    const isEmpty = client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null
    const owner = id === APPLICATION_ID ? 'ours' : id === 0 && found === 0 && isEmpty ? 'nobody' : 'others'
    const isCurrent = owner === 'ours' && found === SCHEMA_VERSION
    return {
      owner,
      schema: { found, known: SCHEMA_VERSION, faults: isCurrent ? schemaFaults(client) : [] },
      integrity,
      foreignKeys: integrity.length > 0 ? null : foreignKeyFaults(client),
    }
  } catch (error) {
    if (error instanceof SQLiteError) return error.message
    throw error
  } finally {
    client?.close()
  }
}

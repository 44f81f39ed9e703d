import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { engineError } from './errors.ts'

/**
 * Prepares each text once: Drizzle would do it for each query, and SQLite compiles all triggers of a write with it. Closes
 * its statements too: SQLite keeps files open while one is left.
 */
export class ClosingDatabase extends Database {
  private readonly statements = new Map<string, Statement>()

  /** Opens an existing file. Not read-only, even to read: SQLite could not remove the auxiliary files that it needs. */
  static existing(path: string, waitMs: number): ClosingDatabase {
    const client = new ClosingDatabase(path, { readwrite: true, create: false, strict: true })
    // First, because everything else may wait for a lock.
    client.run(`PRAGMA busy_timeout = ${waitMs}`)
    return client
  }

  override prepare<Row, Values extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    const statement = this.statements.get(sql) ?? super.prepare(sql)
    this.statements.set(sql, statement)
    return statement as ReturnType<typeof Database.prototype.prepare<Row, Values>>
  }

  override close(): void {
    for (const statement of this.statements.values()) statement.finalize()
    super.close()
  }
}

/** Throws engine failures of `work` translated. */
export function translateErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw engineError(error, file)
  }
}

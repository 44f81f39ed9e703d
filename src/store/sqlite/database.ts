import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'

/**
 * Prepares each text once: Drizzle would do it for each query, and SQLite compiles all triggers of a write with it. Closes
 * its statements too: SQLite keeps files open while one is left.
 */
export class ClosingDatabase extends Database {
  private readonly statements = new Map<string, Statement>()

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

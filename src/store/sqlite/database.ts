import { Database, type SQLQueryBindings } from 'bun:sqlite'

/** Closes its statements too: SQLite keeps files open while one is left, and Drizzle leaves its own. */
export class ClosingDatabase extends Database {
  private readonly statements = new Set<WeakRef<{ finalize(): void }>>()

  override prepare<Row, Values extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, values?: Values) {
    const statement = super.prepare<Row, Values>(sql, values)
    // Weakly, because some commands prepare one for each record.
    this.statements.add(new WeakRef(statement))
    return statement
  }

  override close(): void {
    for (const statement of this.statements) statement.deref()?.finalize()
    super.close()
  }
}

import { Database, type SQLQueryBindings } from 'bun:sqlite'

type Finalizable = WeakRef<{ finalize(): void }>

/** Closes its statements too: SQLite keeps files open while one is left, and Drizzle leaves its own. */
export class ClosingDatabase extends Database {
  /** Weakly, because some commands prepare one for each record. */
  private readonly statements = new Set<Finalizable>()
  private readonly collected = new FinalizationRegistry((one: Finalizable) => this.statements.delete(one))

  override prepare<Row, Values extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, values?: Values) {
    const statement = super.prepare<Row, Values>(sql, values)
    const reference = new WeakRef(statement)
    this.statements.add(reference)
    this.collected.register(statement, reference)
    return statement
  }

  override close(): void {
    for (const statement of this.statements) statement.deref()?.finalize()
    super.close()
  }
}

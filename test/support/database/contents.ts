import { Database } from 'bun:sqlite'

/** Everything in a database but its id, and numbers that say that something was written, table by table and row by row. */
export function contents(path: string): string {
  using db = new Database(path)
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'database_id'",
    )
    .all()
  return JSON.stringify(
    tables
      .map(({ name }) => name)
      .sort()
      .map((name) => [
        name,
        db
          .query(`SELECT * FROM "${name}" ORDER BY 1, 2`)
          .all()
          .map((row) => withoutRevision(row as Record<string, unknown>)),
      ]),
  )
}

/** A restore makes derived pictures anew, which raises it. */
const withoutRevision = ({ revision: _, ...row }: Record<string, unknown>) => row

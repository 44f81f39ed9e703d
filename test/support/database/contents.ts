import { Database } from 'bun:sqlite'

/** Everything in a database but its id, table by table and row by row. */
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
      .map((name) => [name, db.query(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()]),
  )
}

import { type SQL, sql } from 'drizzle-orm'

/**
 * A statement that is prepared when it is first used, and then kept: a command uses few of the statements that there
 * are, but `apply` runs the same ones for every team.
 */
export function prepared<Statement>(prepare: () => Statement): () => Statement {
  let statement: Statement | undefined
  return () => {
    statement ??= prepare()
    return statement
  }
}

/** A value that is given when the statement runs, for `set`, which does not take a placeholder itself. */
export const given = (name: string): SQL => sql`${sql.placeholder(name)}`

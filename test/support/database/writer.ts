import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Sandbox } from '../sandbox.ts'
import type { Child } from '../servers/process.ts'
import { until } from '../until.ts'

export interface Writer {
  readonly child: Child
  /** How many transactions it has committed so far. */
  count(): number
}

/**
 * Starts a process that writes to a database again and again (see `writer-process.ts`), and resolves when it has
 * begun. With a pause between its transactions, others can get the write lock as well.
 */
export async function startWriter(box: Sandbox, database: string, pauseMs = 0): Promise<Writer> {
  const child = box.spawn([
    process.execPath,
    join(import.meta.dir, 'writer-process.ts'),
    database,
    `${pauseMs}`,
  ])
  const count = () => {
    using db = new Database(database, { readonly: true })
    db.run('PRAGMA busy_timeout = 60000')
    const team = db.query<{ name: string }, []>("SELECT name FROM team WHERE slug = 'written'").get()
    return Number(team?.name ?? 0)
  }
  await until(() => {
    if (child.exitCode !== null) throw new Error('the writer has ended')
    return count() > 0
  })
  return { child, count }
}

import type { SQL } from 'bun'
import type { Instant } from '../../domain/records.ts'
import { windowColumns, windowOf } from '../engines/schedule.ts'
import type { Read } from '../queries/read.ts'
import { valuesOf } from './connect.ts'
import type { Seen } from './watch.ts'

/** The stamp of a transaction, from its own snapshot. */
const STAMP = `select revision, ${windowColumns('$1::int8')} from changelogd`

export type ReadTransaction = ReturnType<typeof beginRead>

/**
 * Begins a read-only transaction on a connection of the pool. The client sends concurrent queries in one write, but only
 * template literals or with values: so there are as many round trips as the reads have steps.
 */
export function beginRead(pool: SQL, now: Instant) {
  const reserved = pool.reserve()
  let running: SQL.Query<unknown[][]> | undefined
  let ended: Error | undefined

  const begun = reserved.then((client) =>
    Promise.all([
      client`begin isolation level repeatable read read only`.execute(),
      valuesOf(client, STAMP, [now]).execute(),
    ]),
  )
  const seen = begun.then(([, [row]]): Seen => {
    const [revision, ...window] = row ?? []
    return { revision: Number(revision), window: windowOf(window) }
  })
  seen.catch(() => {})

  return {
    /** The state that all of its reads see. */
    seen,
    read: async <T>(read: Read<T>): Promise<T> => {
      const client = await reserved
      let step = read.next()
      while (!step.done) {
        if (ended) throw ended
        const { statement, values } = step.value
        running = valuesOf(client, statement.sql, values.map(findable))
        // A cancelled statement fails, for this reason.
        const rows = await running.then(null, (error: unknown) => Promise.reject(ended ?? error))
        step = read.next(rows)
      }
      running = undefined
      return step.value
    },
    /** Cancels the running statement, if any. Later reads throw `reason`. */
    end: (reason: Error): void => {
      if (ended) return
      ended = reason
      running?.cancel()
      reserved.then(
        (client) => {
          // Nothing depends on the reply, and later queries on this connection come after it.
          client`commit`.catch(() => {})
          client.release()
        },
        () => {},
      )
    },
  }
}

/** PostgreSQL refuses a text with NUL, even in a lookup. No id or slug has U+0001 either. */
const findable = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\0', '\u0001') : value

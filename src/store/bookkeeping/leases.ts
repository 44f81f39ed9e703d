import { and, eq, sql } from 'drizzle-orm'
import { isAlive, processScope } from '../../files/leftovers.ts'
import { prepared } from '../records/engine.ts'
import { type BookkeepingEngine, isDueAt } from './engine.ts'

/** Rights to do something, of which one process at a time has each. On PostgreSQL, the engine's clock counts. */
export interface Leases {
  /** How long one is valid without being renewed. */
  readonly lengthMs: number
  /**
   * Takes the lease, or renews it. False if another process has it: one that was not killed, as far as
   * this machine can tell, and has renewed it in time.
   */
  take(name: string): Promise<boolean>
  release(name: string): Promise<void>
}

export function leaseRecords(engine: BookkeepingEngine): Leases {
  const { db, tables, preparedNow: now, clock, leaseMs, run } = engine
  const { leases } = tables
  const holder = newHolder()
  const isNamed = eq(leases.name, sql.placeholder('name'))
  const find = prepared(() => db.select().from(leases).where(isNamed))
  const until = sql`${now} + ${leaseMs}`
  const put = prepared(() =>
    db
      .insert(leases)
      .values({ name: sql.placeholder('name'), holder, until })
      .onConflictDoUpdate({
        target: leases.name,
        set: { holder, until },
        setWhere: sql`${leases.holder} in (${holder}, ${sql.placeholder('ended')}) or ${isDueAt(leases.until, now, leaseMs)}`,
      })
      .returning({ name: leases.name }),
  )
  const remove = prepared(() => db.delete(leases).where(and(isNamed, eq(leases.holder, holder))))
  return {
    lengthMs: leaseMs,

    take: async (name) => {
      const [current] = await run(() => find({ name }))
      const ended = current && hasEnded(current.holder) ? current.holder : holder
      return (await run(() => put({ name, ended, now: clock() }))).length > 0
    },

    release: async (name) => {
      await run(() => remove({ name }))
    },
  }
}

/** The process, on its machine and in its container; unique even if the process id is used again. */
const newHolder = (): string => `${processScope()}-${process.pid}-${crypto.randomUUID().slice(0, 8)}`

/** Whether the process of a holder has ended, if it was one of this machine. */
function hasEnded(holder: string): boolean {
  const [scope, pid] = holder.split('-')
  return scope === processScope() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}

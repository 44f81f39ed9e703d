import { and, eq, sql } from 'drizzle-orm'
import { isAlive, processScope } from '../../files/leftovers.ts'
import { type BookkeepingEngine, isDueAt } from './engine.ts'

export type Leases = ReturnType<typeof leaseRecords>

/** Rights to do something, of which one process at a time has each. On PostgreSQL, the engine's clock counts. */
export function leaseRecords(engine: BookkeepingEngine) {
  const { db, tables, now, leaseMs } = engine
  const { leases } = tables
  const holder = newHolder()
  return {
    /** Takes or renews the lease. False if a process has it that renewed it in time, and was not killed here. */
    take: async (name: string): Promise<boolean> => {
      const [current] = await db.select().from(leases).where(eq(leases.name, name))
      const ended = current && hasEnded(current.holder) ? current.holder : holder
      const until = sql`${now()} + ${leaseMs}`
      const taken = await db
        .insert(leases)
        .values({ name, holder, until })
        .onConflictDoUpdate({
          target: leases.name,
          set: { holder, until },
          setWhere: sql`${leases.holder} in (${holder}, ${ended}) or ${isDueAt(leases.until, now(), leaseMs)}`,
        })
        .returning({ name: leases.name })
      return taken.length > 0
    },

    release: async (name: string): Promise<void> =>
      db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder))),
  }
}

/** The process, on its machine and in its container; unique even if the process id is used again. */
const newHolder = (): string => `${processScope()}-${process.pid}-${crypto.randomUUID().slice(0, 8)}`

/** True if the holder was a process of this machine that has ended. */
function hasEnded(holder: string): boolean {
  const [scope, pid] = holder.split('-')
  return scope === processScope() && (Number(pid) === process.pid || !isAlive(Number(pid)))
}

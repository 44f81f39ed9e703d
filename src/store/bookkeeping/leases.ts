import { and, eq, sql } from 'drizzle-orm'
import { isAlive, processScope } from '../../files/leftovers.ts'
import { LEASE_MS, type Leases } from './bookkeeping.ts'
import type { BookkeepingEngine } from './engine.ts'

export function leaseRecords({ db, tables, now, run }: BookkeepingEngine): Leases {
  const { leases } = tables
  const holder = newHolder()
  const isNamed = (name: string) => eq(leases.name, name)
  return {
    take: async (name) => {
      const [current] = await run(() => db.select().from(leases).where(isNamed(name)))
      const ended = current && hasEnded(current.holder) ? current.holder : holder
      const until = sql`${now()} + ${LEASE_MS}`
      const taken = await run(() =>
        db
          .insert(leases)
          .values({ name, holder, until })
          .onConflictDoUpdate({
            target: leases.name,
            set: { holder, until },
            setWhere: sql`${leases.holder} in (${holder}, ${ended}) or ${leases.until} <= ${now()}`,
          })
          .returning({ name: leases.name }),
      )
      return taken.length > 0
    },

    release: async (name) => {
      await run(() => db.delete(leases).where(and(isNamed(name), eq(leases.holder, holder))))
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

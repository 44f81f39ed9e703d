import { type Buckets, createTable, Limiter, lockOf, type Rule } from './limiter.ts'
import { releaseFor } from './lock.ts'
import { RedisScript } from './redis-script.ts'
import { PROBE, SCRIPT, SharedLimiter } from './shared-limiter.ts'

/** The buckets of a server. */
export interface Limits {
  /** For public requests. */
  requests: Buckets
  /** For wrong passwords: a client that has emptied its own is refused at the gate. */
  failedLogins: Buckets
  close(): void
}

/** The memory in which the threads of a server have one bucket for every client. */
export interface Tables {
  readonly requests: ArrayBufferLike
  readonly failedLogins: ArrayBufferLike
}

export const createTables = (allocate: new (bytes: number) => ArrayBufferLike): Tables => ({
  requests: createTable(allocate),
  failedLogins: createTable(allocate),
})

/** Lets the other threads go on after one has ended, whatever it was doing. */
export function releaseTables({ requests, failedLogins }: Tables, owner: number): void {
  for (const table of [requests, failedLogins]) releaseFor(lockOf(table), owner)
}

/** What a thread needs to take part: its number, and a clock that is the same for all of them. */
export interface Part {
  readonly tables: Tables
  readonly owner: number
  now(): number
}

const alone = (): Part => ({ tables: createTables(ArrayBuffer), owner: 1, now: () => performance.now() })

/** Buckets of this server alone. */
export function ownLimits(rule: Rule, { tables, owner, now }: Part = alone()) {
  const limiter = (table: ArrayBufferLike) => new Limiter(rule, now, table, owner)
  return {
    requests: limiter(tables.requests),
    failedLogins: limiter(tables.failedLogins),
    close: () => {},
  } satisfies Limits
}

/**
 * Buckets in the Redis at that URL, once it has been tried; `own` while it does not work. `report` is told when it stops
 * working, which is also when a call takes longer than `callMs`, and when it works again.
 */
export async function sharedLimits(
  rule: Rule,
  url: string,
  report: (event: string) => void,
  own: ReturnType<typeof ownLimits>,
  callMs?: number,
): Promise<Limits> {
  const script = new RedisScript(url, SCRIPT, PROBE, report, callMs)
  await script.start()
  return {
    requests: new SharedLimiter('requests', rule, own.requests, script),
    failedLogins: new SharedLimiter('logins', rule, own.failedLogins, script),
    close: () => script.close(),
  }
}

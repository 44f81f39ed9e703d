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
  /** How many threads are without Redis, and then whether each of them is. */
  readonly outages: Int32Array
}

export const createTables = (threads: number): Tables => ({
  requests: createTable(SharedArrayBuffer),
  failedLogins: createTable(SharedArrayBuffer),
  outages: new Int32Array(new SharedArrayBuffer((1 + threads) * Int32Array.BYTES_PER_ELEMENT)),
})

/** Lets the other threads go on after one has ended, whatever it was doing. */
export function releaseTables(tables: Tables, { owner, thread }: Pick<Part, 'owner' | 'thread'>): void {
  for (const table of [tables.requests, tables.failedLogins]) releaseFor(lockOf(table), owner)
  endOutage(tables, thread)
}

/** What a thread needs to take part. */
export interface Part {
  readonly tables: Tables
  /** Its place among the threads, from 0 on. */
  readonly thread: number
  /** A positive number that no other thread has or had. */
  readonly owner: number
  /** A clock that is the same for all threads. */
  now(): number
}

/** For a server with one thread. */
function alone(): Part {
  let failedLogins: ArrayBuffer | undefined
  const tables = {
    requests: createTable(ArrayBuffer),
    /** It is large, and only a server with a password needs it: allocated at the start, it would make that slower. */
    get failedLogins() {
      failedLogins ??= createTable(ArrayBuffer)
      return failedLogins
    },
    outages: new Int32Array(2),
  }
  return { tables, thread: 0, owner: 1, now: () => performance.now() }
}

/** Buckets of this server alone. */
export function ownLimits(rule: Rule, { tables, owner, now }: Part = alone()) {
  const limiter = (table: ArrayBufferLike) => new Limiter(rule, now, table, owner)
  let failedLogins: Limiter | undefined
  return {
    requests: limiter(tables.requests),
    get failedLogins() {
      failedLogins ??= limiter(tables.failedLogins)
      return failedLogins
    },
    close: () => {},
  } satisfies Limits
}

/**
 * Buckets in the Redis at that URL, once it has been tried. `report` is told when it stops working, which is also when a
 * call takes longer than `callMs`, and when it works again: by the first thread of a server, and by the last.
 */
export async function sharedLimits(
  rule: Rule,
  url: string,
  report: (event: string) => void,
  { part = alone(), callMs }: { part?: Part | undefined; callMs?: number } = {},
): Promise<Limits> {
  const { tables, thread } = part
  const note = (event: string, works: boolean) => {
    if (works ? endOutage(tables, thread) : beginOutage(tables, thread)) report(event)
  }
  const script = new RedisScript(url, SCRIPT, PROBE, note, callMs)
  await script.start()
  const own = ownLimits(rule, part)
  return {
    requests: new SharedLimiter('requests', rule, own.requests, script),
    failedLogins: new SharedLimiter('logins', rule, own.failedLogins, script),
    close: () => script.close(),
  }
}

/** Notes that a thread is without Redis. Says whether it is the first. */
function beginOutage({ outages }: Tables, thread: number): boolean {
  return Atomics.exchange(outages, 1 + thread, 1) === 0 && Atomics.add(outages, 0, 1) === 0
}

/** Notes that a thread is not without Redis. Says whether it was the last. */
function endOutage({ outages }: Tables, thread: number): boolean {
  return Atomics.exchange(outages, 1 + thread, 0) === 1 && Atomics.sub(outages, 0, 1) === 1
}

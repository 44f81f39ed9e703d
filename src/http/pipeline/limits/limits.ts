import { Notice } from '../../../domain/notice.ts'
import { type Buckets, createTable, Limiter, lockOf, type RateLimit } from './limiter.ts'
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

export const createTables = (): Tables => ({
  requests: createTable(SharedArrayBuffer),
  failedLogins: createTable(SharedArrayBuffer),
})

/** Releases the locks of a thread that has ended. */
export function releaseTables(tables: Tables, owner: number): void {
  for (const table of [tables.requests, tables.failedLogins]) releaseFor(lockOf(table), owner)
}

/** What a thread needs to share the limiter. */
export interface LimiterShare {
  readonly tables: Tables
  /** A positive number that no other thread has or had. */
  readonly owner: number
  /** A clock that is the same for all threads. */
  now(): number
}

/** For a server with one thread. */
function alone(): LimiterShare {
  let failedLogins: ArrayBuffer | undefined
  const tables = {
    requests: createTable(ArrayBuffer),
    /** It is large, and only a server with a password needs it: allocated at the start, it would make that slower. */
    get failedLogins() {
      failedLogins ??= createTable(ArrayBuffer)
      return failedLogins
    },
  }
  return { tables, owner: 1, now: () => performance.now() }
}

/** Buckets of this server alone. */
export function ownLimits(rule: RateLimit, { tables, owner, now }: LimiterShare = alone()) {
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

/** What happened to Redis, for the operator. */
export const redisNotice = (event: string, works: boolean): Notice =>
  works ? new Notice('redis_back', event) : new Notice('redis_lost', event, 'warning')

/**
 * Buckets in the Redis at that URL, once it has been tried. `report` is told when it stops working, which is also when a
 * call takes longer than `callMs`, and when it works again.
 */
export async function sharedLimits(
  rule: RateLimit,
  url: string,
  report: (event: string, works: boolean) => void,
  { part = alone(), callMs }: { part?: LimiterShare | undefined; callMs?: number } = {},
): Promise<Limits> {
  const script = new RedisScript(url, SCRIPT, PROBE, report, callMs)
  await script.start()
  const own = ownLimits(rule, part)
  return {
    requests: new SharedLimiter('requests', rule, own.requests, script),
    failedLogins: new SharedLimiter('logins', rule, own.failedLogins, script),
    close: () => script.close(),
  }
}

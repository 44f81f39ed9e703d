import { Notice } from '../../domain/notice.ts'
import { type Buckets, createTable, Limiter, type RateLimit } from './limiter.ts'
import { RedisScript } from './redis-script.ts'
import { PROBE, SCRIPT, SharedLimiter } from './shared-limiter.ts'

export interface Limits {
  requests: Buckets
  /** For wrong passwords: with an empty bucket, a client is blocked at the gate. */
  failedLogins: Buckets
  close(): void
}

/** Memory for one limiter in all threads of a server. */
export interface Tables {
  readonly requests: ArrayBufferLike
  readonly failedLogins: ArrayBufferLike
}

export const createTables = (memory: new (bytes: number) => ArrayBufferLike): Tables => ({
  requests: createTable(memory),
  failedLogins: createTable(memory),
})

/** The share of a thread in the limiter. */
export interface LimiterShare {
  readonly tables: Tables
  /** One clock for all threads. */
  now(): number
}

const alone = (): LimiterShare => ({
  tables: createTables(ArrayBuffer),
  now: () => performance.now(),
})

export function ownLimits(rule: RateLimit, { tables, now }: LimiterShare = alone()) {
  const limiter = (table: ArrayBufferLike) => new Limiter(rule, now, table)
  return {
    requests: limiter(tables.requests),
    failedLogins: limiter(tables.failedLogins),
    close: () => {},
  } satisfies Limits
}

export const redisNotice = (event: string, works: boolean): Notice =>
  works ? new Notice('redis_back', event) : new Notice('redis_lost', event, 'warning')

/** Buckets in Redis, which is tried first. `report` is called when it fails or is too slow, and when it works again. */
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

import { type Buckets, Limiter, type Rule } from './limiter.ts'
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

/** Buckets of this server alone. */
export function ownLimits(rule: Rule) {
  const limiter = () => new Limiter(rule, () => performance.now())
  let failedLogins: Limiter | undefined
  return {
    requests: limiter(),
    /** Its table is large, and only a server with a password needs it. */
    get failedLogins() {
      failedLogins ??= limiter()
      return failedLogins
    },
    close: () => {},
  } satisfies Limits
}

/**
 * Buckets in the Redis at that URL, once it has been tried. `report` is told when it stops working, which is also when a
 * call takes longer than `callMs`, and when it works again.
 */
export async function sharedLimits(
  rule: Rule,
  url: string,
  report: (event: string) => void,
  callMs?: number,
): Promise<Limits> {
  const script = new RedisScript(url, SCRIPT, PROBE, report, callMs)
  await script.start()
  const own = ownLimits(rule)
  return {
    requests: new SharedLimiter('requests', rule, own.requests, script),
    failedLogins: new SharedLimiter('logins', rule, own.failedLogins, script),
    close: () => script.close(),
  }
}

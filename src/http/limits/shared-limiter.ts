import type { Address } from '../../domain/addresses/ip-address.ts'
import { type Buckets, clientName, type Limiter, type Rate, type RateLimit } from './limiter.ts'
import type { RedisScript } from './redis-script.ts'

/** One token in the script's units: then a microsecond regains a whole number of them. */
const TOKEN = 60_000_000

/**
 * The bucket of `limiter.ts`, by the clock of Redis and in whole numbers, so that it is exact for any number of
 * servers. A bucket is stored as what it lacked and when; it expires when it is full. Returns what it lacked before;
 * negative if it has no token left.
 */
export const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local regained, capacity, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local lacks, at = 0, now
-- What is no bucket counts as a full one, and is written over: it must not stop the limit of other clients.
local stored = redis.pcall('GET', KEYS[1])
local before, moment = string.match(type(stored) == 'string' and stored or '', '^(%d+) (%d+)$')
if before then
  at = tonumber(moment)
  lacks = math.max(0, tonumber(before) - math.max(0, now - at) * regained)
end
local allowed = lacks + (cost > 0 and cost or ${TOKEN}) <= capacity
local after = allowed and lacks + cost or lacks
-- A clock that was set back must not stop the bucket from filling.
if (allowed and cost > 0) or now < at then
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', after, now), 'PX', math.ceil(after / regained / 1000) + 1)
end
return allowed and lacks or -lacks
`

/** A call that writes, so that it fails where a real one would. */
export const PROBE = { key: 'changelogd:probe', args: ['1000000', String(1_000_000 * TOKEN), String(TOKEN)] }

/**
 * Buckets in Redis, shared by all servers with the same limits. While Redis does not answer, the server's own buckets
 * decide. They are charged for every request, so that losing Redis is no second burst.
 *
 * The key of a bucket contains the client's address: a hash would need a secret on every server, and hide nothing from
 * those who can read Redis. No client can choose another's key.
 */
export class SharedLimiter implements Buckets {
  readonly policy: string
  private readonly prefix: string
  private readonly regained: string
  private readonly capacity: string

  /** `name` is the kind of bucket. Other limits have other keys, because their buckets are not comparable. */
  constructor(
    name: string,
    private readonly rule: RateLimit,
    private readonly own: Limiter,
    private readonly script: RedisScript,
  ) {
    this.policy = own.policy
    this.prefix = `changelogd:${name}:${rule.burst}/${rule.perMinute}:`
    this.regained = String(rule.perMinute)
    this.capacity = String(rule.burst * TOKEN)
  }

  take(client: Address, tokens = 1): Rate | Promise<Rate> {
    return this.ask(client, TOKEN * tokens, this.own.take(client, tokens), tokens)
  }

  check(client: Address): Rate | Promise<Rate> {
    return this.ask(client, 0, this.own.check(client), 1)
  }

  private ask(client: Address, cost: number, own: Rate, tokens: number): Rate | Promise<Rate> {
    const key = this.prefix + clientName(client)
    const answer = this.script.run(key, [this.regained, this.capacity, String(cost)])
    if (answer === null) return own
    return answer.then((lacks) =>
      lacks === null ? own : this.own.rate(lacks >= 0, Math.abs(lacks) / this.rule.perMinute / 1000, tokens),
    )
  }
}

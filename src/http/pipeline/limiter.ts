import { type Address, isV4 } from '../../domain/ip-address.ts'

/** The state of a client's bucket after a request, for the response's headers. */
export interface Rate {
  allowed: boolean
  /** How many more requests are allowed right now. */
  remaining: number
  /** Seconds until the bucket is full again. */
  reset: number
  /** Seconds until the next request is allowed; 0 if it is allowed now. */
  retryAfter: number
}

const ROWS = 2
const SLOTS = 2 ** 18

/**
 * A token bucket for every client address: `burst` tokens, of which `perMinute` are regained per minute. An IPv6
 * client is its /64, which is what one subscriber gets; an IPv4 client is its address.
 *
 * A bucket is one number, the moment at which it is full again. It is stored in a table of fixed size, in two
 * slots chosen by secret hashes of the address; the earlier moment counts, and both slots are written. Where
 * another client shares both slots at once, a client may be charged for its requests. But no client is ever
 * allowed more than its share, no bucket is evicted that an attacker would like forgotten, and a million addresses
 * take as much memory as one.
 */
export class Limiter {
  private readonly full = new Float64Array(ROWS * SLOTS)
  private readonly seeds = crypto.getRandomValues(new Uint32Array(ROWS))
  private readonly interval: number
  private readonly capacity: number
  /** The `RateLimit-Policy` header, the same on every response. */
  readonly policy: string

  /** `now` is a clock in milliseconds that never runs backwards. */
  constructor(
    { burst, perMinute }: { burst: number; perMinute: number },
    private readonly now: () => number,
  ) {
    this.interval = 60_000 / perMinute
    this.capacity = burst * this.interval
    this.policy = `"public";q=${burst};w=${Math.ceil(this.capacity / 1000)}`
  }

  /** Takes a token from the client's bucket, if it has one. */
  take(client: Address): Rate {
    const now = this.now()
    const first = this.slot(0, client)
    const second = this.slot(1, client)
    const full = Math.max(now, this.fullAt(first, second))
    const after = full + this.interval
    const left = this.left(after, now)
    if (left < 0)
      return {
        allowed: false,
        remaining: 0,
        reset: seconds(full - now),
        retryAfter: Math.max(1, seconds(after - now - this.capacity)),
      }
    this.full[first] = Math.max(this.full[first] as number, after)
    this.full[second] = Math.max(this.full[second] as number, after)
    return { allowed: true, remaining: Math.floor(left), reset: seconds(after - now), retryAfter: 0 }
  }

  /** Whether `take` would be refused. */
  isEmpty(client: Address): boolean {
    const full = this.fullAt(this.slot(0, client), this.slot(1, client))
    return this.left(full + this.interval, this.now()) < 0
  }

  /** The number of tokens in a bucket that is full again at that moment. */
  private left(full: number, now: number): number {
    // Rounding makes sums of fractions slightly too small.
    return (this.capacity - (full - now)) / this.interval + 1e-6
  }

  private fullAt(first: number, second: number): number {
    return Math.min(this.full[first] as number, this.full[second] as number)
  }

  /** The index of the client's slot in a row of the table. */
  private slot(row: number, client: Address): number {
    const seed = this.seeds[row] as number
    const hashed = isV4(client) ? mix(mix(seed, 4), client[3]) : mix(mix(mix(seed, 6), client[0]), client[1])
    return row * SLOTS + (hashed & (SLOTS - 1))
  }
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000 - 1e-9)

function mix(state: number, word: number): number {
  let mixed = Math.imul(state ^ word, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

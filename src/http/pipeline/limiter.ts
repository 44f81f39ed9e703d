import { type Address, isV4 } from '../../domain/ip-address.ts'
import { newSipKey, sipHash } from './sip-hash.ts'

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

const SLOTS = 2 ** 18

/**
 * A token bucket for every client address: `burst` tokens, of which `perMinute` are regained per minute. An IPv6
 * client is its /64, which is what one subscriber gets; an IPv4 client is its address.
 *
 * A bucket is one number, the moment at which it is full again. It is stored in a table of fixed size, in two
 * slots chosen by a secret hash of the address; the earlier moment counts, and both slots are written. Where
 * another client shares both slots at once, a client may be charged for its requests. But no client is ever
 * allowed more than its share, no bucket is evicted that an attacker would like forgotten, no client can find out who
 * shares a slot with whom, and a million addresses take as much memory as one.
 */
export class Limiter {
  /** Two rows of slots. */
  private readonly full = new Float64Array(2 * SLOTS)
  private readonly key = newSipKey()
  /** The hash of the last client, of which each word chooses a slot in one row. */
  private readonly hash = new Uint32Array(2)
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
    this.hashClient(client)
    const first = this.slot(0)
    const second = this.slot(1)
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
    this.hashClient(client)
    const full = this.fullAt(this.slot(0), this.slot(1))
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

  private hashClient(client: Address): void {
    if (isV4(client)) sipHash(this.key, 4, 0, client[3], this.hash)
    else sipHash(this.key, 6, client[0], client[1], this.hash)
  }

  /** The slot of the client that was hashed last, in one of the rows. */
  private slot(row: 0 | 1): number {
    return row * SLOTS + ((this.hash[row] as number) & (SLOTS - 1))
  }
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000 - 1e-9)

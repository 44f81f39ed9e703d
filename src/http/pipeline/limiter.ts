import { type Address, isV4 } from '../../domain/address.ts'

/** What a request cost its client, for the answer's headers. */
export interface Rate {
  allowed: boolean
  /** How many more requests would be allowed right now. */
  remaining: number
  /** In how many seconds the bucket is full again. */
  reset: number
  /** In how many seconds the next request is allowed; 0 if it is now. */
  retryAfter: number
}

const ROWS = 2
const SLOTS = 2 ** 18

/**
 * A token bucket for every client address: `burst` tokens, `perMinute` of them won back each minute. An IPv6
 * client is its /64, since that is what one subscriber is given; an IPv4 one is its address.
 *
 * A bucket is one number, the moment at which it is full again. It is kept in a table of fixed size, at two
 * places chosen by secret hashes of the address; the place that says less decides, and both are written. Where
 * addresses share a place, a client may be charged for a stranger's request, if that happens at both places
 * at once. But nobody is ever allowed more than his share, nothing is evicted that an attacker could want
 * forgotten, and a million addresses take as much memory as one.
 */
export class Limiter {
  private readonly full = new Float64Array(ROWS * SLOTS)
  private readonly seeds = crypto.getRandomValues(new Uint32Array(ROWS))
  private readonly interval: number
  private readonly capacity: number
  /** The header that states the rule: the same on every answer. */
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

  /** Takes a token from the client's bucket, if there is one. */
  take(client: Address): Rate {
    const now = this.now()
    const first = this.place(0, client)
    const second = this.place(1, client)
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
    const full = this.fullAt(this.place(0, client), this.place(1, client))
    return this.left(full + this.interval, this.now()) < 0
  }

  /** How many tokens a bucket has that is full again at a moment. */
  private left(full: number, now: number): number {
    // Sums of fractions fall a hair short of what they should be.
    return (this.capacity - (full - now)) / this.interval + 1e-6
  }

  private fullAt(first: number, second: number): number {
    return Math.min(this.full[first] as number, this.full[second] as number)
  }

  /** Where in a row of the table the client's bucket is. */
  private place(row: number, client: Address): number {
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

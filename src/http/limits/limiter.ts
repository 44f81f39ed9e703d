import { type Address, isV4 } from '../../domain/addresses/ip-address.ts'

/** A token bucket per client. Buckets in Redis return promises. */
export interface Buckets {
  /** The `RateLimit-Policy` header, the same on every response. */
  readonly policy: string
  /** `tokens` may be a part of one. */
  take(client: Address, tokens?: number): Rate | Promise<Rate>
  /** The result of `take`, without taking a token. */
  check(client: Address): Rate | Promise<Rate>
}

/** Tokens in a full bucket, and tokens regained per minute. */
export interface RateLimit {
  burst: number
  perMinute: number
}

/** The state of a bucket after a request, for headers. */
export interface Rate {
  allowed: boolean
  /** Requests allowed right now. */
  remaining: number
  /** Seconds until the bucket is full again. */
  reset: number
  /** Seconds until the next request is allowed; 0 if it is allowed now. */
  retryAfter: number
}

/** The `RateLimit` header. */
export const rateText = ({ remaining, reset }: Rate): string => `"public";r=${remaining};t=${reset}`

export const rateHeaders = (rate: Rate, { policy }: Buckets): Record<string, string> => ({
  'ratelimit-policy': policy,
  ratelimit: rateText(rate),
})

const SLOTS = 2 ** 18
/** A hash is two numbers of a slot. */
const HASH_MASK = BigInt(SLOTS * SLOTS - 1)

/** Offsets in a table: a lock, the secret seed of the hash, the latest time, and two rows of slots. */
const SEED_AT = 8
const LATEST_AT = 16
const SLOTS_AT = 24
const TABLE_BYTES = SLOTS_AT + 2 * SLOTS * Float64Array.BYTES_PER_ELEMENT

/** Memory for the buckets of a limiter, for one thread or shared by several. */
export function createTable<Memory extends ArrayBufferLike>(allocate: new (bytes: number) => Memory): Memory {
  const table = new allocate(TABLE_BYTES)
  crypto.getRandomValues(seedIn(table))
  return table
}

const seedIn = (table: ArrayBufferLike) => new BigUint64Array(table, SEED_AT, 1)

/**
 * A token bucket for every client: `burst` tokens, of which `perMinute` are regained per minute. An IPv6 client is its
 * /64, which is what one subscriber gets; an IPv4 client is its address.
 *
 * A bucket is one number, the time at which it is full again, in a table of fixed size: in two slots chosen by a secret
 * hash of the address. The earlier time counts, and both slots are written. A client that shares both slots with others
 * may be charged for their requests. But no client gets more than its share, no bucket is ever evicted, nobody can find
 * out who shares a slot, and a million addresses take as much memory as one.
 *
 * Limiters of several threads over one table act as one: a lock makes them take turns.
 */
export class Limiter implements Buckets {
  private readonly full: Float64Array
  private readonly seed: bigint
  private readonly lock: Int32Array
  /** The latest time of any thread. With a clock that is behind, a bucket would lack the difference. */
  private readonly latest: Float64Array
  private readonly words = new Uint32Array(3)
  private readonly interval: number
  private readonly capacity: number
  readonly policy: string

  /** `now` is a monotonic clock in milliseconds, which may differ a little between threads. */
  constructor(
    { burst, perMinute }: RateLimit,
    private readonly now: () => number,
    table: ArrayBufferLike = createTable(ArrayBuffer),
  ) {
    this.full = new Float64Array(table, SLOTS_AT)
    this.seed = seedIn(table)[0] as bigint
    this.lock = new Int32Array(table)
    this.latest = new Float64Array(table, LATEST_AT)
    this.interval = 60_000 / perMinute
    this.capacity = burst * this.interval
    this.policy = `"public";q=${burst};w=${Math.ceil(this.capacity / 1000)}`
  }

  take(client: Address, tokens = 1): Rate {
    return this.ask(client, true, tokens)
  }

  check(client: Address): Rate {
    return this.ask(client, false, 1)
  }

  private ask(client: Address, isTaking: boolean, tokens: number): Rate {
    const { words } = this
    // Clients with the same `clientName` share a bucket.
    words[0] = client[0]
    words[1] = client[1]
    words[2] = isV4(client) ? client[3] : 0
    const hash = Number(Bun.hash.xxHash3(words, this.seed) & HASH_MASK)
    const first = hash % SLOTS
    const second = SLOTS + Math.floor(hash / SLOTS)
    const clock = this.now()
    acquire(this.lock)
    const now = Math.max(clock, this.latest[0] as number)
    this.latest[0] = now
    const full = Math.max(now, Math.min(this.full[first] as number, this.full[second] as number))
    const after = full + this.interval * tokens
    const allowed = this.left(after - now) >= 0
    if (isTaking && allowed) {
      this.full[first] = Math.max(this.full[first] as number, after)
      this.full[second] = Math.max(this.full[second] as number, after)
    }
    release(this.lock)
    return this.rate(allowed, full - now, tokens)
  }

  /** The result for a client whose bucket is full after so many milliseconds. */
  rate(allowed: boolean, untilFull: number, tokens: number): Rate {
    const after = untilFull + this.interval * tokens
    return allowed
      ? { allowed, remaining: Math.floor(this.left(after)), reset: seconds(after), retryAfter: 0 }
      : {
          allowed,
          remaining: 0,
          reset: seconds(untilFull),
          retryAfter: Math.max(1, seconds(after - this.capacity)),
        }
  }

  /** The tokens in a bucket that is full after so many milliseconds. */
  private left(untilFull: number): number {
    // Rounding makes sums of fractions slightly too small.
    return (this.capacity - untilFull) / this.interval + 1e-6
  }
}

export const clientName = (client: Address): string =>
  isV4(client) ? `4:${hex(client[3])}` : `6:${hex(client[0])}${hex(client[1])}`

const hex = (word: number): string => word.toString(16).padStart(8, '0')

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000 - 1e-9)

/** A lock in shared memory for short, synchronous work, in which no thread can end. The word is 1 while it is held. */
function acquire(word: Int32Array): void {
  while (Atomics.compareExchange(word, 0, 0, 1) !== 0) Atomics.wait(word, 0, 1)
}

function release(word: Int32Array): void {
  Atomics.store(word, 0, 0)
  Atomics.notify(word, 0, 1)
}

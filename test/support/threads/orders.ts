/** What a test tells the threads of a server that it has started with `obedient-worker.ts`. */
export interface Order {
  /** Only the thread with this number obeys. */
  readonly owner: number
  readonly how: 'throw' | 'tell its share of the cache'
}

/** Where orders are given, and where what is asked for is told. */
export const ORDERS = 'orders to threads'
export const TOLD = 'told by threads'

/** A server with this name has threads of which only the first ones live. */
export const SHORT_LIVED = 'short-lived'

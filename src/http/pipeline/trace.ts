import { type CachedResponse, isStale } from '../responses/cached-response.ts'

/** The cache result of a request; `stale` is an entry served during an outage. */
export const CACHE_RESULTS = ['none', 'hit', 'miss', 'stale'] as const
export type CacheResult = (typeof CACHE_RESULTS)[number]

/** What the access log and the metrics learn of a request on its way through the pipeline. */
export class Trace {
  /** Path and query, as the pipeline goes by them; empty for a request that it refuses before. */
  target = ''
  /** `none` where nothing is cached, or the request did not come that far. */
  cache: CacheResult = 'none'
  /** What is sent from the cache. */
  cached: CachedResponse | null = null

  /** The response is cached; or that there is none. */
  hit(cached: CachedResponse | null = null): void {
    this.cache = 'hit'
    this.cached = cached
  }

  /** The routes made the response. One that refuses the request says nothing about the cache. */
  missed(response: Response): void {
    const { status } = response
    if (isStale(response)) this.cache = 'stale'
    else if (status < 400 || status === 404 || status >= 500) this.cache = 'miss'
  }
}

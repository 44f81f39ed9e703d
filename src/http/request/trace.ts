import type { CachedResponse } from '../answers/cached-response.ts'

/** The cache result of a request; `stale` is an entry served during an outage. */
export const CACHE_RESULTS = ['none', 'hit', 'miss', 'stale'] as const
export type CacheResult = (typeof CACHE_RESULTS)[number]

/** The course of a request in the pipeline, for the access log and metrics. */
export class Trace {
  /** Path and query, reduced; empty if the request was refused before. */
  target = ''
  /** `none` if nothing is cached, or the request did not get that far. */
  cache: CacheResult = 'none'
  /** The response from the cache. */
  cached: CachedResponse | null = null

  /** Null for a cached 404. */
  hit(cached: CachedResponse | null = null): void {
    this.cache = 'hit'
    this.cached = cached
  }

  /** The routes made the response. A refusal says nothing about the cache. */
  missed({ status }: Response): void {
    if (this.cache === 'stale') return
    if (status < 400 || status === 404 || status >= 500) this.cache = 'miss'
  }
}

/** Parts of the server, by which the pipeline treats requests and metrics count them. */
export const SURFACES = [
  'public',
  'keyed',
  'pages',
  'feeds',
  'pictures',
  'mcp',
  'docs',
  'probes',
  'other',
] as const
export type Surface = (typeof SURFACES)[number]

/** The cache result of a request; `stale` is an entry served during an outage. */
export const CACHE_RESULTS = ['none', 'hit', 'miss', 'stale'] as const
export type CacheResult = (typeof CACHE_RESULTS)[number]

/** The course of a request in the pipeline, for the access log and metrics. */
export class Trace {
  surface: Surface = 'other'
  /** `none` if nothing is cached, or the request did not get that far. */
  cache: CacheResult = 'none'
  /** The size of the body, if it came from the cache. */
  bytes: number | null = null

  /** Null for a cached 404. */
  hit(body: Blob | null): void {
    this.cache = 'hit'
    this.bytes = body?.size ?? null
  }

  /** The routes made the response. A refusal says nothing about the cache. */
  missed({ status }: Response): void {
    if (this.cache === 'stale') return
    if (status < 400 || status === 404 || status >= 500) this.cache = 'miss'
  }
}

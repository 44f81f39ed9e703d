import type { Refuse } from './errors.ts'

/** A request as the routes see it, once it has passed the pipeline. */
export interface Context {
  /** Path and known parameters, normalized: the key of all caches. */
  readonly target: string
  /** Those of the client. */
  readonly headers: Pick<Headers, 'get'>
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  /** The name of its address: clients take turns. */
  readonly client: string
  /** Makes errors: JSON, a page, or Markdown. */
  readonly refuse: Refuse
}

const contexts = new WeakMap<Request, Context>()

/** The routes get a request, and nothing beside it. */
export function withContext(request: Request, context: Context): Request {
  contexts.set(request, context)
  return request
}

/** That of a request which `withContext` returned. */
export const contextOf = (request: Request): Context => contexts.get(request) as Context

import type { Address } from '../../domain/addresses/ip-address.ts'
import type { Refuse } from './errors.ts'
import type { Trace } from './trace.ts'

/** A request as the routes see it, once it has passed the pipeline. */
export interface Context {
  /** Path and known parameters, normalized: the key of all caches. */
  readonly target: string
  /** That of the client. Its signal is aborted when the client is gone; Bun makes it when it is first asked for. */
  readonly request: Pick<Request, 'headers' | 'signal'>
  /** That of the client, who takes turns with others. Asked only if needed: it takes Bun a microsecond. */
  address(): Address
  /** Makes errors: JSON, a page, or Markdown. */
  readonly refuse: Refuse
  /** For the access log and metrics, if there are any. */
  readonly trace?: Trace | undefined
}

const contexts = new WeakMap<Request, Context>()

/** The routes get a request, and nothing beside it. */
export function withContext(request: Request, context: Context): Request {
  contexts.set(request, context)
  return request
}

/** That of a request which `withContext` returned. */
export const contextOf = (request: Request): Context => contexts.get(request) as Context

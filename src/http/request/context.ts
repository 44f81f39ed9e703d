import type { Address } from '../../domain/addresses/ip-address.ts'
import type { Refuse } from './errors.ts'
import type { Trace } from './trace.ts'

/** Handles a request. `trace` records what happened, for the access log and metrics. */
export type Handler = (request: Request, peer: Peer, trace?: Trace) => Answer

/** A promise only if it must wait: Bun drops requests that are pipelined behind one. */
export type Answer = Response | Promise<Response>

/** The other end of the connection. Called only if needed: it takes Bun a microsecond. */
export type Peer = () => { address: string; port: number } | undefined

/** A request as the routes see it, once it has passed the pipeline. With the audience, `target` and `asMarkdown` are the key of all caches. */
export interface Context {
  /** Path and known parameters, normalized. */
  readonly target: string
  /** The client prefers the page at this address as Markdown. */
  readonly asMarkdown: boolean
  /** The client's request. Its signal is aborted when the client is gone; Bun makes it when it is first asked for. */
  readonly request: Pick<Request, 'headers' | 'signal'>
  /** The client, who takes turns with others. Called only if needed: it takes Bun a microsecond. */
  address(): Address
  /** Makes errors: JSON, a page, or Markdown. */
  readonly refuse: Refuse
  /** For the access log and metrics, if there are any. */
  readonly trace?: Trace | undefined
}

/** Calls `next` synchronously unless `value` is a promise: Bun drops requests that are pipelined behind a promise. */
export const whenReady = <Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> => (value instanceof Promise ? value.then(next) : next(value))

import { type Handler, whenReady } from '../request/context.ts'
import { Trace } from '../request/trace.ts'
import type { Counters } from './counters.ts'

/** Counts requests; used only with metrics. */
export const countedHandler =
  (handler: Handler, counters: Counters): Handler =>
  (request, peer, trace = new Trace()) => {
    const start = performance.now()
    return whenReady(handler(request, peer, trace), (response) => {
      const { status, headers } = response
      counters.request(trace.surface, status, trace.cache, performance.now() - start)
      if (status === 403) counters.add('forbiddenKeys')
      // The gate has another scheme.
      if (status === 401 && headers.get('www-authenticate')?.startsWith('Bearer'))
        counters.add('unauthorizedKeys')
      return response
    })
  }

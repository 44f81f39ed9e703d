import { mapReads, withReads } from '../../store/queries/reads.ts'
import type { Store } from '../../store/store.ts'
import type { Cache } from '../cache.ts'
import { type Handler, whenReady } from '../request/context.ts'
import { Trace } from '../request/trace.ts'
import type { Counters } from './counters.ts'

/** Wrappers that count, used only with metrics. */

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

export function countedStore(store: Store, counters: Counters): Store {
  const failed = (error: unknown): never => {
    counters.add('storeErrors')
    throw error
  }
  return withReads(store, (reads) =>
    mapReads((name, given) => {
      try {
        const read = reads[name](...given)
        return read instanceof Promise ? read.catch(failed) : read
      } catch (error) {
        return failed(error)
      }
    }),
  )
}

/** If the file is gone, reading the revision fails first, so that is counted here. */
export function countedCache(cache: Cache, counters: Counters): Cache {
  counters.usage = cache.usage
  const revision = () => {
    try {
      return cache.revision()
    } catch (error) {
      counters.add('storeErrors')
      throw error
    }
  }
  return { ...cache, revision }
}

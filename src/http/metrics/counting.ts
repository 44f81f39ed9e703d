import { mapReads, withReads } from '../../store/queries/reads.ts'
import type { Store } from '../../store/store.ts'
import type { Cache } from '../cache.ts'
import type { Buckets, Rate } from '../limits/limiter.ts'
import type { Limits } from '../limits/limits.ts'
import type { Auth } from '../request/auth.ts'
import { type Handler, whenReady } from '../request/context.ts'
import { ApiError } from '../request/errors.ts'
import { Trace } from '../request/trace.ts'
import type { Counters } from './counters.ts'

/** Wrappers that count, used only with metrics. */

/** Counts every request when its response is ready. */
export const countedHandler =
  (handler: Handler, counters: Counters): Handler =>
  (request, peer, trace = new Trace()) => {
    const start = performance.now()
    return whenReady(handler(request, peer, trace), (response) => {
      const { status } = response
      counters.request(trace.surface, status, trace.cache, performance.now() - start)
      if (status === 403) counters.add('forbiddenKeys')
      return response
    })
  }

export const countedLimits = (limits: Limits, counters: Counters): Limits => ({
  requests: countedBuckets(limits.requests, () => counters.add('limitedRequests')),
  failedLogins: countedBuckets(
    limits.failedLogins,
    () => counters.add('limitedLogins'),
    () => counters.add('failedLogins'),
  ),
  close: () => limits.close(),
})

function countedBuckets(buckets: Buckets, onRefused: () => void, onTake?: () => void): Buckets {
  const noted = (rate: Rate): Rate => {
    if (!rate.allowed) onRefused()
    return rate
  }
  return {
    policy: buckets.policy,
    take: (client) => {
      onTake?.()
      return whenReady(buckets.take(client), noted)
    },
    check: (client) => whenReady(buckets.check(client), noted),
  }
}

/** Keys of another team or product are refused later, with a 403. */
export const countedAuth = (auth: Auth, counters: Counters): Auth => ({
  ...auth,
  authenticate: (...given) =>
    auth.authenticate(...given).catch((error) => {
      if (error instanceof ApiError) counters.add('unauthorizedKeys')
      throw error
    }),
})

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

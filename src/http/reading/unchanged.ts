import { Unavailable } from '../../domain/refusal.ts'
import { pause } from '../../domain/time/waiting.ts'
import type { Revision, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { type Ask, createAsk } from './reads.ts'

/** A result, or a function that reads a large one when its turn comes. */
export type SoonOrLater<T> = Stamped<T> | (() => Promise<Stamped<T>>)

/** How often a read is repeated because the data changed, and the first pause. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 5

class Changed extends Error {}

/**
 * Repeats `work` until all its reads see the same state of the data. Throws `Unavailable` after the last attempt:
 * reading everything in one turn would block all other requests.
 */
export async function readUnchanged<T>(
  store: Store,
  cache: Cache,
  work: (reads: { ask: Ask }) => Promise<T>,
): Promise<Stamped<T>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reads = createUnchangedReads(store, cache)
    try {
      const value = await work(reads)
      // The last read may have seen more than its revision.
      if (reads.areSeveral()) reads.check()
      return { value, revision: reads.revision() }
    } catch (error) {
      if (!(error instanceof Changed)) throw error
    }
    await pause(FIRST_PAUSE_MS * 2 ** attempt)
  }
  throw new Unavailable('The data changes too often to read all of a long changelog or version.')
}

/** Reads that throw `Changed` if the data is not as the first of them saw it. */
function createUnchangedReads(store: Store, cache: Cache) {
  let first: Revision | undefined
  let count = 0

  const check = () => {
    if (first !== undefined && cache.revision() !== first) throw new Changed()
  }

  const add = (revision: Revision) => {
    first ??= revision
    if (revision !== first) throw new Changed()
    count++
  }

  return {
    ask: createAsk(store, check, add),
    check,
    areSeveral: () => count > 1,
    revision: () => first ?? cache.revision(),
  }
}

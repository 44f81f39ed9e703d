import type { Found, Given, ReadName, StoreReads } from '../../store/queries/reads.ts'
import type { Revision } from '../../store/store.ts'

/** Reads from the store, and returns the value without its revision. */
export type Ask = <Name extends ReadName>(name: Name, ...given: Given<Name>) => Promise<Found<Name>>

export type Reads = ReturnType<typeof createReads>

/** The reads of a response. Each begins with `checkWanted`, which may throw; `failed` is called for each that fails. */
export function createReads(store: StoreReads, failed = () => {}, checkWanted = () => {}) {
  const revisions = new Set<Revision>()
  const ask: Ask = async (name, ...given) => {
    checkWanted()
    try {
      const { value, revision } = await store[name](...given)
      revisions.add(revision)
      return value
    } catch (error) {
      failed()
      throw error
    }
  }
  return {
    ask,
    checkWanted,

    /** The revision of all reads, or `otherwise` without any; null if the data changed in between. */
    revision: (otherwise: Revision): Revision | null => {
      const [first = otherwise, ...others] = revisions
      return others.length === 0 ? first : null
    },
  }
}

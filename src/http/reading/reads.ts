import type { Found, Given, ReadName, StoreReads } from '../../store/queries/reads.ts'
import type { Revision, Store } from '../../store/store.ts'

/** Reads from the store, and returns the value without its revision. */
export type Ask = <Name extends ReadName>(name: Name, ...given: Given<Name>) => Promise<Found<Name>>

/** `before` runs before each read, `after` with its revision. Both may throw. */
export const createAsk =
  (store: StoreReads, before: () => void, after: (revision: Revision) => void): Ask =>
  async (name, ...given) => {
    before()
    const { value, revision } = await store[name](...given)
    after(revision)
    return value
  }

export type PageReads = ReturnType<typeof createPageReads>

/** The reads of a page, which may see several states of the data. Each begins with `checkWanted`, which may throw. */
export function createPageReads(store: Store, checkWanted: () => void) {
  const revisions = new Set<Revision>()
  return {
    ask: createAsk(store, checkWanted, (revision) => revisions.add(revision)),
    checkWanted,

    /** The revision of all reads; null if the data changed in between. */
    revision: (): Revision | null => {
      const [first = store.revision(), ...others] = revisions
      return others.length === 0 ? first : null
    },
  }
}

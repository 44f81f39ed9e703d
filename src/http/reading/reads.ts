import { LATEST } from '../../domain/addresses/paths.ts'
import type { Found, Given, ReadName, StoreReads } from '../../store/queries/reads.ts'
import type { Cursor, Revision, Store } from '../../store/store.ts'
import type { Names } from './names.ts'

/** Reads from the store, and returns the value without its revision. */
export type Ask = <Name extends ReadName>(name: Name, ...given: Given<Name>) => Promise<Found<Name>>

/** `before` is called before each read; `after` gets its revision. Both may throw. */
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

/** The changelog with the first version after a position. */
export const readFirst = ({ ask }: PageReads, { team, product }: Names, after: Cursor | null) =>
  ask('readChangelog', 'public', team, product, { limit: 1, after, since: null, withChanges: false })

/** The version that `latest` means, without its changes. */
export const readLatest = ({ ask }: PageReads, { team, product }: Names) =>
  ask('readVersion', 'public', team, product, LATEST, { skip: 0, limit: 0 })

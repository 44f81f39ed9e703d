import { LATEST } from '../../domain/addresses/paths.ts'
import type { Found, Given, ReadName, StoreReads } from '../../store/queries/reads.ts'
import type { Cursor, Revision } from '../../store/store.ts'
import type { Names } from './names.ts'

/** Reads from the store, and returns the value without its revision. */
export type Ask = <Name extends ReadName>(name: Name, ...given: Given<Name>) => Promise<Found<Name>>

export type Reads = ReturnType<typeof createReads>

/** The reads of a response. Each begins with `checkWanted`, which may throw. */
export function createReads(store: StoreReads, checkWanted: () => void = () => {}) {
  const revisions = new Set<Revision>()
  const ask: Ask = async (name, ...given) => {
    checkWanted()
    const { value, revision } = await store[name](...given)
    revisions.add(revision)
    return value
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

/** The changelog with the first version after a position. */
export const readFirst = ({ ask }: Reads, { team, product }: Names, after: Cursor | null) =>
  ask('readChangelog', 'public', team, product, { limit: 1, after, since: null, withChanges: false })

/** The version that `latest` means, without its changes. */
export const readLatest = ({ ask }: Reads, { team, product }: Names) =>
  ask('readVersion', 'public', team, product, LATEST, { skip: 0, limit: 0 })

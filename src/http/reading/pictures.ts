import { withPicturesAt } from '../../notes/pictures.ts'
import { type Soon, type StoreReads, withReads } from '../../store/queries/reads.ts'
import type { Stamped, Store } from '../../store/store.ts'
import { whenReady } from '../request/context.ts'

/** The store with the addresses of pictures as this site serves them, in every text that it reads. */
export function withPictureAddresses(store: Store, base: () => string): Store {
  const mapped = <T>(soon: Soon<Stamped<T>>, map: (value: T) => T): Soon<Stamped<T>> =>
    whenReady(soon, ({ value, revision }) => ({ value: map(value), revision }))
  return withReads(
    store,
    (reads): Partial<StoreReads> => ({
      readVersion: (...given) =>
        mapped(
          reads.readVersion(...given),
          (read) =>
            read && {
              ...withPicturesAt(read, read, base()),
              version: withPicturesAt(read, read.version, base()),
            },
        ),
      readChangelog: (...given) =>
        mapped(
          reads.readChangelog(...given),
          (read) =>
            read && {
              ...read,
              versions: read.versions.map((version) => withPicturesAt(read, version, base())),
            },
        ),
    }),
  )
}

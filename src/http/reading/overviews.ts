import { FILTER_NAMES } from '../../domain/versions/properties.ts'
import { withReads } from '../../store/queries/reads.ts'
import type { ChangelogOverview, Stamped, Store } from '../../store/store.ts'
import { readerOf } from '../answers/responder.ts'
import type { Cache } from '../cache.ts'

/** The bound on cached overviews, and what one takes besides its key. */
const MAX_BYTES = 2 ** 20
const ENTRY_BYTES = 2_048

/** The store with its overviews cached: each counts up to 1,000 versions, and every page of a changelog shows it. */
export function withOverviews(store: Store, cache: Cache): Store {
  const overviews = cache.map<Stamped<ChangelogOverview | null>>(
    MAX_BYTES,
    (_, key) => 2 * key.length + ENTRY_BYTES,
  )
  return withReads(store, (reads, at) => ({
    readOverview: async (audience, team, product, filter = {}) => {
      const key = `${readerOf(audience)} ${team}/${product} ${FILTER_NAMES.map((name) => filter[name] ?? '')}`
      const known = overviews.get(key)
      if (known && (at === undefined || known.revision === at)) return known
      const read = await reads.readOverview(audience, team, product, filter)
      // A missing changelog takes the same steps each time, as a hidden one does.
      if (read.value) overviews.set(key, read, read.revision)
      return read
    },
  }))
}

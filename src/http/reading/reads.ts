import type {
  Audience,
  ChangeRange,
  Cursor,
  DirectoryRange,
  Page,
  Revision,
  Stamped,
  Store,
} from '../../store/store.ts'

/** The store's reads for one audience, which one response is made of. They give what they find without its revision. */
export type Reads = ReturnType<typeof createReads>

/** `before` runs before each read, and `after` with the revision of what it found. Both may throw. */
export function createReads(
  store: Store,
  audience: Audience,
  before: () => void,
  after: (revision: Revision) => void,
) {
  const noted = async <T>(read: () => Promise<Stamped<T>>): Promise<T> => {
    before()
    const { value, revision } = await read()
    after(revision)
    return value
  }

  return {
    changelog: (team: string, product: string, page: Page) =>
      noted(() => store.readChangelog(audience, team, product, page)),
    version: (team: string, product: string, name: string, range: ChangeRange) =>
      noted(() => store.readVersion(audience, team, product, name, range)),
    overview: (team: string, product: string) => noted(() => store.readOverview(audience, team, product)),
    newer: (team: string, product: string, than: Cursor, limit: number) =>
      noted(() => store.readNewer(audience, team, product, than, limit)),
    stretch: (team: string, product: string, after: Cursor | null, limit: number) =>
      noted(() => store.readStretch(audience, team, product, after, limit)),
    directory: (range: DirectoryRange, limit: number) => noted(() => store.readDirectory(range, limit)),
  }
}

export type PublicReads = ReturnType<typeof createPublicReads>

/** The reads of a page, which may show several states of the data. Each begins with `checkWanted`, which may throw. */
export function createPublicReads(store: Store, checkWanted: () => void) {
  const revisions = new Set<Revision>()
  return {
    ...createReads(store, 'public', checkWanted, (revision) => revisions.add(revision)),
    checkWanted,

    /** The revision that all of them were made at; null if the data changed in between. */
    revision: (): Revision | null => {
      const [first = store.revision(), ...others] = revisions
      return others.length === 0 ? first : null
    },
  }
}

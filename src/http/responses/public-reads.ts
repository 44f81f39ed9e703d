import type { ChangeRange, Cursor, DirectoryRange, Page, Revision, Stamped, Store } from '../../store/port.ts'

export type PublicReads = ReturnType<typeof createPublicReads>

/** The public reads that one response is made of. */
export function createPublicReads(store: Store) {
  const revisions = new Set<Revision>()

  const noted = async <T>(read: Promise<Stamped<T>>): Promise<T> => {
    const { value, revision } = await read
    revisions.add(revision)
    return value
  }

  return {
    changelog: (team: string, product: string, page: Page) =>
      noted(store.readChangelog('public', team, product, page)),
    version: (team: string, product: string, name: string, range: ChangeRange) =>
      noted(store.readVersion('public', team, product, name, range)),
    overview: (team: string, product: string) => noted(store.readOverview('public', team, product)),
    newer: (team: string, product: string, than: Cursor, limit: number) =>
      noted(store.readNewer('public', team, product, than, limit)),
    directory: (range: DirectoryRange, limit: number) => noted(store.readDirectory(range, limit)),

    /** The revision that all of them were made at; null if the data changed in between. */
    revision: (): Revision | null => {
      const [first = store.revision(), ...others] = revisions
      return others.length === 0 ? first : null
    },
  }
}

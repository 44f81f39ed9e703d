import type {
  ChangelogInfo,
  ChangeRange,
  Cursor,
  DirectoryRange,
  Page,
  Revision,
  Stamped,
  Store,
} from '../../store/store.ts'

export type PublicReads = ReturnType<typeof createPublicReads>

/** The public reads that one response is made of. Each begins with `checkWanted`, which throws if nobody waits any more. */
export function createPublicReads(store: Store, checkWanted: () => void = () => {}) {
  const revisions = new Set<Revision>()
  let hasMissed = false

  const noted = async <T>(read: () => Promise<Stamped<T>>): Promise<T> => {
    checkWanted()
    const { value, revision } = await read()
    revisions.add(revision)
    return value
  }

  /** A read of what has these names: null if there is no such thing for the public, and for no other reason. */
  const named = async <T>(read: () => Promise<Stamped<T | null>>): Promise<T | null> => {
    const value = await noted(read)
    if (value === null) hasMissed = true
    return value
  }

  const team = async (team: string): Promise<Stamped<ChangelogInfo['team'] | null>> => {
    const { value, revision } = await store.readDirectory({ team, product: '', lastTeam: team }, 1)
    return { value: value[0]?.team ?? null, revision }
  }

  return {
    /** A team of which something is public. */
    team: (slug: string) => named(() => team(slug)),
    changelog: (team: string, product: string, page: Page) =>
      named(() => store.readChangelog('public', team, product, page)),
    version: (team: string, product: string, name: string, range: ChangeRange) =>
      named(() => store.readVersion('public', team, product, name, range)),
    overview: (team: string, product: string) => named(() => store.readOverview('public', team, product)),
    newer: (team: string, product: string, than: Cursor, limit: number) =>
      noted(() => store.readNewer('public', team, product, than, limit)),
    stretch: (team: string, product: string, after: Cursor | null, limit: number) =>
      named(() => store.readStretch('public', team, product, after, limit)),
    directory: (range: DirectoryRange, limit: number) => noted(() => store.readDirectory(range, limit)),

    checkWanted,

    /** Whether a read found nothing public under its names. */
    hasMissed: (): boolean => hasMissed,

    /** The revision that all of them were made at; null if the data changed in between. */
    revision: (): Revision | null => {
      const [first = store.revision(), ...others] = revisions
      return others.length === 0 ? first : null
    },
  }
}

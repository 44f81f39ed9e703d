import type { Cursor, VersionContent } from '../../store/port.ts'
import type { Slice } from './reading.ts'

/** What a reader looks for in a changelog; null for everything. */
export interface Filter {
  /** Words that must all occur, in any case. */
  q: string | null
  /** A type of change. */
  type: string | null
}

export const isFiltered = ({ q, type }: Filter): boolean => q !== null || type !== null

/** How much one request searches: what is older is left to the next one. */
const MAX_VERSIONS = 1_000
const MAX_CHARACTERS = 4_000_000

/**
 * The first versions of which the filter leaves something, at most `limit`, and where the search goes on, if there
 * is more to search.
 */
export async function search(
  slices: AsyncIterable<Slice>,
  filter: Filter,
  limit: number,
): Promise<{ found: VersionContent[]; next: Cursor | null }> {
  const words = wordsOf(filter.q ?? '')
  const found: VersionContent[] = []
  let versions = 0
  let characters = 0
  for await (const slice of slices) {
    for (const version of slice.versions) {
      const left = leave(version, words, filter.type)
      if (left) found.push(left)
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (found.length === limit) return { found, next: isLast ? null : version }
      characters += lengthOf(version)
    }
    versions += slice.versions.length
    if (versions >= MAX_VERSIONS || characters >= MAX_CHARACTERS) return { found, next: slice.next }
  }
  return { found, next: null }
}

/**
 * What is left of a version: changes of the type in which all words occur; or all of them, if the words occur in what
 * is said about the version itself. Null if nothing is left.
 */
function leave(
  version: VersionContent,
  words: readonly string[],
  type: string | null,
): VersionContent | null {
  const { label, title, description } = version
  const isAbout = mentions(words, label, title, description)
  if (isAbout && type === null) return version
  const changes = version.changes.filter(
    (change) =>
      (type === null || change.type === type) &&
      (isAbout || mentions(words, change.title, change.description)),
  )
  return changes.length === 0 ? null : { ...version, description: null, changes }
}

function mentions(words: readonly string[], ...texts: (string | null)[]): boolean {
  if (words.length === 0) return true
  const text = texts.join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

const wordsOf = (q: string): string[] =>
  q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

const lengthOf = ({ description, changes }: VersionContent): number =>
  changes.reduce(
    (length, change) => length + change.title.length + (change.description?.length ?? 0),
    description?.length ?? 0,
  )

import type { Change } from '../../domain/records.ts'
import type { Cursor, VersionContent } from '../../store/store.ts'
import { MAX_CHANGES, readFurther, readSlices, type Source } from '../reading/slices.ts'

/** Null for everything. */
export interface Filter {
  /** Words that must all occur, ignoring case. */
  q: string | null
  type: string | null
}

export const isFiltered = ({ q, type }: Filter): boolean => q !== null || type !== null

/** One request searches this much; the next one continues. */
const MAX_VERSIONS = 1_000
const MAX_CHARACTERS = 4_000_000
/** Of that, in one turn of the event loop. */
const CHARACTERS_PER_TURN = 500_000

/**
 * At most `limit` versions after a position that match, and where the search continues, if there is more. `changeCount`
 * of each counts its matching changes, of which at most `MAX_CHANGES` are included.
 */
export async function search(
  source: Source,
  filter: Filter,
  after: Cursor | null,
  limit: number,
): Promise<{ found: VersionContent[]; next: Cursor | null }> {
  const words = wordsOf(filter.q ?? '')
  const found: VersionContent[] = []
  let versions = 0
  let characters = 0
  let inTurn = 0
  for await (const slice of readSlices(source, { after })) {
    for (const version of slice.versions) {
      const { match, searched } = await matchIn(source, version, words, filter.type)
      if (match) found.push(match)
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (found.length === limit) return { found, next: isLast ? null : version }
      characters += searched
      inTurn += searched
      if (inTurn < CHARACTERS_PER_TURN) continue
      inTurn = 0
      await source.queue(() => {})
    }
    inTurn = 0
    versions += slice.versions.length
    if (versions >= MAX_VERSIONS || characters >= MAX_CHARACTERS) return { found, next: slice.next }
  }
  return { found, next: null }
}

/**
 * What matches in a version: changes of the type with all words; or all of them, if the words occur in its title or
 * description. Null if nothing does. And how many characters were searched.
 */
async function matchIn(
  source: Source,
  version: VersionContent,
  words: readonly string[],
  type: string | null,
): Promise<{ match: VersionContent | null; searched: number }> {
  const { label, title, description } = version
  const isAbout = mentions(words, label, title, description)
  let searched = description?.length ?? 0
  if (isAbout && type === null) return { match: version, searched: searched + lengthOf(version.changes) }
  const changes: Change[] = []
  let changeCount = 0
  const searchIn = (part: readonly Change[]) => {
    const matching = part.filter(
      (change) =>
        (type === null || change.type === type) &&
        (isAbout || mentions(words, change.title, change.description)),
    )
    changeCount += matching.length
    changes.push(...matching.slice(0, MAX_CHANGES - changes.length))
    searched += lengthOf(part)
  }
  searchIn(version.changes)
  for await (const part of readFurther(source, version)) searchIn(part)
  return {
    match: changeCount === 0 ? null : { ...version, description: null, changes, changeCount },
    searched,
  }
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

const lengthOf = (changes: readonly Change[]): number =>
  changes.reduce((length, { title, description }) => length + title.length + (description?.length ?? 0), 0)

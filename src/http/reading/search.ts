import { withPictures } from '../../domain/pictures.ts'
import type { Change } from '../../domain/records.ts'
import { countKinds } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { breakingIn } from '../../domain/versions/marks/said.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import { NO_VERSION_TEXTS, type VersionFilter, versionFilter } from '../../domain/versions/properties.ts'
import type { Cursor, Page, VersionContent } from '../../store/store.ts'
import { isMuch, lengthOf, MAX_CHANGES, readFurther, readSlices, type Source, type Work } from './slices.ts'

/** Null for everything. */
export interface Filter extends VersionFilter {
  /** Words that must all occur, ignoring case. */
  q: string | null
  kind: Kind | null
  type: string | null
}

export const NO_FILTER: Filter = { q: null, kind: null, type: null }

/** True if changes are searched for, and not only left out as pre-releases. */
export const isFiltered = ({ q, kind, type }: Filter): boolean => q !== null || kind !== null || type !== null

/** Where a search begins in its first version, what it may still read, and what it leaves out. */
export interface Extent extends Partial<Pick<Page, 'since' | 'newerThan'>> {
  skip?: number
  work?: Work | undefined
}

export const noWork = (): Work => ({ versions: 0, characters: 0 })

/** Words to search for, and how many texts have each of them. */
type Words = Map<string, number>

/** A version in a list. */
export interface Listed extends VersionContent {
  /** If it has only the changes that were found: how many it has in all. */
  excerptOf?: number
}

/**
 * At most `limit` versions after a position that match. `changeCount` of each counts its matching changes, of which at
 * most `MAX_CHANGES` are included: of the first version, those among which the one after `skip` is.
 */
export async function search(
  source: Source,
  filter: Filter,
  after: Cursor | null,
  limit: number,
  { skip = 0, work = noWork(), ...range }: Extent = {},
) {
  const words: Words = new Map(wordsOf(filter.q).map((word) => [word, 0]))
  const found: Listed[] = []
  /** How many changes of each kind have the words, whatever the kind searched for. */
  const counts = new Map<Kind, number>()
  /** How many changes match. */
  let changeCount = 0
  /** `next` is where the search continues, if there is more. */
  const result = (next: Cursor | null) => ({ found, next, changeCount, counts, words })
  for await (const slice of readSlices(source, { ...range, after, ...versionFilter(filter) })) {
    work.versions += slice.versions.length
    for (const version of slice.versions) {
      const from = found.length === 0 ? skip - (skip % MAX_CHANGES) : 0
      const { match, searched, matching, mentioned } = await matchIn(source, version, words, filter, from)
      if (match) found.push(match)
      changeCount += matching
      for (const [kind, count] of countKinds(mentioned)) counts.set(kind, (counts.get(kind) ?? 0) + count)
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (found.length === limit) return result(isLast ? null : version)
      work.characters += searched
    }
    if (isMuch(work)) return result(slice.next)
  }
  return result(null)
}

/** A version with only its changes of a kind; null if it has none. */
export const matchKind = async (
  source: Source,
  version: VersionContent,
  kind: Kind,
): Promise<VersionContent | null> =>
  (await matchIn(source, version, new Map(), { q: null, type: null, kind })).match

/**
 * The version with its matching changes, or null. A change matches by kind, type and all words; or by kind and type alone, if the
 * words are only in the version's title or description. For `breaking`, the texts around changes match too.
 */
async function matchIn(source: Source, version: VersionContent, words: Words, filter: Filter, from = 0) {
  const { label, title, description, closing } = version
  const isAbout = words.size > 0 && mentions(words, label, title, description)
  const isAround =
    filter.kind === 'breaking' &&
    filter.type === null &&
    mentions(words, description, closing) &&
    breakingIn(version) !== null
  const all: Change[] = []
  const mentioned: Change[] = []
  const withWords: Change[] = []
  let searched = description?.length ?? 0
  // Each part in the turn that it was read in.
  const searchIn = (part: readonly Change[]) => {
    const found = part.filter((change) => mentions(words, change.title, change.description))
    if (words.size > 0) mentioned.push(...found)
    withWords.push(...found.filter((change) => isSelected(change, filter)))
    if (isAbout) all.push(...part.filter((change) => isSelected(change, filter)))
    searched += lengthOf(part)
  }
  searchIn(version.changes)
  for await (const part of readFurther(source, version)) searchIn(part)
  const isByAbout = isAbout && withWords.length === 0
  const found = isByAbout ? all : withWords
  const isWhole = isByAbout && filter.kind === null && filter.type === null
  const about = { ...NO_VERSION_TEXTS, ...((isAbout || isAround) && { description, closing }) }
  const changes = found.slice(from, from + MAX_CHANGES)
  const excerpt = { ...version, ...about, changes, changeCount: found.length, excerptOf: version.changeCount }
  const match: Listed | null = isWhole ? version : found.length > 0 || isAround ? excerpt : null
  return { match, searched, mentioned, matching: isWhole ? 0 : found.length }
}

const isSelected = (change: Change, { kind, type }: Filter): boolean =>
  (type === null || change.type === type) && (kind === null || isOfKind(change, [kind]))

/** True if the texts have all words. Counts those that they have. */
function mentions(words: Words, ...texts: (string | null)[]): boolean {
  if (words.size === 0) return true
  const text = textOf(texts)
  const had = [...words].filter(
    ([word]) => text.includes(word) || (word.includes(' ') && text.replace(/\s+/g, ' ').includes(word)),
  )
  for (const [word, count] of had) words.set(word, count + 1)
  return had.length === words.size
}

/** Nobody looks for words of the addresses of pictures. */
const textOf = (texts: (string | null)[]): string => withPictures(texts.join('\n'), () => '').toLowerCase()

export const wordsOf = (q: string | null): string[] =>
  [...(q ?? '').toLowerCase().matchAll(/"([^"]*[^"\s][^"]*)"|\S+/g)].map(([word, phrase = word]) =>
    phrase.trim().replace(/\s+/g, ' '),
  )

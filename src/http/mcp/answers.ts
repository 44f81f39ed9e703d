import type { Change } from '../../domain/records.ts'
import { kindOfChange } from '../../domain/versions/kinds.ts'
import { marksOf, urgentKindOf } from '../../domain/versions/marks.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import type { PassedChange } from '../../domain/versions/verdict.ts'
import { authoredBlocks, authoredLine } from '../../notes/authored.ts'
import { hideNotes } from '../../notes/footnotes.ts'
import {
  dayText,
  headingText,
  joined,
  markdownForm,
  nameText,
  releaseText,
  verdictTexts,
} from '../../notes/markdown.ts'
import { type ReleaseContent, type ShownRelease, showRelease } from '../../notes/release.ts'
import { writeRelease } from '../../notes/writing.ts'
import type { Audience, ChangelogInfo, Cursor, DirectoryEntry } from '../../store/store.ts'
import { createPace } from '../answers/queue.ts'
import type { Reads } from '../answers/reads.ts'
import { headingInEnglish } from '../html/kinds.ts'
import { readCursor, writeCursor } from '../reading/cursor.ts'
import { LAST_SLUG } from '../reading/directory.ts'
import { parseNames } from '../reading/names.ts'
import { type Filter, isFiltered, type Listed, type SearchResult, search } from '../reading/search.ts'
import { MAX_CHANGES, readSlices, readVersions, type Source } from '../reading/slices.ts'
import { changesByKind, readUpgrade, UPGRADE_KINDS } from '../reading/upgrade.ts'
import { ApiError } from '../request/errors.ts'
import { WORDS } from '../words/languages.ts'
import { type Input, lengthOf, limitOf, type Output } from './schemas.ts'

/** Answers of the tools: as much as fits into the given length, and where it goes on. Null if not found. */

const CHANGELOGS = 50
/** Changes of a listed version, unless searched for. */
const LISTED_CHANGES = 12
/** Versions of one answer that a search finds, if they are as short as that. */
const FOUND = 50

export async function listChangelogs(
  reads: Reads,
  audience: Audience,
  hasLists: boolean,
  { team, cursor }: Input['list_changelogs'],
): Promise<Output['list_changelogs']> {
  const after = cursor === undefined ? { team: team ?? '', product: '' } : parseNames(cursor)
  if (!after) throw new ApiError('bad_request', 'cursor must be `next` from a previous response.')
  const isOfKey = audience !== 'public'
  if (!isOfKey && !hasLists) throw new ApiError('forbidden', 'This server does not list its changelogs.')
  const range = { ...after, lastTeam: team ?? LAST_SLUG }
  const found = isOfKey
    ? await reads.ask('readProductsOfKey', audience, after.product, CHANGELOGS + 1)
    : await reads.ask('readDirectory', range, CHANGELOGS + 1)
  const last = found[CHANGELOGS] && found[CHANGELOGS - 1]
  return {
    changelogs: found.slice(0, CHANGELOGS).map((entry) => ({ ...productOf(entry), ...newestOf(entry) })),
    ...(last && { next: productOf(last).changelog }),
  }
}

export async function getChangelog(
  source: Source,
  given: Input['get_changelog'],
): Promise<Output['get_changelog'] | null> {
  const { kind = null, prereleases = null } = given
  return listVersions(source, { q: null, type: null, kind, prereleases }, limitOf(given), given)
}

export const searchChangelog = (source: Source, given: Input['search']): Promise<Output['search'] | null> => {
  const { kind = null, prereleases = null } = given
  const filter = { q: given.query.trim() || null, type: null, kind, prereleases }
  return listVersions(source, filter, FOUND, given)
}

export async function getVersion(
  source: Source,
  given: Input['get_version'],
): Promise<Output['get_version'] | null> {
  const { reads, audience, team, product } = source
  const { version: name, skip = 0 } = given
  const read = (name: string) =>
    reads.ask('readVersion', audience, team, product, name, { skip, limit: MAX_CHANGES })
  const named = await read(name)
  const found = named?.isMoved ? await read(named.version.id) : named
  if (!found) return missing(source, name)
  const length = lengthOf(given)
  const { version } = found
  // Texts around the changes come with the first of them.
  const texts = skip === 0 ? {} : { description: null, closing: null }
  const release = shownOf({ ...version, ...texts })
  const closing = textOf(release.closing, length / 8)
  const room = length - (closing?.length ?? 0)
  const entry = entryWithin(version, release, version.changes, room, length / 4)
  const next = skip + entry.changes.length
  return {
    ...productOf(found),
    ...entry,
    ...(closing && { closing }),
    ...(next < version.changeCount && entry.changes.length > 0 && { next }),
  }
}

export async function compareVersions(
  source: Source,
  given: Input['compare_versions'],
): Promise<Output['compare_versions'] | null> {
  const { from, cursor, prereleases = null } = given
  const kind = given.breakingOnly ? 'breaking' : (given.kind ?? null)
  const { skip, after, to = given.to } = placeIn(cursor)
  const between = { from, ...(to !== undefined && { to }), prereleases }
  const found = await readUpgrade(source, between, null, after)
  if (!found) return null
  if ('missingLabel' in found) return missing(source, found.missingLabel)
  const length = lengthOf(given)
  const { verdict } = found
  const groups = changesByKind(verdict, kind)
  const entryOf = ({ change, version }: PassedChange) => ({
    version: version.label,
    ...changeEntry(change, length / 10),
  })
  const answer: Output['compare_versions'] = {
    ...productOf(found.info),
    from,
    ...(verdict.releases.length > 0 && { to: found.to }),
    ...(found.yanked.length > 0 && { yanked: found.yanked.map(({ label }) => label) }),
    verdict: verdictTexts(verdict).join(', '),
    versionCount: verdict.releases.length,
    ...(verdict.folded.length > 0 && { notListed: verdict.folded.length }),
    kinds: Object.fromEntries([...groups].map(([kind, { length }]) => [kind, length])),
    ...(verdict.unmarked.length > 0 && { unmarked: verdict.unmarked.map(({ version }) => version.label) }),
    changes: [],
  }
  const room = roomOf(length, answer)
  // A list of breaking changes lacks these.
  const first = kind === 'breaking' && skip === 0 ? verdict.unmarked.flatMap(({ changes }) => changes) : []
  const lookFirst = first.map(entryOf).filter((entry) => room.take(entry))
  if (lookFirst.length > 0) answer.lookFirst = lookFirst
  const all = UPGRADE_KINDS.flatMap((each) => groups.get(each) ?? [])
  for (const change of all.slice(skip)) {
    const entry = entryOf(change)
    if (!room.take(entry) && answer.changes.length > 0) break
    answer.changes.push(entry)
  }
  const seen = skip + answer.changes.length
  if (seen < all.length) return { ...answer, next: writePlace(seen, after, found.to) }
  return found.next ? { ...answer, next: writePlace(0, found.next, found.to) } : answer
}

/** The position where a cut answer continues: after `skip` changes of the versions after `after`, up to `to`. */
const writePlace = (skip: number, after: Cursor | null, to = ''): string =>
  [skip, after ? writeCursor(after) : '', to].join('.')

function placeIn(cursor = '0..'): { skip: number; after: Cursor | null; to?: string } {
  const [, skip, position, to] = /^(\d{1,7})\.([\w-]*)\.(.*)$/.exec(cursor) ?? []
  const after = position ? readCursor(position) : null
  if (skip === undefined || after === undefined)
    throw new ApiError('bad_request', 'cursor must be `next` from a previous response.')
  return { skip: Number(skip), after, ...(to && { to }) }
}

/** Throws with the versions next to it; null if there is no such changelog. */
async function missing({ reads, audience, team, product }: Source, label: string): Promise<null> {
  const near = await reads.ask('readNear', audience, team, product, label)
  if (!near) return null
  const beside = near.alike.length > 0 ? near.alike : [near.older, near.newer]
  const labels = beside.flatMap((version) => (version ? [version.label] : []))
  const next = labels.length > 0 ? `Next to it: ${labels.join(', ')}.` : 'get_changelog lists its versions.'
  throw new ApiError('bad_request', `There is no version ${label} in ${team}/${product}. ${next}`)
}

/** A changelog as Markdown, about as long as the answer of a tool. */
export async function writeChangelog(source: Source): Promise<string | null> {
  const form = markdownForm(createPace())
  const length = lengthOf({})
  const limits = { text: length / 10, release: length / 2, changes: LISTED_CHANGES }
  const parts: string[] = []
  let left = length
  for await (const slice of readSlices(source, { limit: limitOf({}) })) {
    if (parts.length === 0) parts.push(`# ${nameText(slice.changelog.name)}`)
    for (const version of slice.versions) {
      const release = await writeRelease(form, shownOf(hideNotes(version), LISTED_CHANGES), 3, limits)
      const text = releaseText(release, 3) || WORDS.en.release.noChanges
      left -= text.length
      if (left < 0 && parts.length > 1) return joined(parts)
      parts.push(
        headingText(nameText(release.label), release),
        release.title ? `**${release.title}**` : '',
        text,
      )
    }
  }
  return parts.length === 0 ? null : joined(parts)
}

/** All, or the matches. */
async function listVersions(
  source: Source,
  filter: Filter,
  limit: number,
  { cursor, ...given }: { cursor?: string; maxLength?: number },
): Promise<Output['get_changelog'] | null> {
  const { reads, audience, team, product } = source
  const { skip, after } = placeIn(cursor)
  const page = { limit: 1, after: null, since: null, withChanges: false }
  const info = await reads.ask('readChangelog', audience, team, product, page)
  if (!info) return null
  const { found, next }: Pick<SearchResult, 'found' | 'next'> = isFiltered(filter)
    ? await search(source, filter, after, limit, skip)
    : await readVersions(source, { after, limit, prereleases: filter.prereleases })
  const length = lengthOf(given)
  const answer: Output['get_changelog'] = { ...productOf(info), versions: [] }
  const room = roomOf(length, answer)
  let previous = after
  for (const version of found) {
    const isFirst = answer.versions.length === 0
    const seen = isFirst ? skip : 0
    const release = shownOf(version, version.excerptOf === undefined ? LISTED_CHANGES : undefined)
    const changes = version.excerptOf === undefined ? changesIn(release) : urgentFirst(version.changes, seen)
    const entry = entryWithin(version, release, changes, room.left(), length / 10)
    const isWhole = entry.changes.length === changes.length
    const fits = room.take(entry) && isWhole
    if (!fits && !isFirst) return { ...answer, next: writePlace(0, previous) }
    answer.versions.push(entry)
    const end = seen + entry.changes.length
    if (version.excerptOf !== undefined && end < version.changeCount)
      return { ...answer, next: writePlace(end, previous) }
    previous = version
  }
  return next ? { ...answer, next: writePlace(0, next) } : answer
}

const changesIn = ({ groups }: ShownRelease): Change[] =>
  groups.flatMap(({ changes }) => changes.map(({ source }) => source))

/** The changes of a search result after the ones that were seen, in the order of an upgrade. */
const urgentFirst = (changes: readonly Change[], seen: number): Change[] =>
  changes
    .toSorted((a, b) => UPGRADE_KINDS.indexOf(urgentKindOf(a)) - UPGRADE_KINDS.indexOf(urgentKindOf(b)))
    .slice(seen % MAX_CHANGES)

const shownOf = (version: ReleaseContent, most?: number): ShownRelease =>
  showRelease(version, headingInEnglish, most)

/** A version with as many of these changes as fit, at least one. `text` is how long its description may be. */
function entryWithin(
  { label, status, excerptOf, changeCount: own }: Listed,
  release: ShownRelease,
  changes: readonly Change[],
  length: number,
  text: number,
) {
  const date = dayText(release.date)
  const description = textOf(release.description, text)
  const changeCount = excerptOf ?? own
  const entry: Output['get_changelog']['versions'][number] = {
    version: label,
    ...(release.title && { title: authoredLine(release.title) }),
    ...(date && { date }),
    ...(status === 'draft' && { draft: true as const }),
    ...(isPrerelease(release) && { prerelease: true as const }),
    ...(release.yanked !== null && { yanked: release.yanked }),
    changeCount,
    ...(!excerptOf && { kinds: Object.fromEntries(release.counts) }),
    ...(description && { description }),
    changes: [],
  }
  const room = roomOf(length, entry)
  for (const change of changes) {
    const part = changeEntry(change, text / 2)
    if (!room.take(part) && entry.changes.length > 0) break
    entry.changes.push(part)
  }
  const omitted = changeCount - entry.changes.length
  return omitted > 0 ? { ...entry, omitted } : entry
}

function changeEntry(
  change: Change,
  length: number,
): Output['get_changelog']['versions'][number]['changes'][number] {
  const kind = kindOfChange(change)
  const heading = headingInEnglish(change)
  const description = textOf(change.description, length)
  return {
    kind,
    ...Object.fromEntries(marksOf(change).map((mark) => [mark, true as const])),
    ...(heading.toLowerCase() !== kind && { heading }),
    title: authoredLine(change.title),
    ...(description && { description }),
  }
}

/** As pages show it, without comments; its beginning, if it is longer. */
const textOf = (text: string | null, length: number): string | null =>
  text === null ? null : authoredBlocks(text, 1, Math.floor(length)).text || null

const productOf = ({ team, product, changelog }: ChangelogInfo) => ({
  changelog: `${team.slug}/${product.slug}`,
  name: changelog.name,
})

function newestOf({ newest: { label, publishedAt } }: DirectoryEntry) {
  const date = dayText(publishedAt)
  return label === null ? {} : { newest: label, ...(date && { date }) }
}

/** The length left after these. */
function roomOf(length: number, begun: object) {
  let left = length - JSON.stringify(begun).length
  return {
    left: () => left,
    take: (part: object): boolean => {
      const size = JSON.stringify(part).length + 1
      if (size > left) return false
      left -= size
      return true
    },
  }
}

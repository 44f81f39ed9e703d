import { pick } from '../../domain/objects.ts'
import type { Change, Language } from '../../domain/records.ts'
import { changeEntry, summaryEntry } from '../../domain/versions/entries.ts'
import type { TextsAround } from '../../domain/versions/marks/said.ts'
import { shownFacts, versionTexts } from '../../domain/versions/properties.ts'
import { mapTexts } from '../../domain/versions/texts.ts'
import { type AddressPictures, asStored } from '../../notes/pictures.ts'
import type {
  ChangelogInfo,
  ChangelogRead,
  Cursor,
  Page,
  VersionContent,
  VersionRead,
  VersionSummary,
} from '../../store/store.ts'
import { isPartial, type Source as Read, readFurther, readSlices, readSummaries } from '../reading/slices.ts'
import type { ChangelogEnvelope, VersionEnvelope } from './openapi/response-schemas.ts'

/** A changelog, and how its texts are written. */
export interface Source extends Read {
  pictures: AddressPictures
}

export interface RequestedPage extends Page {
  /** With changes: only those that it selects, and versions that have any. */
  select?: (change: Change) => boolean
  /** With `select`: versions that are kept for the texts around their changes, even if none of their changes is. */
  keeps?: (version: TextsAround) => boolean
}

type Select = NonNullable<RequestedPage['select']>
type Selection = Pick<RequestedPage, 'select' | 'keeps'>

export interface ListJson extends Pick<ChangelogRead, 'next' | 'missingLabel' | 'isReversed'> {
  json: string
  /** The language of the product, if it has one of its own and changes are included. */
  language: Language | null
}

/** The size of slices: of versions with their changes, of those to search, of versions alone, and of those read at once. */
const SLICE = { all: 20, searched: 50, alone: 500, short: 100 }

/** Slices that one request searches. */
const MAX_SEARCHED = 50

/** A page of a changelog as JSON, written in slices. Null if the audience may see none. */
export async function readInSlices(source: Source, page: RequestedPage): Promise<ListJson | null> {
  const { select, withChanges } = page
  const parts: string[] = []
  let first: ChangelogRead | undefined
  let next: Cursor | null = null
  let left = page.limit ?? Number.POSITIVE_INFINITY
  let searched = 0
  for await (const slice of slicesOf(source, page)) {
    first ??= slice
    const { versions } = slice
    const found = select ? (versions as VersionContent[]).flatMap((each) => selected(each, page)) : versions
    const kept = found.slice(0, left)
    next = kept.length < found.length ? (kept.at(-1) ?? null) : slice.next
    const json = await versionsJson(source, kept, page)
    if (json !== '') {
      parts.push(json)
      left -= kept.length
    }
    if (select && (left === 0 || ++searched === MAX_SEARCHED)) break
  }
  if (!first) return null
  const json = changelogOpening(first) + parts.join(',') + LIST_END
  const language = withChanges ? first.settings.language : null
  return { ...pick(first, 'missingLabel', 'isReversed'), json, next, language }
}

/** A list of versions alone, in one read; or that it is long. */
export async function readShort(
  { reads, audience, team, product, pictures }: Source,
  page: RequestedPage,
): Promise<ListJson | null | 'long'> {
  const part = { ...page, limit: page.limit ?? SLICE.short }
  const read = await reads.ask('readChangelog', audience, team, product, part)
  if (page.limit === null && read?.next) return 'long'
  const json = JSON.stringify(read && changelogEnvelope(read, pictures))
  return read && { ...pick(read, 'missingLabel', 'isReversed', 'next'), json, language: null }
}

function slicesOf(source: Source, page: RequestedPage): AsyncGenerator<ChangelogRead> {
  if (!page.withChanges) return readSummaries(source, page, SLICE.alone)
  return page.select
    ? readSlices(source, { ...page, limit: null }, SLICE.searched)
    : readSlices(source, page, SLICE.all)
}

/** A version with the selected ones of its changes, if it is kept. The rest of a partial one is not read yet. */
function selected(version: VersionContent, { select, keeps }: Selection): VersionContent[] {
  const changes = select ? version.changes.filter(select) : version.changes
  return isPartial(version) || changes.length > 0 || keeps?.(version) ? [{ ...version, changes }] : []
}

async function versionsJson(
  source: Source,
  versions: ChangelogRead['versions'],
  { select, keeps }: Selection,
) {
  const [first] = versions
  if (!first || !('changes' in first) || !isPartial(first))
    return JSON.stringify(versions.map((each) => versionEntry(each, source.pictures))).slice(1, -1)
  const changes = await changesJson(source, first, select)
  return changes.length === 0 && !keeps?.(first)
    ? ''
    : filled(versionEntry({ ...first, changes: [] }, source.pictures), changes)
}

/** All changes of a version as JSON, in parts; or the selected ones. */
export async function changesJson(
  source: Source,
  version: VersionContent,
  select?: Select,
): Promise<string[]> {
  const parts: string[] = []
  const add = (changes: readonly Change[]) => {
    const kept = select ? changes.filter(select) : changes
    if (kept.length > 0)
      parts.push(
        JSON.stringify(kept.map((each) => changeEntry(mapTexts(each, source.pictures)))).slice(1, -1),
      )
  }
  add(version.changes)
  for await (const changes of readFurther(source, version)) add(changes)
  return parts
}

export const changelogEnvelope = (
  read: ChangelogRead,
  pictures: AddressPictures = asStored,
): ChangelogEnvelope => ({
  data: {
    object: 'changelog',
    ...placeOf(read),
    versions: read.versions.map((version) => versionEntry(version, pictures)),
  },
})

const placeOf = (read: ChangelogInfo) => pick(read, 'team', 'product', 'changelog')

/** The end of a changelog's JSON: the list of versions is its last field. */
const LIST_END = ']}}'

/** A changelog's JSON up to its versions. */
const changelogOpening = (changelog: ChangelogInfo): string =>
  JSON.stringify(changelogEnvelope({ ...changelog, versions: [], next: null })).slice(0, -LIST_END.length)

/** The JSON of an object whose last field is an empty list, filled with these elements. */
export function filled(object: object, elements: readonly string[]): string {
  const json = JSON.stringify(object)
  const end = json.lastIndexOf(']')
  return `${json.slice(0, end)}${elements.join(',')}${json.slice(end)}`
}

function versionEntry(stored: VersionSummary | VersionContent, pictures: AddressPictures) {
  const version = mapTexts(stored, pictures)
  return 'changes' in version ? { ...summaryEntry(version), ...content(version) } : summaryEntry(version)
}

export function versionEnvelope(read: VersionRead, pictures: AddressPictures = asStored): VersionEnvelope {
  const version = mapTexts(read.version, pictures)
  const opening = { object: 'changelog.version' as const, ...placeOf(read) }
  return { data: { ...opening, ...summaryEntry(version), ...content(version) } }
}

const content = (version: VersionContent) => ({
  dateKnown: version.dateKnown,
  ...versionTexts(version),
  ...shownFacts(version),
  changes: version.changes.map(changeEntry),
})

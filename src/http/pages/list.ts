import { erasOf, monthsOf } from '../../domain/versions/eras.ts'
import { onlyUpdatesDependencies } from '../../domain/versions/marks.ts'
import { shownName } from '../../domain/versions/names.ts'
import { isSelective, type VersionFilter, versionFilter } from '../../domain/versions/properties.ts'
import {
  type ChangelogOverview,
  type Cursor,
  type DatedVersion,
  OVERVIEW,
  type VersionContent,
} from '../../store/store.ts'
import { positionBelow } from '../reading/addresses.ts'
import type { ChangelogValues } from '../reading/parameters.ts'
import { type Filter, isFiltered, search } from '../reading/search.ts'
import { readSummaries, readVersions, type Source } from '../reading/slices.ts'
import type { UpgradeRange } from '../reading/upgrade.ts'
import type { PageForm } from './form.ts'
import type { EraLink } from './templates/long.ts'

/** What a page of a changelog reads. Long lists are shortened: by eras, and by rows of releases that only update dependencies. */

export const RELEASES_PER_PAGE = 20

export interface ChangelogQuery {
  filter: Filter
  after: Cursor | null
  /** The versions that an upgrade is between, if it is about one. */
  between: UpgradeRange | null
}

export function queryOf({ cursor, from, to, ...filter }: ChangelogValues): ChangelogQuery {
  const between = from || to ? { ...(from && { from }), ...(to && { to }), ...versionFilter(filter) } : null
  return { filter, after: cursor, between }
}

/** From this many releases on, there are links to eras; of entries, to months and years. */
const LONG = 50
const LONG_OF_ENTRIES = 24

const SLICE = 250

const MAX_READS = 5

/** The releases above this page, from the last of them on. A filtered list has no way back: its newer pages begin again. */
export const readNewer = async ({ reads, team, product }: Source, { filter, after }: ChangelogQuery) =>
  after && !isFiltered(filter) && !isSelective(filter)
    ? reads.ask('readNewer', 'public', team, product, positionBelow(after), RELEASES_PER_PAGE + 1)
    : null

/** The releases of a page, and what is said around them. */
export async function readList(
  source: Source,
  { filter, after }: ChangelogQuery,
  { versionCount }: ChangelogOverview,
  { isMarkdown }: PageForm,
  ofEntries: boolean,
) {
  const own = versionFilter(filter)
  const result = isFiltered(filter) ? await search(source, filter, after, RELEASES_PER_PAGE) : null
  const { found, next } = result ?? (await readFilling(source, { ...own, after }, RELEASES_PER_PAGE))
  const isLong = !isMarkdown && versionCount >= (ofEntries ? LONG_OF_ENTRIES : LONG)
  const newest = isLong || next ? await readNewest(source, own) : []
  return { result, found, next, isLong, newest }
}

/** The releases of a page. If rows of mere updates leave more than half of it empty, further ones too. */
async function readFilling(source: Source, page: VersionFilter & { after: Cursor | null }, length: number) {
  const found: VersionContent[] = []
  let next = page.after
  for (let reads = 0; reads === 0 || (next && reads < MAX_READS && countLines(found) * 2 < length); reads++) {
    const part = await readVersions(source, { ...page, after: next, limit: length }, length)
    found.push(...part.found)
    next = part.next
  }
  return { found, next }
}

const countLines = (versions: readonly VersionContent[]): number =>
  versions.length - [...foldUpdates(versions, []).values()].filter((row) => row.length === 0).length

/** The newest releases, as many as an overview counts. */
async function readNewest(source: Source, filter: VersionFilter): Promise<DatedVersion[]> {
  const all: DatedVersion[] = []
  const range = { limit: OVERVIEW.versions, withDates: true as const, ...filter }
  for await (const { versions } of readSummaries(source, range, SLICE))
    all.push(...(versions as DatedVersion[]))
  return all
}

/** The eras of releases, each with the address of the page that begins with it. `first` is the first release of this page. */
export function linkEras(
  all: readonly DatedVersion[],
  first: string | undefined,
  hrefAfter: (position: Cursor | null) => string,
  ofEntries: boolean,
): EraLink[] {
  let before: DatedVersion | null = null
  return (ofEntries ? monthsOf : erasOf)(all).map((era) => {
    const href = hrefAfter(before)
    before = era.versions.at(-1) ?? null
    return { ...era, href, isCurrent: era.versions.some(({ id }) => id === first) }
  })
}

/** Rows of releases that only update dependencies, by the id of the first one; an empty row by the ids of the others. Eras end rows. */
export function foldUpdates(versions: readonly VersionContent[], eras: readonly EraLink[]) {
  const starts = new Set(eras.map((era) => era.versions[0]?.id))
  const rows = new Map<string, VersionContent[]>()
  let row: VersionContent[] = []
  for (const version of versions) {
    const isUpdate = isMereUpdate(version)
    if (!isUpdate || starts.has(version.id)) row = []
    if (isUpdate) rows.set(version.id, row.length > 0 ? [] : row)
    if (isUpdate) row.push(version)
  }
  return rows
}

export const isMereUpdate = (version: VersionContent): boolean =>
  version.yanked === null &&
  shownName(version).title === null &&
  version.changes.length === version.changeCount &&
  onlyUpdatesDependencies(version.changes, version.description)

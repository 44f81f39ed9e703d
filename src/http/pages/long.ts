import { erasOf } from '../../domain/versions/eras.ts'
import { onlyUpdatesDependencies } from '../../domain/versions/marks.ts'
import { titleBeside } from '../../domain/versions/title.ts'
import { type Cursor, type DatedVersion, OVERVIEW, type VersionContent } from '../../store/store.ts'
import { readSummaries, readVersions, type Source } from '../reading/slices.ts'
import type { EraLink } from './templates/long.ts'

/** Shortens long lists: by eras, and by rows of releases that only update dependencies. */

/** From this many releases on, there are links to eras. */
export const LONG = 50

const SLICE = 250

/** The most reads of a page. */
const MAX_READS = 5

/** The releases of a page. If rows of mere updates leave more than half of it empty, further ones too. */
export async function readFilling(
  source: Source,
  page: { after: Cursor | null; prereleases: 'no' | null },
  length: number,
) {
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
export async function readNewest(source: Source, prereleases: 'no' | null): Promise<DatedVersion[]> {
  const all: DatedVersion[] = []
  const range = { limit: OVERVIEW.versions, withDates: true as const, prereleases }
  for await (const { versions } of readSummaries(source, range, SLICE))
    all.push(...(versions as DatedVersion[]))
  return all
}

/** The eras of releases, each with the address of the page that begins with it. `first` is the first release of this page. */
export function linkEras(
  all: readonly DatedVersion[],
  first: string | undefined,
  hrefAfter: (position: Cursor | null) => string,
): EraLink[] {
  let before: DatedVersion | null = null
  return erasOf(all).map((era) => {
    const href = hrefAfter(before)
    before = era.versions.at(-1) ?? null
    return { ...era, href, isCurrent: era.versions.some(({ id }) => id === first) }
  })
}

/** Rows of releases that only update dependencies, by the ids of their first releases. By those of the others, empty ones. Eras end rows. */
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
  titleBeside(version) === null &&
  version.changes.length === version.changeCount &&
  onlyUpdatesDependencies(version.changes, version.description)

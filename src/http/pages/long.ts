import { erasOf } from '../../domain/versions/eras.ts'
import { onlyUpdatesDependencies } from '../../domain/versions/marks.ts'
import { titleBeside } from '../../domain/versions/title.ts'
import { type Cursor, type DatedVersion, OVERVIEW, type VersionContent } from '../../store/store.ts'
import { readSummaries, type Source } from '../reading/slices.ts'
import type { EraLink } from './templates/long.ts'

/** What makes a long changelog short: its eras, and releases that only update dependencies as one. */

/** From this many releases on, there are links to eras. */
export const LONG = 50

const SLICE = 250

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

/**
 * Releases that only update dependencies, by the id of the first of those in a row; by the ids of the others, none. A row ends where
 * an era does.
 */
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

const isMereUpdate = (version: VersionContent): boolean =>
  version.yanked === null &&
  titleBeside(version) === null &&
  version.changes.length === version.changeCount &&
  onlyUpdatesDependencies(version.changes, version.description)

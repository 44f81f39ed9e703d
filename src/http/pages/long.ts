import { erasOf } from '../../domain/versions/eras.ts'
import { type Cursor, type DatedVersion, OVERVIEW } from '../../store/store.ts'
import { readSummaries, type Source } from '../reading/slices.ts'
import type { EraLink } from './templates/long.ts'

/** Shortens long lists: by eras, and by rows of releases that only update dependencies. */

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
 * Rows of releases that only update dependencies: each by the id of its first release, and an empty one by the ids of the others.
 * A release in `starts` begins a new row.
 */
export function foldUpdates<Version extends { id: string }>(
  versions: readonly Version[],
  isUpdate: (version: Version) => boolean,
  starts: ReadonlySet<string | undefined> = new Set(),
): Map<string, Version[]> {
  const rows = new Map<string, Version[]>()
  let row: Version[] = []
  for (const version of versions) {
    if (!isUpdate(version) || starts.has(version.id)) row = []
    if (!isUpdate(version)) continue
    rows.set(version.id, row.length > 0 ? [] : row)
    row.push(version)
  }
  return rows
}

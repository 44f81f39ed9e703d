import { changeEntry } from '../../domain/entries.ts'
import { pick } from '../../domain/objects.ts'
import type { Change } from '../../domain/records.ts'
import type { Cursor, VersionContent } from '../../store/store.ts'
import { isPartial, readFurther, readSlices, type Source, type VersionSlice } from '../reading/slices.ts'
import type { RequestedPage } from './page.ts'
import { changelogOpening, filled, LIST_END, type ListJson, versionEntry } from './serialize.ts'

type Select = NonNullable<RequestedPage['select']>
type Selection = Pick<RequestedPage, 'select' | 'keeps'>

/** The size of slices: of all versions, and to find some. */
const SLICE = { all: 20, searched: 50 }

/** Slices that one request searches. */
const MAX_SEARCHED = 50

/** A page of versions with changes. */
export async function readContents(source: Source, page: RequestedPage): Promise<ListJson | null> {
  const { select } = page
  const slices = select
    ? readSlices(source, { ...page, limit: null }, SLICE.searched)
    : readSlices(source, page, SLICE.all)
  const parts: string[] = []
  let first: VersionSlice | undefined
  let next: Cursor | null = null
  let left = page.limit ?? Number.POSITIVE_INFINITY
  let searched = 0
  for await (const slice of slices) {
    first ??= slice
    const found = select ? slice.versions.flatMap((version) => selected(version, page)) : slice.versions
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
  return { ...pick(first, 'missingLabel', 'isReversed'), json, next, language: first.settings.language }
}

/** A version with the selected ones of its changes, if it is kept. The rest of a partial one is not read yet. */
function selected(version: VersionContent, { select, keeps }: Selection): VersionContent[] {
  const changes = select ? version.changes.filter(select) : version.changes
  return isPartial(version) || changes.length > 0 || keeps?.(version) ? [{ ...version, changes }] : []
}

async function versionsJson(source: Source, versions: VersionContent[], { select, keeps }: Selection) {
  const [first] = versions
  if (!first || !isPartial(first)) return JSON.stringify(versions.map(versionEntry)).slice(1, -1)
  const changes = await changesJson(source, first, select)
  return changes.length === 0 && !keeps?.(first)
    ? ''
    : filled(versionEntry({ ...first, changes: [] }), changes)
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
    if (kept.length > 0) parts.push(JSON.stringify(kept.map(changeEntry)).slice(1, -1))
  }
  add(version.changes)
  for await (const changes of readFurther(source, version)) add(changes)
  return parts
}

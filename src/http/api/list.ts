import { changeEntry } from '../../domain/entries.ts'
import { pick } from '../../domain/objects.ts'
import type { Change } from '../../domain/records.ts'
import type { ChangelogRead, Cursor, VersionContent } from '../../store/store.ts'
import { isPartial, readFurther, readSlices, readSummaries, type Source } from '../reading/slices.ts'
import type { RequestedPage } from './page.ts'
import { changelogOpening, filled, LIST_END, LIST_FACTS, type ListJson, versionEntry } from './serialize.ts'

type Select = NonNullable<RequestedPage['select']>
type Selection = Pick<RequestedPage, 'select' | 'keeps'>

/** The size of slices: of versions with their changes, of those to search, and of versions alone. */
const SLICE = { all: 20, searched: 50, alone: 500 }

/** Slices that one request searches. */
const MAX_SEARCHED = 50

/** A page of a long list, written in slices. */
export async function readList(source: Source, page: RequestedPage): Promise<ListJson | null> {
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
  return { ...pick(first, ...LIST_FACTS), json, next, language: withChanges ? first.settings.language : null }
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
    return JSON.stringify(versions.map(versionEntry)).slice(1, -1)
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

import type { Change, Instant } from '../../domain/records.ts'
import { breakingIn } from '../../domain/versions/breaking.ts'
import { isListedAside, type Kind } from '../../domain/versions/kinds.ts'
import { isOfKind, urgentKindOf } from '../../domain/versions/marks.ts'
import { showChange } from '../../notes/release.ts'
import { type Form, PAGE_LENGTH, WHOLE, type WrittenChange, writeGroups } from '../../notes/writing.ts'
import { type ChangelogInfo, type Cursor, dateOf, type LabelRange } from '../../store/store.ts'
import { ApiError } from '../errors.ts'
import { MAX_CHANGES, readFurther, readSlices, type Source } from '../reading/slices.ts'
import type { Filter } from './search.ts'
import type { Marked } from './templates/standing.ts'

/** What an upgrade brings, in the order of its page. */
export const UPGRADE_KINDS: readonly Kind[] = [
  ...(['breaking', 'security', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'other'] as const),
]

/** How many changes of a kind are shown at first. Breaking and security changes are not cut. */
const SHOWN = 5
/** One request reads this much. */
const MAX_VERSIONS = 1_000
const MAX_CHARACTERS = 4_000_000

/** Changes of one kind, newest first; people and bumped packages come after the others. */
interface Group {
  count: number
  changes: VersionChange[]
}

export interface VersionChange {
  change: Change
  version: VersionName
}

export interface VersionName {
  id: string
  label: string
}

export type UpgradeRange = LabelRange & Partial<Pick<Filter, 'prereleases'>>

export interface Upgrade {
  info: ChangelogInfo
  /** The label it ends with. */
  to: string
  groups: ReadonlyMap<Kind, Group>
  releaseCount: number
  /** Those of its ends that are yanked. */
  yanked: Marked[]
  /** When the last of them was released. */
  until: Instant | null
  /** Where the rest begins, if this is not all. */
  next: Cursor | null
}

/**
 * What is between two labels by kind, with `shown` changes of most; or all of one kind. Or the label that is missing; null if there is
 * no such changelog. Throws `bad_request` if `from` is not below `to`.
 */
export async function readUpgrade(
  source: Source,
  between: UpgradeRange,
  kind: Kind | null,
  after: Cursor | null,
  shown = SHOWN,
): Promise<Upgrade | { missingLabel: string } | null> {
  const groups = new Map<Kind, Group>()
  let upgrade: Upgrade | null = null
  let characters = 0
  let previous: Cursor | null = null
  const { prereleases = null } = between
  for await (const slice of readSlices(source, { between, after, prereleases })) {
    if (slice.missingLabel !== undefined) return { missingLabel: slice.missingLabel }
    if (slice.isReversed) throw new ApiError('bad_request', 'from must be below to.')
    const to = slice.upTo ?? between.to ?? between.from ?? ''
    const yanked: Marked[] = upgrade?.yanked ?? (await yankedOf(source, [between.from, to]))
    upgrade ??= { info: slice, to, groups, releaseCount: 0, yanked, until: null, next: null }
    for (const version of slice.versions) {
      const own = new Map<Kind, Group>()
      characters += add(own, version, version.changes, kind, shown)
      for await (const part of readFurther(source, version))
        characters += add(own, version, part, kind, shown)
      if (kind === null || kind === 'breaking') addIntroduction(own, version, version.description)
      const count = kind === null ? 0 : countOf(groups, kind) + countOf(own, kind)
      // What does not fit is on the next page as a whole, unless it is longer than a page.
      if (count > MAX_CHANGES && previous && groups.size > 0) return { ...upgrade, next: previous }
      for (const [each, group] of own) merge(groups, each, group, mostOf(each, kind, shown))
      upgrade.releaseCount++
      upgrade.until = Math.max(upgrade.until ?? 0, dateOf(version) ?? 0) || null
      previous = version
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (count >= MAX_CHANGES) return { ...upgrade, next: isLast ? null : version }
    }
    const isMuch = upgrade.releaseCount >= MAX_VERSIONS || characters >= MAX_CHARACTERS
    if (isMuch || slice.versions.length === 0) return { ...upgrade, next: slice.next }
  }
  return upgrade
}

/** Those of the labels that lead to a yanked version which this audience may see. */
async function yankedOf({ reads, audience, team, product }: Source, labels: (string | undefined)[]) {
  const found = [...new Set(labels)].map((label = '') =>
    reads.ask('readVersion', audience, team, product, label, { skip: 0, limit: 0 }),
  )
  return (await Promise.all(found)).flatMap((read) => (read?.version.yanked == null ? [] : read.version))
}

const countOf = (groups: ReadonlyMap<Kind, Group>, kind: Kind): number => groups.get(kind)?.count ?? 0

/** One release may have more of one kind than a page. */
const mostOf = (kind: Kind, only: Kind | null, shown: number): number =>
  only !== null || kind === 'breaking' || kind === 'security' ? MAX_CHANGES : shown

/** Returns how many characters were looked at. */
function add(
  groups: Map<Kind, Group>,
  { id, label }: VersionName,
  changes: readonly Change[],
  only: Kind | null,
  shown: number,
): number {
  let characters = 0
  for (const change of changes) {
    characters += change.title.length + (change.description?.length ?? 0)
    if (only !== null && !isOfKind(change, [only])) continue
    const kind = only ?? urgentKindOf(change)
    const group = { count: 1, changes: [{ change, version: { id, label } }] }
    merge(groups, kind, group, mostOf(kind, only, shown))
  }
  return characters
}

/** What an introduction says of what breaks is an entry of its own, unless it is a line that only announces the changes. */
function addIntroduction(
  groups: Map<Kind, Group>,
  { id, label }: VersionName,
  introduction: string | null,
): void {
  const part = breakingIn(introduction)
  const { count, changes } = groups.get('breaking') ?? { count: 0, changes: [] }
  if (part === null || (count > 0 && !part.includes('\n'))) return
  const [line = '', ...rest] = part.split('\n')
  const title = line.replace(/^#+ |^[ \t>*_-]+|[*_:\s]+$/g, '')
  const change = { id, type: 'breaking', typeLabel: null, title, description: rest.join('\n').trim() || null }
  groups.set('breaking', { count: count + 1, changes: [{ change, version: { id, label } }, ...changes] })
}

/** Adds a group to that of its kind, of which at most so many changes are kept. */
function merge(all: Map<Kind, Group>, kind: Kind, { count, changes }: Group, most: number): void {
  const group = all.get(kind) ?? { count: 0, changes: [] }
  all.set(kind, group)
  group.count += count
  for (const each of changes) {
    const isAside = isListedAside(each.change)
    const isFull = group.changes.length >= most
    const last = group.changes.at(-1)
    if (isFull && (isAside || !last || !isListedAside(last.change))) continue
    const goesLast = isAside || kind !== 'other'
    const at = goesLast ? -1 : group.changes.findIndex(({ change }) => isListedAside(change))
    group.changes.splice(at < 0 ? group.changes.length : at, 0, each)
    if (group.changes.length > most) group.changes.pop()
  }
}

export interface WrittenKind {
  kind: Kind
  /** Of all changes of this kind. */
  count: number
  changes: { change: WrittenChange; version: VersionName; isAside: boolean }[]
}

/** In the order of the page, as much as fits on it. `level` is that of its headings. */
export async function writeUpgrade({ groups }: Upgrade, form: Form, level: number): Promise<WrittenKind[]> {
  const all: WrittenKind[] = []
  let room = PAGE_LENGTH
  for (const kind of UPGRADE_KINDS) {
    const found = groups.get(kind)
    if (!found) continue
    const shown = {
      heading: '',
      kind,
      isAside: false,
      changes: found.changes.map(({ change }) => showChange(change)),
    }
    const { groups: written, left } = await writeGroups(form, [shown], level, { ...WHOLE, release: room })
    room = left
    const changes = (written[0]?.changes ?? []).map((change, at) => {
      const { version } = found.changes[at] as VersionChange
      return { change, version, isAside: isListedAside(change.source) }
    })
    all.push({ kind, count: found.count, changes })
  }
  return all
}

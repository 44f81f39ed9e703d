import { isBreaking, type Kind, kindOf } from '../../domain/kinds.ts'
import { precedenceOf } from '../../domain/precedence.ts'
import type { Change, Instant } from '../../domain/records.ts'
import {
  type ChangelogInfo,
  type Cursor,
  dateOf,
  type LabelRange,
  type VersionContent,
} from '../../store/store.ts'
import { ApiError } from '../errors.ts'
import { MAX_CHANGES, readFurther, readSlices, type Source } from '../reading/slices.ts'
import { PAGE_LENGTH, type RenderedChange, type RenderRelease, WHOLE } from './render-release.ts'

/** What an upgrade brings, in the order of its page. */
export const UPGRADE_KINDS: readonly Kind[] = [
  ...(['breaking', 'security', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'other'] as const),
]

/** How many changes of a kind are shown at first. Breaking and security changes are not cut. */
const SHOWN = 5
/** One request reads this much. */
const MAX_VERSIONS = 1_000
const MAX_CHARACTERS = 4_000_000

/** Changes of one kind, newest first. */
interface Group {
  count: number
  changes: { change: Change; version: VersionName }[]
}

interface VersionName {
  id: string
  label: string
}

export interface Upgrade {
  info: ChangelogInfo
  groups: ReadonlyMap<Kind, Group>
  releaseCount: number
  /** The label of the highest of these versions. */
  highest: string | null
  /** When the last of them was released. */
  until: Instant | null
  /** Where the rest begins, if this is not all. */
  next: Cursor | null
}

/**
 * What is between two labels by kind, with `shown` changes of most; or all of one kind. Null if there is no such
 * changelog or label. Throws `bad_request` if `from` is not below `to`.
 */
export async function readUpgrade(
  source: Source,
  between: LabelRange,
  kind: Kind | null,
  after: Cursor | null,
  shown = SHOWN,
): Promise<Upgrade | null> {
  const groups = new Map<Kind, Group>()
  let upgrade: Upgrade | null = null
  let characters = 0
  for await (const slice of readSlices(source, { between, after })) {
    if (slice.isLabelMissing) return null
    if (slice.isReversed) throw new ApiError('bad_request', 'from must be below to.')
    upgrade ??= { info: slice, groups, releaseCount: 0, highest: null, until: null, next: null }
    for (const version of slice.versions) {
      upgrade.releaseCount++
      upgrade.highest = higher(upgrade.highest, version.label)
      upgrade.until = Math.max(upgrade.until ?? 0, dateOf(version) ?? 0) || null
      characters += add(groups, version, version.changes, kind, shown)
      for await (const part of readFurther(source, version))
        characters += add(groups, version, part, kind, shown)
      const isFull = kind !== null && (groups.get(kind)?.changes.length ?? 0) >= MAX_CHANGES
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (isFull) return { ...upgrade, next: isLast ? null : version }
    }
    if (upgrade.releaseCount >= MAX_VERSIONS || characters >= MAX_CHARACTERS)
      return { ...upgrade, next: slice.next }
  }
  return upgrade
}

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
    const kind = isBreaking(change) ? 'breaking' : kindOf(change.type, change.typeLabel)
    if (only !== null && kind !== only) continue
    const group = groups.get(kind) ?? { count: 0, changes: [] }
    groups.set(kind, group)
    group.count++
    // One release may have more of one kind than a page.
    const most = only !== null || kind === 'breaking' || kind === 'security' ? MAX_CHANGES : shown
    if (group.changes.length < most) group.changes.push({ change, version: { id, label } })
  }
  return characters
}

/** By precedence, else the first of a list. */
function higher(one: string | null, other: string): string {
  if (one === null) return other
  const [first, second] = [precedenceOf(one), precedenceOf(other)]
  return first !== null && second !== null && second > first ? other : one
}

export interface RenderedGroup {
  kind: Kind
  count: number
  changes: { change: RenderedChange; version: VersionName }[]
}

/** In the order of the page, as much as fits on it. */
export async function renderGroups(
  { info, groups }: Upgrade,
  renderRelease: RenderRelease,
): Promise<RenderedGroup[]> {
  const all: RenderedGroup[] = []
  let left = PAGE_LENGTH
  for (const kind of UPGRADE_KINDS) {
    const group = groups.get(kind)
    if (!group) continue
    const release = { ...WHOLE, release: left }
    const { sections } = await renderRelease(info, asVersion(group.changes), 3, release)
    const rendered = new Map(sections.flatMap(({ changes }) => changes.map((each) => [each.id, each])))
    for (const { title, description } of rendered.values()) left -= title.length + (description?.length ?? 0)
    const changes = group.changes.flatMap(({ change: { id }, version }) => {
      const change = rendered.get(id)
      return change ? { change, version } : []
    })
    all.push({ kind, count: group.count, changes })
  }
  return all
}

/** Changes of several versions, to be rendered as those of one. */
const asVersion = (all: Group['changes']): VersionContent => ({
  id: '',
  label: '',
  title: '',
  status: 'published',
  publishedAt: 0,
  dateKnown: false,
  createdAt: 0,
  description: null,
  closing: null,
  changeCount: all.length,
  changes: all.map(({ change }) => change),
})

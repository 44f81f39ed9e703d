import type { Change, Instant } from '../domain/records.ts'
import { headingFromType } from '../domain/slug.ts'
import { countKinds, type KindCounts, readCounts } from '../domain/versions/derived.ts'
import { isBreaking, isListedAside, type Kind, kindOf } from '../domain/versions/kinds.ts'
import { type Standing, standingOf } from '../domain/versions/standing.ts'
import { type VersionTexts, versionTexts } from '../domain/versions/texts.ts'
import type { VersionContent } from '../store/store.ts'
import { placeComparison } from './comparison.ts'

/** What is read of a version, perhaps with only some of its changes. */
export type ReleaseContent = Omit<VersionContent, 'createdAt'>

/** What readers see of a version. Its texts are the markdown of its author. */
export interface ShownRelease extends VersionTexts, Standing {
  id: string
  label: string
  /** Null if its author gave it none but the label. */
  title: string | null
  /** Null if it is not known. */
  date: Instant | null
  groups: ShownGroup[]
  /** Of all its changes. */
  changeCount: number
  counts: KindCounts
  /** How many of them are not in the groups. */
  omitted: number
}

/** Changes under one heading. */
export interface ShownGroup {
  heading: string
  kind: Kind
  /** Whether it lists people or bumped packages, which is shown last. */
  isAside: boolean
  changes: ShownChange[]
}

export interface ShownChange {
  /** As it is stored. */
  source: Change
  /** Without the words in front of it that say that it breaks something. */
  title: string
  isBreaking: boolean
}

/** The heading of a change in the language of its readers. */
export type HeadingOf = (change: Pick<Change, 'type' | 'typeLabel'>) => string

/** The author's own, or that of the type in English. */
export const ownHeading: HeadingOf = ({ type, typeLabel }) => typeLabel ?? headingFromType(type)

/** With at most so many changes, see `clampGroups`; what follows the changes has no place after a few of them. */
export function showRelease(
  version: ReleaseContent,
  headingOf: HeadingOf,
  most = Number.POSITIVE_INFINITY,
): ShownRelease {
  const { id, label, title, dateKnown, publishedAt, changeCount, changes } = version
  const isClamped = changes.length > most
  const all = groupChanges(changes, headingOf)
  const groups = isClamped ? clampGroups(all, most) : all
  const { description, closing } = placeComparison(version)
  return {
    ...versionTexts(version),
    ...standingOf(version),
    ...{ id, label, changeCount, groups, description },
    title: title === label ? null : title,
    date: dateKnown ? publishedAt : null,
    closing: isClamped ? null : closing,
    counts: readCounts(version.kinds) ?? countKinds(changes),
    omitted: groups.reduce((left, group) => left - group.changes.length, changeCount),
  }
}

/** The kinds that a release is marked with. */
export const BADGES = ['breaking', 'security'] as const

export const badgesOf = (counts: KindCounts): Kind[] => BADGES.filter((kind) => counts.has(kind))

export function showChange(source: Change): ShownChange {
  const breaks = isBreaking(source)
  return { source, title: breaks ? withoutMark(source.title) : source.title, isBreaking: breaks }
}

/** Changes by heading: Breaking first, then Security, then in the author's order, and what is aside last. */
export function groupChanges(changes: readonly Change[], headingOf: HeadingOf): ShownGroup[] {
  const groups = [...Map.groupBy(changes, headingOf)].map(([heading, own]): ShownGroup => {
    const first = own[0] as Change
    const kind = kindOf(first.type, first.typeLabel)
    return { heading, kind, isAside: isListedAside(first), changes: own.map(showChange) }
  })
  return groups.sort((one, other) => rank(one) - rank(other))
}

const rank = ({ kind, isAside }: ShownGroup): number =>
  kind === 'breaking' ? 0 : kind === 'security' ? 1 : isAside ? 3 : 2

/**
 * At most `most` changes, and whatever is breaking or about security, even if that is more. The others share what is
 * left: each heading has its first change before any has a second, and what is aside comes last.
 */
export function clampGroups(groups: readonly ShownGroup[], most: number): ShownGroup[] {
  const isUrgent = ({ kind }: ShownGroup, { isBreaking }: ShownChange) => kind === 'security' || isBreaking
  const chosen = new Set(groups.flatMap((group) => group.changes.filter((change) => isUrgent(group, change))))
  for (const aside of [false, true]) {
    const waiting = groups
      .filter(({ isAside }) => isAside === aside)
      .map(({ changes }) => changes.filter((change) => !chosen.has(change)))
    for (let turn = 0; waiting.some(({ length }) => length > turn); turn++)
      for (const changes of waiting) {
        const next = changes[turn]
        if (chosen.size < most && next) chosen.add(next)
      }
  }
  return groups
    .map((group) => ({ ...group, changes: group.changes.filter((change) => chosen.has(change)) }))
    .filter(({ changes }) => changes.length > 0)
}

/** After a scope, perhaps: `*(core)* [**breaking**] …`, `**core:** [Breaking] …`. */
const MARK =
  /^(?<scope>(?:\*\([^()*]*\)\*|\*\*[^*]*:\*\*) )?(?:\[\**breaking(?: changes?)?\**\]:?|(?<stars>\**)breaking(?: changes?)?(?::\k<stars>|\k<stars>:))\s*(?=\S)/i

const withoutMark = (title: string): string => title.replace(MARK, '$<scope>')

import type { Change, Instant } from '../domain/records.ts'
import { headingFromType } from '../domain/slug.ts'
import { withoutNotes } from '../domain/text/footnotes.ts'
import { countKinds, type KindCounts, readCounts } from '../domain/versions/derived.ts'
import { isListedAside, type Kind, kindOf, kindOfChange } from '../domain/versions/kinds.ts'
import { mayTakeAway } from '../domain/versions/marks/breaking.ts'
import { signsOf } from '../domain/versions/marks.ts'
import { shownName } from '../domain/versions/names.ts'
import { REFERENCE, readPrefix } from '../domain/versions/prefix.ts'
import {
  CHANGE_MARKS,
  MARKS,
  type MarkName,
  type SignName,
  type VersionProperties,
  versionProperties,
} from '../domain/versions/properties.ts'
import type { VersionContent } from '../store/store.ts'
import { placeComparison } from './comparison.ts'
import { plainText } from './html/render.ts'

/** The content of a version, perhaps with only some of its changes. */
export type ReleaseContent = Omit<VersionContent, 'createdAt'>

/** A version as readers see it. Its texts are the markdown of its author. */
export interface ShownRelease extends VersionProperties {
  id: string
  label: string
  /** Its label where readers see it: see `shownName`. */
  beside: string | null
  /** Null if its author gave it none but the label. */
  title: string | null
  /** Null if it is not known. */
  date: Instant | null
  groups: ShownGroup[]
  /** Counts all changes. */
  changeCount: number
  counts: KindCounts
  /** How many of them are not in the groups. */
  omitted: number
}

/** Changes under one heading. */
export interface ShownGroup {
  heading: string
  kind: Kind
  /** Lists people or bumped packages, shown last. */
  isAside: boolean
  changes: ShownChange[]
}

export interface ShownChange {
  /** As it is stored, but for what its text repeats. */
  source: Change
  /** Without the prefix that says its kind or where it comes from; the latter is its tail. */
  title: string
  tail: string
  /** What breaks, may break or is about security. */
  signs: readonly SignName[]
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
  const { id, label, dateKnown, publishedAt, changeCount, changes } = version
  const isClamped = changes.length > most
  const all = groupChanges(changes, headingOf)
  const groups = isClamped ? clampGroups(all, most) : all
  const { description, closing } = placeComparison(version)
  const { label: beside, title } = shownName(version)
  return {
    ...versionProperties(version),
    id,
    label,
    changeCount,
    groups,
    description,
    title,
    beside,
    date: dateKnown ? publishedAt : null,
    closing: isClamped ? null : closing,
    counts: readCounts(version.kinds) ?? countKinds(changes, version),
    omitted: groups.reduce((left, group) => left - group.changes.length, changeCount),
  }
}

/** The kinds that a release is marked with. */
export const badgesOf = (counts: KindCounts): MarkName[] => MARKS.filter((kind) => counts.has(kind))

/** The signs of a change that the heading above it does not say. */
export const signsBelow = (kind: Kind, { signs }: Pick<ShownChange, 'signs'>): SignName[] =>
  signs.filter((sign) => sign !== kind)

export function showChange(stored: Change): ShownChange {
  const source = withoutRepetition(stored)
  const given = withoutNotes(source.title)
  const { index = given.length, 0: ending = '' } = ENDING.exec(given) ?? {}
  const { title, word, tail: start } = readPrefix(given.slice(0, index))
  const named = ending.match(EACH)?.map((each) => [/[#\w]+/.exec(each)?.[0], each] as const)
  const tail = [start, ...new Map(named).values()].filter(String).join(' · ')
  // A prefix stays where it says something else than the heading: `[fix] …` below Added.
  const isSaid =
    word === null ||
    ['other', kindOfChange(source)].includes(kindOf(word)) ||
    CHANGE_MARKS.breaking.of(source)
  return { source, title: isSaid ? title : given, tail: isSaid ? tail : '', signs: signsOf(source) }
}

/** If the text begins with the title, its first paragraph is the title: imports cut a long one there. */
function withoutRepetition(change: Change): Change {
  const text = change.description?.trimStart() ?? ''
  const title = change.title.replace(/…$/, '')
  if (title === '' || !text.startsWith(title) || /^[\p{L}\p{N}]/u.test(text.slice(title.length)))
    return change
  const end = /\n\s*\n|\n[ \t]*(?:[-+*>#|`~]|\d+[.)])|$/.exec(text)?.index ?? 0
  if (end > MOST_TITLE) return change
  const rest = text.slice(end).replace(/^\s*\n/, '')
  return {
    ...change,
    title: text
      .slice(0, end)
      .replace(/\s*\n\s*/g, ' ')
      .trimEnd(),
    description: rest || null,
  }
}

/** The most characters of a title that is the beginning of a text. */
const MOST_TITLE = 5_000

/** ` (#731) (b5951fb), closes #12`, as generators write it. One number alone is often a part of the words. */
const ENDING = new RegExp(
  [
    `(?:\\s+\\(${REFERENCE}\\)){2,}(?:, closes(?:,? ${REFERENCE})+)?$`,
    `\\s+\\(${REFERENCE}\\), closes(?:,? ${REFERENCE})+$`,
    '\\s+\\(\\[`?[0-9a-f]{7,40}`?\\]\\([^\\s()]*\\)\\)$',
  ].join('|'),
)
const EACH = new RegExp(REFERENCE, 'g')

/** The title of a change with its tail, in a form without quieter words. */
export const withTail = ({ title, tail }: Pick<ShownChange, 'title' | 'tail'>): string =>
  tail === '' ? title : `${title} (${tail})`

/** A change away from its heading: a removal says that it is one, unless its own words do. */
export function withoutHeading(change: ShownChange): ShownChange {
  const { source, title } = change
  if (kindOf(source.type, source.typeLabel) !== 'removed' || mayTakeAway(title.replaceAll('*', '')))
    return change
  return { ...change, title: `${ownHeading(source)}: ${title}` }
}

/** The first of its changes, breaking ones and then security first. */
export const firstChanges = (changes: readonly Change[], most: number): ShownChange[] => {
  const shown = groupChanges(changes, ownHeading).flatMap((group) => (group.isAside ? [] : group.changes))
  const marked = MARKS.flatMap((mark) => shown.filter(({ signs }) => signs.includes(mark)))
  return [...new Set([...marked, ...shown])].slice(0, most).map(withoutHeading)
}

/** The first paragraph of its introduction that has words, as text; empty if none has. */
export const firstWords = (version: Pick<ReleaseContent, 'label' | 'description' | 'closing'>): string =>
  (placeComparison(version).description ?? '')
    .slice(0, 2_000)
    .split(/\n\s*\n/)
    .filter((block) => !/^\s*(?:[#<>|=`~]|[-*+] |\d+[.)] |!?\[[^\]]*\]\([^)]*\)$)/.test(block))
    .map((block) => plainText(withoutNotes(block)).trim())
    .find((text) => text !== '') ?? ''

/** Changes by heading: Breaking first, then Security, then in the author's order; what has no heading of its author and asides last. */
export function groupChanges(changes: readonly Change[], headingOf: HeadingOf): ShownGroup[] {
  const all = changes.map((source) => {
    const own = headed(source)
    const heading = headingOf(own)
    const name = NAME.exec(source.title)?.groups?.name
    return { source, own, heading, below: name === undefined ? null : `${heading}: ${name}` }
  })
  const named = Map.groupBy(all, ({ below }) => below)
  const groups = Map.groupBy(all, ({ heading, below }) =>
    below !== null && (named.get(below)?.length ?? 0) > MOST_NAMED ? below : heading,
  )
  return [...groups]
    .map(([heading, [first, ...others]]): ShownGroup => {
      const { own } = first as (typeof all)[number]
      const shown = [first as (typeof all)[number], ...others].map(({ source, below }) => {
        const change = showChange(source)
        return below === heading ? { ...change, title: change.title.replace(NAME, '') } : change
      })
      return { heading, kind: kindOf(own.type, own.typeLabel), isAside: isListedAside(own), changes: shown }
    })
    .sort((one, other) => rank(one) - rank(other))
}

/** A change that its author gave no heading is under that of its prefix. */
const headed = (change: Change): Change =>
  change.type === 'changed' && change.typeLabel === null ? { ...change, type: kindOfChange(change) } : change

/** The name of a heading below that of a kind: imports put it in front of each change there. One word may be a scope. */
const NAME = /^\*\*(?<name>[\p{L}\p{N}][\p{L}\p{N}'’&,./-]*(?: [\p{L}\p{N}'’&,./-]+)+):\*\* (?=\S)/u
/** With more changes, it is said once. */
const MOST_NAMED = 2

function rank({ kind, isAside, changes }: ShownGroup): number {
  if (isAside) return 4
  // `headed` made it.
  if (kind === 'other' && changes[0]?.source.type === 'changed') return 3
  return kind === 'breaking' ? 0 : kind === 'security' ? 1 : 2
}

/**
 * At most `most` changes, and all that are breaking or about security, even if that is more. The others share the rest:
 * each heading has its first change before any has a second, and asides come last.
 */
export function clampGroups(groups: readonly ShownGroup[], most: number): ShownGroup[] {
  const all = groups.flatMap(({ changes }) => changes)
  const chosen = new Set(all.filter(({ signs }) => signs.some((sign) => sign !== 'mayBreak')))
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

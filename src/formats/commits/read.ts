import type { ChangeDraft } from '../../domain/records.ts'
import { orderOf, readNumber } from '../../domain/versions/number.ts'
import { parseTags, type Tag } from '../git-tags.ts'
import { type ParsedChangelog, type ParsedVersion, unreleased } from '../parsed.ts'
import { type Commit, History, type ToldCommit } from './history.ts'
import { changeOf, namesOf, type Subject } from './message.ts'
import { rankOf } from './types.ts'

export interface CommitSource {
  /** Newest first. A tag that is not annotated has no message. */
  tags: readonly Tag[]
  /** Children before parents. */
  commits: Iterable<Commit>
  /** The commits that changes are made of; all if it is undefined. */
  wanted?: ReadonlySet<string> | undefined
  /** The commit up to which changes are in a draft, Unreleased, if they are in no version. */
  head?: string | undefined
  /** How messages name the repository. */
  name: string
}

/**
 * Makes versions of tags, and their changes of the commits that each is the first to contain. The message of a tag is its
 * title and description; lists in it are left out, because commits say what changed.
 */
export function parseCommits({ tags, commits, wanted, head, name }: CommitSource): ParsedChangelog {
  const all = [...commits]
  const history = new History(all, wanted)
  const tipOf = new Map(all.flatMap(({ hash, tags: names }) => names.map((one) => [one, hash] as const)))
  const semantic = new Set(tags.flatMap(({ name: tag }) => (isFull(tag) ? (tipOf.get(tag) ?? []) : [])))
  // `v1` beside `v1.2.0` follows the newest version, and is none itself.
  const used = tags.filter(({ name: tag }) => {
    const tip = tipOf.get(tag)
    return tip !== undefined && (isFull(tag) || !semantic.has(tip))
  })
  const parsed = parseTags(used, ({ name: tag }) => `${name}: tag ${tag}`)
  const versions = parsed.versions.map((version, at) => {
    const tag = used[at]?.name ?? ''
    return { version, tip: tipOf.get(tag) ?? '', order: orderOf(tag) ?? '' }
  })
  const leftOut: ParsedVersion[] = []
  const tell = (version: ParsedVersion, tip: string): void => {
    const { changes, isComplete } = changesOf(history.release(tip))
    version.changes = changes
    delete version.isSummary
    delete version.source
    if (!isComplete) leftOut.push(version)
  }
  // If several tags are on one commit, the highest version has the changes: a release, not its last candidate.
  versions.sort(
    ({ tip, order: own }, { tip: other, order }) =>
      history.positionOf(other) - history.positionOf(tip) || Number(own < order) - Number(own > order),
  )
  for (const { version, tip } of versions) tell(version, tip)
  if (head !== undefined) {
    const draft = { ...unreleased(), text: name }
    tell(draft, head)
    if (draft.changes.length > 0 || parsed.versions.length === 0) parsed.versions.unshift(draft)
  }
  const [first, ...others] = leftOut
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `commits without a type are skipped in ${first?.label}${more}, because most have one`
  return first ? { ...parsed, warnings: [...parsed.warnings, { text: name, line: 1, message }] } : parsed
}

/** True for `v1.2`, and false for `v1`. */
const isFull = (tag: string): boolean => (readNumber(tag)?.parts.length ?? 0) > 1

/**
 * The changes of a version: those of one type together, as old ones first. Where more than half of the commits are
 * conventional, others are left out, and the version is not complete. What the version itself reverts is left out too.
 */
function changesOf(commits: readonly ToldCommit[]): { changes: ChangeDraft[]; isComplete: boolean } {
  const kept = withoutReverted(commits)
  const conventional = kept.filter(({ message }) => message.subjects.some(({ type }) => type !== null))
  const isConventional = conventional.length * 2 > kept.length
  const changes = new Map<string, ChangeDraft>()
  let isComplete = true
  for (const { message } of kept)
    for (const subject of message.subjects) {
      const change = changeOf(withNumber(subject, message.pullRequest))
      if (change === null) continue
      if (isConventional && subject.type === null && change.type !== 'breaking-changes') isComplete = false
      // The same commit on two merged branches is one change.
      else changes.set(`${change.type} ${change.title}`, change)
    }
  const sorted = [...changes.values()].sort((one, other) => rankOf(one.type) - rankOf(other.type))
  return { changes: sorted, isComplete }
}

/** `(#12)` behind the title of a merged pull request, as squashed ones have it. */
const withNumber = (subject: Subject, number: string | null): Subject =>
  number === null || subject.text.includes(number)
    ? subject
    : { ...subject, text: `${subject.text} (${number})` }

/** Newest first, so that a revert that was reverted reverts nothing. */
function withoutReverted(commits: readonly ToldCommit[]): ToldCommit[] {
  const named = new Map<string, ToldCommit>()
  for (const commit of commits)
    for (const subject of commit.message.subjects.slice(0, 1))
      for (const name of namesOf(commit.hash, subject)) named.set(name, commit)
  const gone = new Set<ToldCommit>()
  for (const commit of commits.toReversed()) {
    if (gone.has(commit)) continue
    const targets = commit.message.reverts.flatMap((name) => named.get(name) ?? [])
    const { length } = commit.message.reverts
    if (length === 0 || targets.length < length || targets.includes(commit)) continue
    for (const one of [commit, ...targets]) gone.add(one)
  }
  return commits.filter((commit) => !gone.has(commit))
}

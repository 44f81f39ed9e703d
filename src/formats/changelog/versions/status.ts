import type { VersionStatus } from '../../../domain/records.ts'
import { compareNumbers } from '../../../domain/versions/number.ts'
import { oldestFirst } from '../../../domain/versions/order.ts'
import { type ParsedVersion, undated, type Warning } from '../../parsed.ts'
import { isPlaceholder, isUnreleased } from '../vocabulary.ts'
import { type Dated, findFalseDate, findMistypedDate } from './dates.ts'

type NamedVersion = Pick<ParsedVersion, 'label' | 'title' | 'date'> &
  Partial<Pick<ParsedVersion, 'description' | 'changes'>>

/** True if its heading says that it is not released: `1.2.0 (TBD)`. */
const saysUnreleased = ({ label, title }: Pick<NamedVersion, 'label' | 'title'>): boolean =>
  isUnreleased(label) || isPlaceholder(title.slice(label.length))

/**
 * True for `1.3 and later`, if a date is mistyped (`0.1.1 (2012-03/03)`; one far ahead stands for none), for a link that compares its tag,
 * and for sections of changesets, which names a version when it releases it.
 */
const saysReleased = ({ label, title, description, changes = [] }: NamedVersion): boolean =>
  /\band (?:later|newer|above)\b/i.test(title) ||
  description?.includes(`...${label})`) ||
  changes.some(({ type }) => /^(?:major|minor|patch)-changes$/.test(type)) ||
  [findFalseDate, findMistypedDate].some((find) => find(title.replace(label, '')) !== null)

/**
 * The statuses of a file's versions whose headings do not state it. `Unreleased` and the like are drafts, and so are the
 * newest ones if they say that they are not released. A missing date makes a draft of the newest version only, if all others
 * have one and the next has a lower number: a file that leaves out dates says nothing by it.
 */
export function impliedStatuses(versions: readonly NamedVersion[]): VersionStatus[] {
  const dates = versions.flatMap(({ date }) => date ?? [])
  const newestFirst = oldestFirst(versions).reverse()
  const said = newestFirst.findIndex((one) => !saysUnreleased(one))
  const drafts = new Set(newestFirst.slice(0, said === -1 ? newestFirst.length : said))
  const [first, next] = newestFirst
  const isOnly = first?.date === null && dates.length === versions.length - 1
  if (isOnly && next && !saysReleased(first) && isNewer(first, next)) drafts.add(first)
  return versions.map((one) => (drafts.has(one) || isUnreleased(one.label) ? 'draft' : 'published'))
}

const isNewer = ({ label: one }: NamedVersion, { label: other }: NamedVersion): boolean =>
  compareNumbers(one, other) > 0

/** A version whose status may depend on the rest of the file: then it is null. */
export interface UnresolvedVersion extends Omit<ParsedVersion, 'status'>, Dated {
  status: VersionStatus | null
}

/** Sets statuses, and reports where a missing date decided. */
export function resolveStatuses(versions: UnresolvedVersion[], warnings: Warning[]): ParsedVersion[] {
  const implied = impliedStatuses(versions)
  return versions.map((version, at) => {
    const status = implied[at] ?? 'published'
    if (version.status === null && version.date === null && !saysUnreleased(version))
      warnings.push(undated(status === 'draft' ? 'kept_as_draft' : 'published', { line: version.line }))
    return Object.assign(version, { status: version.status ?? status })
  })
}

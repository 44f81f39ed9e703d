import type { VersionStatus } from '../../../domain/records.ts'
import { KEPT_AS_DRAFT, type ParsedVersion, PUBLISHED_UNDATED, type Warning } from '../../parsed.ts'
import { isPlaceholder, isUnreleased } from '../vocabulary.ts'
import type { NumericDate } from './date-formats.ts'

type NamedVersion = Pick<ParsedVersion, 'label' | 'title' | 'date'>

/** Whether it says that it is not released: `Unreleased`, `1.2.0 (TBD)`. */
const saysUnreleased = ({ label, title }: NamedVersion): boolean =>
  isUnreleased(label) || isPlaceholder(title.slice(label.length))

/**
 * The statuses of a file's versions whose headings do not state it. What says that it is not released is a draft. So is what
 * has no date and stands above every dated version, if at least half of the released ones have dates; in a file that
 * begins with the oldest version, below. What others follow is released, with or without a date.
 */
export function impliedStatuses(
  versions: readonly NamedVersion[],
  isUnreleasedAt: readonly boolean[] = versions.map(saysUnreleased),
): VersionStatus[] {
  const released = versions.map(({ date }, at) => ({ date, at })).filter(({ at }) => !isUnreleasedAt[at])
  const dated = released.filter((one): one is typeof one & { date: number } => one.date !== null)
  const hasDates = dated.length > 0 && dated.length * 2 >= released.length
  const rises = dated.filter(({ date }, at) => date > (dated[at - 1]?.date ?? date)).length
  const falls = dated.filter(({ date }, at) => date < (dated[at - 1]?.date ?? date)).length
  const [first, last] = [dated[0]?.at ?? 0, dated.at(-1)?.at ?? 0]
  const isAhead = (at: number) => hasDates && (rises > falls ? at > last : at < first)
  return isUnreleasedAt.map((isUnreleased, at) => (isUnreleased || isAhead(at) ? 'draft' : 'published'))
}

/** A version whose status may depend on the rest of the file: then it is null. */
export interface UnresolvedVersion extends Omit<ParsedVersion, 'status'> {
  status: VersionStatus | null
  /** The readings of an ambiguous date. */
  numericDate: NumericDate | null
}

type ResolvedStatus = Pick<ParsedVersion, 'status'>

/** Sets statuses, and reports where a missing date decided. */
export function resolveStatuses<T extends UnresolvedVersion>(
  versions: T[],
  warnings: Warning[],
): (T & ResolvedStatus)[] {
  const isUnreleasedAt = versions.map(saysUnreleased)
  const implied = impliedStatuses(versions, isUnreleasedAt)
  return versions.map((version, at) => {
    const status = implied[at] ?? 'published'
    if (version.status === null && version.date === null && !isUnreleasedAt[at])
      warnings.push({ line: version.line, message: status === 'draft' ? KEPT_AS_DRAFT : PUBLISHED_UNDATED })
    return Object.assign(version, { status: version.status ?? status })
  })
}

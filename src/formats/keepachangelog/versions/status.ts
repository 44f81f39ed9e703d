import type { VersionStatus } from '../../../domain/records.ts'
import { KEPT_AS_DRAFT, type ParsedVersion, type Warning } from '../../parsed.ts'
import { isPlaceholder, isUnreleased } from '../vocabulary.ts'
import type { NumericDate } from './dates.ts'

/**
 * The status of a version whose heading does not state it. `Unreleased` and the like are drafts; a date means
 * that it is released. Without a date it depends on the file: where other versions have dates this one is
 * waiting for its own, and where few or none have (changesets writes such files) the lack says nothing.
 */
export function impliedStatus(version: NamedVersion, fileHasDates: boolean): VersionStatus {
  if (isUnreleased(version.label) || isPlaceholder(version.title.slice(version.label.length))) return 'draft'
  return version.date === null && fileHasDates ? 'draft' : 'published'
}

/** Whether versions have dates in a file: at least every other one of those that could. */
export function hasDates(versions: NamedVersion[]): boolean {
  const released = versions.filter((version) => impliedStatus(version, false) === 'published')
  return released.filter(({ date }) => date !== null).length * 2 >= Math.max(1, released.length)
}

type NamedVersion = Pick<ParsedVersion, 'label' | 'title' | 'date'>

/** A version as it is read, whose status may depend on the rest of the file: then it is null. */
export interface UnresolvedVersion extends Omit<ParsedVersion, 'status'> {
  status: VersionStatus | null
  /** The readings of its date, if that may be day or month first. */
  numericDate: NumericDate | null
}

type ResolvedStatus = Pick<ParsedVersion, 'status'>

/** Gives every version its status, and reports where the lack of a date decided it. */
export function resolveStatuses<T extends UnresolvedVersion>(
  versions: T[],
  warnings: Warning[],
): (T & ResolvedStatus)[] {
  const fileHasDates = hasDates(versions)
  let isReported = false
  return versions.map((version) => {
    const implied = impliedStatus(version, fileHasDates)
    if (version.status === null && version.date === null) {
      const { line } = version
      if (implied === 'draft' && impliedStatus(version, false) === 'published') {
        warnings.push({ line, message: KEPT_AS_DRAFT })
      } else if (implied === 'published' && !isReported) {
        isReported = true
        warnings.push({
          line,
          message: 'most versions have no date, so versions without one are published',
        })
      }
    }
    return Object.assign(version, { status: version.status ?? implied })
  })
}

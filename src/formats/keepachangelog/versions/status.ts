import type { VersionStatus } from '../../../domain/records.ts'
import { KEPT_AS_DRAFT, type ParsedVersion, type Warning } from '../../parsed.ts'
import { isPlaceholder, isUnreleased } from '../vocabulary.ts'
import type { NumericDate } from './dates.ts'

/**
 * The status of a version whose heading does not state it. `Unreleased` and the like are drafts, dated versions are
 * published. Without a date it is a draft if the other versions of the file have dates.
 */
export function impliedStatus(version: NamedVersion, fileHasDates: boolean): VersionStatus {
  if (isUnreleased(version.label) || isPlaceholder(version.title.slice(version.label.length))) return 'draft'
  return version.date === null && fileHasDates ? 'draft' : 'published'
}

/** Whether at least half of the released versions have dates. */
export function hasDates(versions: NamedVersion[]): boolean {
  const released = versions.filter((version) => impliedStatus(version, false) === 'published')
  return released.filter(({ date }) => date !== null).length * 2 >= Math.max(1, released.length)
}

type NamedVersion = Pick<ParsedVersion, 'label' | 'title' | 'date'>

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

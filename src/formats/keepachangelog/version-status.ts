import type { VersionStatus } from '../../domain/records.ts'
import type { ParsedVersion } from '../parsed.ts'
import { isPlaceholder, isUnreleased } from './vocabulary.ts'

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

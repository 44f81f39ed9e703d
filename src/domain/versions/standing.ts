import { pick } from '../objects.ts'
import { isPrereleaseKey, precedenceOf } from './precedence.ts'

/** Facts about a release beside its texts. Null where nobody said anything. */
export interface Standing {
  /** True if the host says so. See `isPrerelease` for whether it is one. */
  prerelease: boolean | null
  /** Why it was withdrawn after its release, on one line; empty without a reason. */
  yanked: string | null
}

export const NO_STANDING: Standing = { prerelease: null, yanked: null }

/** The fields of a record: a draft may lack some. */
export const standingOf = <T extends Partial<Record<keyof Standing, unknown>>>(record: T) =>
  pick(record, 'prerelease', 'yanked')

/** By its label or by the word of its host. `isStable` of the tables says the opposite in SQL. */
export const isPrerelease = ({ label, prerelease }: Partial<Standing> & { label: string }): boolean =>
  prerelease === true || isPrereleaseKey(precedenceOf(label) ?? '~')

/** The version that `latest` and pages name as the newest, of these in list order: stable and not yanked, or else not yanked. */
export const latestOf = <T extends Standing & { label: string }>(versions: readonly T[]): T | null => {
  const current = versions.filter(({ yanked }) => yanked === null)
  return current.find((version) => !isPrerelease(version)) ?? current[0] ?? null
}

/** `[YANKED]`, `(yanked)`: first or last in a title. */
const YANKED = /^(?:\[yanked\]|\(yanked\))(?:\s+|$)|(?:^|\s+)(?:\[yanked\]|\(yanked\))$/i

/** A title without the remark that the release is yanked, and whether it had it. */
export function readYanked(title: string): { title: string; isYanked: boolean } {
  const rest = title.replace(YANKED, '')
  return { title: rest.replace(/\\(?=[[(]yanked[\])])/gi, ''), isYanked: rest !== title }
}

/** Keeps words of a title from being read as that remark. */
export const escapeYanked = (title: string): string => title.replace(/[[(](?=yanked[\])])/gi, '\\$&')

import { readNumber } from './number.ts'

/** What tells the standing of a release. */
export interface ReleaseWords {
  label: string
  /** True if its host says so. */
  prerelease?: boolean | null
}

/** True by the label or by the word of the host. `FILTERED` of the tables says the opposite in SQL. */
export const isPrerelease = ({ label, prerelease }: ReleaseWords): boolean =>
  prerelease === true || readNumber(label)?.prerelease === true

/** `[YANKED]`, `(yanked)`: first or last in a title. */
const YANKED = /^(?:\[yanked\]|\(yanked\))(?:\s+|$)|(?:^|\s+)(?:\[yanked\]|\(yanked\))$/i

/** A title without the remark that the release is yanked, and whether it had it. */
export function readYanked(title: string): { title: string; isYanked: boolean } {
  const rest = title.replace(YANKED, '')
  return { title: rest.replace(/\\(?=[[(]yanked[\])])/gi, ''), isYanked: rest !== title }
}

/** Keeps words of a title from being read as that remark. */
export const escapeYanked = (title: string): string => title.replace(/[[(](?=yanked[\])])/gi, '\\$&')

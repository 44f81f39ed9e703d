import { ADVISORIES } from './tables/advisories.ts'

/** The id of an advisory, such as `CVE-2026-1234`. */
export const ADVISORY = new RegExp(
  `(?<![\\w-])(?:${ADVISORIES.map(({ id }) => id).join('|')})(?![\\w-])`,
  'i',
)

import { ADVISORIES } from './tables/advisories.ts'

/** The id of an advisory, such as `CVE-2026-1234`. */
export const ADVISORY = new RegExp(
  `(?<![\\w-])(?:${ADVISORIES.map(({ id }) => id).join('|')})(?![\\w-])`,
  'i',
)

/** Where the advisory with an id is published. */
export function advisoryUrl(id: string): string {
  const at = ADVISORIES.find((each) => new RegExp(`^${each.id}$`, 'i').test(id))?.at ?? ''
  return at.includes('#') ? at.replace('#', id.slice(id.indexOf('-') + 1)) : at + id.replaceAll(' ', '-')
}

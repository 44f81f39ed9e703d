/** Ids of advisories, and the address of each: `#` is its number, else the id ends it. */
const ADVISORIES: readonly { id: string; at: string }[] = [
  { id: 'CVE[- ]\\d{4}[- ]\\d{4,7}', at: 'https://www.cve.org/CVERecord?id=' },
  { id: 'GHSA(?:-[\\da-z]{4}){3}', at: 'https://github.com/advisories/' },
  { id: 'RUSTSEC-\\d{4}-\\d{4}', at: 'https://rustsec.org/advisories/' },
  { id: 'PYSEC-\\d{4}-\\d+', at: 'https://osv.dev/vulnerability/' },
  { id: 'GO-\\d{4}-\\d{4}', at: 'https://pkg.go.dev/vuln/' },
  { id: 'SNYK-[A-Z]+-[\\dA-Z]+-\\d+', at: 'https://security.snyk.io/vuln/' },
  { id: 'CWE-\\d{1,4}', at: 'https://cwe.mitre.org/data/definitions/#.html' },
]

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

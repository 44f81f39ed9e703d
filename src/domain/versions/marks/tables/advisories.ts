/** Ids of advisories, and the address of each: `#` is its number, else the id ends it. */
export const ADVISORIES: readonly { id: string; at: string }[] = [
  { id: 'CVE[- ]\\d{4}[- ]\\d{4,7}', at: 'https://www.cve.org/CVERecord?id=' },
  { id: 'GHSA(?:-[\\da-z]{4}){3}', at: 'https://github.com/advisories/' },
  { id: 'RUSTSEC-\\d{4}-\\d{4}', at: 'https://rustsec.org/advisories/' },
  { id: 'PYSEC-\\d{4}-\\d+', at: 'https://osv.dev/vulnerability/' },
  { id: 'GO-\\d{4}-\\d{4}', at: 'https://pkg.go.dev/vuln/' },
  { id: 'SNYK-[A-Z]+-[\\dA-Z]+-\\d+', at: 'https://security.snyk.io/vuln/' },
  { id: 'CWE-\\d{1,4}', at: 'https://cwe.mitre.org/data/definitions/#.html' },
]

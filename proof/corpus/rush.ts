import { compare } from './compare.ts'
import { countChangelog } from './counting/count.ts'
import type { File } from './download.ts'
import { importAndExport } from './program.ts'

/** What the import of a CHANGELOG.json of Rush found, of what the CHANGELOG.md beside it has. */
export interface RushPackage {
  name: string
  versions: [found: number, expected: number]
  dates: [found: number, expected: number]
  items: [found: number, expected: number]
  headings: [found: number, expected: number]
  stable: boolean
}

export async function measureRush(markdown: File, json: File): Promise<RushPackage> {
  const expected = countChangelog(markdown.text)
  const imported = await importAndExport(json.text, 'CHANGELOG.json')
  if ('refusal' in imported) throw new Error(`${json.name}: ${imported.refusal}`)
  const missing = compare(expected, imported.versions)
  const share = (all: number, lost: number): [number, number] => [all - lost, all]
  const dated = expected.versions.filter(({ day }) => day !== null).length
  const headings = expected.versions.reduce((sum, version) => sum + version.headings.length, 0)
  return {
    name: json.name,
    versions: share(expected.versions.length, missing.versions.length),
    dates: share(dated, missing.days.length + missing.versions.filter(({ day }) => day !== null).length),
    items: share(expected.items.length, missing.items.length),
    headings: share(headings, missing.headings.length),
    stable: imported.stable,
  }
}

import { pick } from '../../domain/objects.ts'
import { changeEntry, summaryEntry } from '../../domain/versions/entries.ts'
import { shownFacts, versionTexts } from '../../domain/versions/properties.ts'
import type {
  ChangelogInfo,
  ChangelogRead,
  VersionContent,
  VersionRead,
  VersionSummary,
} from '../../store/store.ts'
import type { ChangelogEnvelope, VersionEnvelope } from './openapi/response-schemas.ts'

export const changelogEnvelope = (read: ChangelogRead): ChangelogEnvelope => ({
  data: { object: 'changelog', ...placeOf(read), versions: read.versions.map(versionEntry) },
})

const placeOf = (read: ChangelogInfo) => pick(read, 'team', 'product', 'changelog')

/** The end of a changelog's JSON: the list of versions is its last field. */
export const LIST_END = ']}}'

/** A changelog's JSON up to its versions. */
export const changelogOpening = (changelog: ChangelogInfo): string =>
  JSON.stringify(changelogEnvelope({ ...changelog, versions: [], next: null })).slice(0, -LIST_END.length)

/** The JSON of an object whose last field is an empty list, filled with these elements. */
export function filled(object: object, elements: readonly string[]): string {
  const json = JSON.stringify(object)
  const end = json.lastIndexOf(']')
  return `${json.slice(0, end)}${elements.join(',')}${json.slice(end)}`
}

export const versionEntry = (version: VersionSummary | VersionContent) =>
  'changes' in version ? { ...summaryEntry(version), ...content(version) } : summaryEntry(version)

export function versionEnvelope({ version, ...read }: VersionRead): VersionEnvelope {
  const opening = { object: 'changelog.version' as const, ...placeOf(read) }
  return { data: { ...opening, ...summaryEntry(version), ...content(version) } }
}

const content = (version: VersionContent) => ({
  dateKnown: version.dateKnown,
  ...versionTexts(version),
  ...shownFacts(version),
  changes: version.changes.map(changeEntry),
})

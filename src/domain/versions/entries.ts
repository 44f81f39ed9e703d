import type { Change, VersionSummary } from '../records.ts'
import { headingFromType } from '../slug.ts'
import { formatInstant } from '../time/time.ts'
import { kindOfChange } from './kinds.ts'
import { CHANGE_SIGNS, CHANGE_TEXT_NAMES, type ChangeTexts, SIGNS, type SignName } from './properties.ts'

/** Versions and changes as the API writes them, and whatever speaks as the API does: names and order are its contract. */

export const summaryEntry = (version: VersionSummary) => ({
  id: version.id,
  object: 'changelog.version' as const,
  version: version.label,
  title: version.title,
  status: version.status,
  publishedAt: formatInstant(version.publishedAt),
  changeCount: version.changeCount,
})

const openingOf = (change: Change, { id, type, typeLabel } = change) => ({
  id,
  object: 'changelog.change' as const,
  type,
  typeLabel: typeLabel ?? headingFromType(type),
  kind: kindOfChange(change),
})

type Signs = Record<SignName, boolean>
type ChangeEntry = ReturnType<typeof openingOf> & Signs & Pick<Change, 'title'> & ChangeTexts

/** Set one by one: a list of changes would take half as long again if objects were spread. */
export function changeEntry(change: Change): ChangeEntry {
  const entry = openingOf(change) as ChangeEntry
  for (const name of SIGNS) entry[name] = CHANGE_SIGNS[name].of(change)
  entry.title = change.title
  for (const name of CHANGE_TEXT_NAMES) entry[name] = change[name] ?? null
  return entry
}

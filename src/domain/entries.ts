import { namesOf } from './objects.ts'
import type { Change, VersionSummary } from './records.ts'
import { headingFromType } from './slug.ts'
import { formatInstant } from './time/time.ts'
import { isBreaking } from './versions/breaking.ts'
import { kindOfChange } from './versions/kinds.ts'
import { isSecurity } from './versions/security.ts'
import { CHANGE_TEXT_NAMES, type ChangeTexts } from './versions/texts.ts'

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

/** What the words of a change say of it. To add something, add a row: the API describes it with `about`. */
export const CHANGE_MARKS = {
  breaking: {
    of: isBreaking,
    about:
      'Whether it breaks something, by its heading or by a mark such as `BREAKING`, `feat!:` or 💥. Its `kind` may be another.',
  },
  security: {
    of: isSecurity,
    about:
      'Whether it is about security, by its heading, the id of a weakness such as `CVE-2026-1234`, or words such as "vulnerability". Its `kind` may be another.',
  },
} as const satisfies Record<string, { of(change: Change): boolean; about: string }>

const MARK_NAMES = namesOf(CHANGE_MARKS)

const openingOf = (change: Change, { id, type, typeLabel } = change) => ({
  id,
  object: 'changelog.change' as const,
  type,
  typeLabel: typeLabel ?? headingFromType(type),
  kind: kindOfChange(change),
})

type Marks = Record<keyof typeof CHANGE_MARKS, boolean>
type ChangeEntry = ReturnType<typeof openingOf> & Marks & Pick<Change, 'title'> & ChangeTexts

/** Set one by one: a list of changes would take half as long again if objects were spread. */
export function changeEntry(change: Change): ChangeEntry {
  const entry = openingOf(change) as ChangeEntry
  for (const name of MARK_NAMES) entry[name] = CHANGE_MARKS[name].of(change)
  entry.title = change.title
  for (const name of CHANGE_TEXT_NAMES) entry[name] = change[name] ?? null
  return entry
}

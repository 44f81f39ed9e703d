import { mapRows } from './objects.ts'
import type { Change, VersionSummary } from './records.ts'
import { headingFromType } from './slug.ts'
import { formatInstant } from './time/time.ts'
import { isBreaking, kindOf } from './versions/kinds.ts'
import { changeTexts, NO_CHANGE_TEXTS } from './versions/texts.ts'

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
} as const satisfies Record<string, { of(change: Change): boolean; about: string }>

export const changeEntry = (change: Change) => ({
  id: change.id,
  object: 'changelog.change' as const,
  type: change.type,
  typeLabel: change.typeLabel ?? headingFromType(change.type),
  kind: kindOf(change.type, change.typeLabel),
  ...mapRows(CHANGE_MARKS, ({ of }) => of(change)),
  title: change.title,
  ...NO_CHANGE_TEXTS,
  ...changeTexts(change),
})

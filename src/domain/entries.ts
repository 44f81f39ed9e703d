import type { Change, VersionSummary } from './records.ts'
import { headingFromType } from './slug.ts'
import { formatInstant } from './time/time.ts'
import { isBreaking, kindOf } from './versions/kinds.ts'

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

export const changeEntry = ({ id, type, typeLabel, title, description }: Change) => ({
  id,
  object: 'changelog.change' as const,
  type,
  typeLabel: typeLabel ?? headingFromType(type),
  kind: kindOf(type, typeLabel),
  breaking: isBreaking({ type, typeLabel: typeLabel ?? null, title, description }),
  title,
  description,
})

import type { Change } from '../../domain/records.ts'
import { headingFromType } from '../../domain/slug.ts'
import { formatInstant } from '../../domain/time.ts'
import type { ChangelogRead, VersionContent, VersionRead, VersionSummary } from '../../store/port.ts'
import type { ChangelogEnvelope, VersionEnvelope } from '../openapi/response-schemas.ts'

/** Turns what the store read into the bodies that the response schemas describe. */

export const changelogEnvelope = ({
  team,
  product,
  changelog,
  versions,
}: ChangelogRead): ChangelogEnvelope => ({
  data: {
    object: 'changelog',
    team,
    product,
    changelog,
    versions: versions.map(versionEntry),
  },
})

/** A version as an element of a changelog's list. */
export const versionEntry = (version: VersionSummary | VersionContent) =>
  'changes' in version ? { ...summary(version), ...content(version) } : summary(version)

export function versionEnvelope({ team, product, changelog, version }: VersionRead): VersionEnvelope {
  const opening = { object: 'changelog.version' as const, team, product, changelog }
  return { data: { ...opening, ...summary(version), ...content(version) } }
}

const summary = (version: VersionSummary) => ({
  id: version.id,
  object: 'changelog.version' as const,
  version: version.label,
  title: version.title,
  status: version.status,
  publishedAt: formatInstant(version.publishedAt),
  changeCount: version.changeCount,
})

const content = ({ description, changes }: VersionContent) => ({
  description,
  changes: changes.map(changeEntry),
})

/** A change as an element of a version's list. */
export const changeEntry = ({ id, type, typeLabel, title, description }: Change) => ({
  id,
  object: 'changelog.change' as const,
  type,
  typeLabel: typeLabel ?? headingFromType(type),
  title,
  description,
})

import type { Instant, Version } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { publicationAt } from '../domain/time/schedule.ts'
import type { Records } from '../store/records/records.ts'
import type { Opened } from './save-version.ts'
import { newSection, openSection, readSection, type Section } from './section.ts'

/** A version as text, to be edited while others may change it. */
export interface OpenedVersion extends Section {
  label: string
  warnings: readonly string[]
  /** Null for a new one. */
  stored: Opened | null
}

export const openNew = (label: string): OpenedVersion =>
  opened({ label, text: newSection(label), read: readSection }, null)

/** `readers` are as for `openSection`. */
export async function openStored(
  records: Records,
  version: Version,
  readers?: readonly Section['read'][],
): Promise<OpenedVersion> {
  const changes = await records.changes.list(version)
  const source = await records.versions.source(version, changes)
  const section = openSection(version, changes, source, readers)
  return opened({ ...section, label: version.label }, { version, changes })
}

function opened(section: Section & { label: string }, stored: Omit<Opened, 'section'> | null): OpenedVersion {
  const { label, text, read } = section
  const found = read(text)
  if ('problem' in found) throw new Refusal(`${label} cannot be edited: ${found.problem}`)
  const { version, warnings } = found
  return { label, text, read, warnings, stored: stored && { ...stored, section: version } }
}

/** False if somebody changed the version in between. Becoming public on schedule is no change. */
export function isUnchanged(before: OpenedVersion, current: OpenedVersion, now: Instant): boolean {
  const storedAt = ({ stored }: OpenedVersion) =>
    stored && { ...stored, version: publicationAt(stored.version, now) }
  return Bun.deepEquals(storedAt(before), storedAt(current))
}

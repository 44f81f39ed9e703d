import { Refused } from '../domain/reasons.ts'
import type { Version } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'
import type { Opened } from './save-version.ts'
import { newSection, openSection, readSection, type Section } from './section.ts'
import { stampOf } from './stamp.ts'

/** A version as text, to be edited while others may change it. */
export interface OpenedVersion extends Section {
  label: string
  warnings: readonly string[]
  /** Tells later whether somebody has changed the version; empty for a new one. */
  stamp: string
  /** Null for a new one. */
  stored: Opened | null
}

export const openNew = (label: string, title = label): OpenedVersion =>
  opened({ label, text: newSection(label, title), read: readSection }, '', null)

/** `readers` are as for `openSection`. */
export async function openStored(
  records: Records,
  version: Version,
  readers?: readonly Section['read'][],
): Promise<OpenedVersion> {
  const changes = await records.changes.list(version)
  const source = await records.versions.source(version, changes)
  const section = openSection(version, changes, source, readers)
  const stamp = stampOf(version, changes, source)
  return opened({ ...section, label: version.label }, stamp, { version, changes })
}

function opened(
  { label, text, read }: Section & { label: string },
  stamp: string,
  stored: Omit<Opened, 'section'> | null,
): OpenedVersion {
  const found = read(text)
  if ('problem' in found)
    throw new Refused('notEditable', { label, why: found.problem.message }, { cause: found.problem })
  const { version, warnings } = found
  return { label, text, read, warnings, stamp, stored: stored && { ...stored, section: version } }
}

import { namesOf } from '../objects.ts'
import type { Version } from '../records.ts'
import { type ChangeTexts, VERSION_COLUMNS, type VersionProperties } from '../versions/properties.ts'

/** A manual edit that differs from the imported file. */
export interface Correction {
  /** The title of the change, or null if it is about the version. */
  change: string | null
  /** The edited field; `corrected` is an edited change that is no longer in the file. */
  what: VersionField | ChangeField | 'order' | 'added' | 'deleted' | 'corrected'
}

export type VersionField = 'label' | 'title' | keyof VersionProperties | 'status' | 'date'
export type ChangeField = 'type' | 'title' | keyof ChangeTexts

export const VERSION_FIELDS: VersionField[] = [
  ...(['label', 'title', ...namesOf(VERSION_COLUMNS), 'status', 'date'] as const),
]

/** The columns of a field. */
export const columnsOf = (field: VersionField): readonly (keyof Version)[] => {
  if (field === 'status') return ['status', 'scheduled']
  return field === 'date' ? ['publishedAt', 'dated', 'dateKnown'] : [field]
}

/** The edited fields, as reports name them. */
export const updatedFields = (update: Partial<Version>): VersionField[] =>
  VERSION_FIELDS.filter((field) => columnsOf(field).some((column) => column in update))

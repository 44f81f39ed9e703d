/** A manual edit that differs from the imported file. */
export interface Correction {
  /** The title of the change, or null if it is about the version. */
  change: string | null
  /** The edited field; `corrected` is an edited change that is no longer in the file. */
  what: VersionField | ChangeField | 'order' | 'added' | 'deleted' | 'corrected'
}

export type VersionField = 'label' | 'title' | 'description' | 'closing' | 'status' | 'date'
export type ChangeField = 'type' | 'title' | 'description'

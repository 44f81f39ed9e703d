/** A manual edit that differs from the imported file. */
export interface Correction {
  /** The title of the change, or null if it is about the version. */
  change: string | null
  /**
   * The edited field; `order` is the order of the changes. Or: a change was added, deleted, or edited and is no longer in
   * the file.
   */
  what: VersionField | ChangeField | 'order' | 'added' | 'deleted' | 'corrected'
}

export type VersionField = 'label' | 'title' | 'description' | 'status' | 'date'
export type ChangeField = 'type' | 'title' | 'description'

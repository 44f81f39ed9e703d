/** A word of the hand that differs from what a file says. */
export interface Correction {
  /** The title of the change, or null if it is about the version. */
  change: string | null
  /**
   * The field that was changed; `order` is that of the version's changes. Or a change that was added or deleted, and one
   * that was corrected and that the file does not have any more.
   */
  what: VersionField | ChangeField | 'order' | 'added' | 'deleted' | 'corrected'
}

export type VersionField = 'label' | 'title' | 'description' | 'status' | 'date'
export type ChangeField = 'type' | 'title' | 'description'

import type { ChangeDraft } from '../records.ts'
import { sha256 } from '../text/sha256.ts'

/** Content of the text of a version. */
export interface Reading {
  description: string | null
  closing?: string | null | undefined
  changes: readonly ChangeDraft[]
}

/** The markdown that a version was read from, and what tells whether the version still says that. */
export interface StoredSource {
  text: string
  /** A hash of the text and its reading. Stored, so it has no fields that versions may get in time. */
  hash: string
}

/** The stored text; null if there is none, or if the texts or changes of the version differ from it now. */
export const sourceOf = (stored: StoredSource | null | undefined, version: Reading): string | null =>
  stored && stored.hash === storedSource(stored.text, version).hash ? stored.text : null

export function storedSource(text: string, { description, closing = null, changes }: Reading): StoredSource {
  const read = changes.map((change) => [
    ...[change.type, change.typeLabel ?? null, change.title, change.description ?? null],
  ])
  return { text, hash: sha256(JSON.stringify([text, description, closing, read])) }
}

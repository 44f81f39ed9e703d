import type { Change, ChangeDraft, Version } from '../records.ts'
import { sha256 } from '../text/sha256.ts'
import { changeTexts, NO_CHANGE_TEXTS, versionProperties } from '../versions/properties.ts'

/**
 * Import state of a version or a change: for each field that was edited since, a hash of the imported
 * value. A field without a hash is as imported. Stored as text:
 *
 *     title:0123456789abcdef date:…     these fields were edited
 *     hand                              the change was added by hand, not imported
 *     deleted:0123456789abcdef          this imported change of the version was deleted by hand
 */
export interface Imported {
  isAddedByHand: boolean
  /** The hashes of imported values, by field. */
  fields: Map<string, string>
  /** The content hashes of changes that were deleted by hand, oldest first. */
  deleted: string[]
}

export type FieldValue = string | number | boolean | null

/** The form of the stored text. */
export const IMPORTED_PATTERN = '^(hand|[a-z]+:[0-9a-f]{16}( [a-z]+:[0-9a-f]{16})*)$'

/** The text for a change that was added by hand. */
export const ADDED_BY_HAND = 'hand'

/** A version keeps the hashes of its last deleted changes, up to this many. */
const MOST_DELETED = 1_000

export function readImported(text: string | null | undefined): Imported {
  const imported: Imported = { isAddedByHand: text === ADDED_BY_HAND, fields: new Map(), deleted: [] }
  if (imported.isAddedByHand || !text) return imported
  for (const word of text.split(' ')) {
    const [name = '', hash = ''] = word.split(':')
    if (name === 'deleted') imported.deleted.push(hash)
    else imported.fields.set(name, hash)
  }
  return imported
}

/** Null if there is nothing to keep. */
export function writeImported({ isAddedByHand, fields, deleted }: Imported): string | null {
  if (isAddedByHand) return ADDED_BY_HAND
  const words = [
    ...[...fields].map(([name, hash]) => `${name}:${hash}`),
    ...deleted.slice(-MOST_DELETED).map((hash) => `deleted:${hash}`),
  ]
  return words.length > 0 ? words.join(' ') : null
}

export const fieldHash = (value: FieldValue): string => sha256(JSON.stringify(value), 'hex').slice(0, 16)

export const isByHand = ({ isAddedByHand, fields }: Imported, name: string, value: FieldValue): boolean =>
  isAddedByHand || (fields.has(name) && fields.get(name) !== fieldHash(value))

/** The text for a row after an edit: a field that is as imported again has no hash. */
export function corrected<Name extends string>(
  text: string | null | undefined,
  before: Readonly<Record<Name, FieldValue>>,
  after: Readonly<Record<Name, FieldValue>>,
): string | null {
  const imported = readImported(text)
  for (const name of Object.keys(before) as Name[]) {
    if (before[name] === after[name]) continue
    const hash = imported.fields.get(name) ?? fieldHash(before[name])
    if (hash === fieldHash(after[name])) imported.fields.delete(name)
    else imported.fields.set(name, hash)
  }
  return writeImported(imported)
}

/** The text for a version that somebody hid, also one that was imported as a draft: that is an edit of its status. */
export function withHidden(text: string | null): string {
  const imported = readImported(text)
  if (!imported.fields.has('status')) imported.fields.set('status', fieldHash('published'))
  return writeImported(imported) ?? ''
}

/** The text for a version after one of its imported changes was deleted by hand. */
export function withDeleted(text: string | null | undefined, change: Change): string | null {
  const imported = readImported(text)
  if (!readImported(change.imported).isAddedByHand) imported.deleted.push(contentHash(change))
  return writeImported(imported)
}

/** The text after that change was restored. */
export function withoutDeleted(text: string | null | undefined, change: Change): string | null {
  const imported = readImported(text)
  const at = imported.deleted.lastIndexOf(contentHash(change))
  if (at !== -1 && !readImported(change.imported).isAddedByHand) imported.deleted.splice(at, 1)
  return writeImported(imported)
}

/** The hashed fields. A scheduled version is hashed as published, so that nothing differs once it is public. */
export const versionFields = (version: Omit<Version, 'id' | 'createdAt' | 'changeCount'>) => ({
  label: version.label,
  title: version.title,
  ...versionProperties(version),
  status: version.scheduled ? 'published' : version.status,
  date: version.dated ? version.publishedAt : null,
})

/** The fields of a change as they are hashed. Its type includes its heading. */
export const changeFields = (change: ChangeDraft) => ({
  type: change.typeLabel ? `${change.type}\n${change.typeLabel}` : change.type,
  title: change.title,
  ...NO_CHANGE_TEXTS,
  ...changeTexts(change),
})

export const orderOf = (changes: readonly Pick<Change, 'id'>[]): string => changes.map(({ id }) => id).join()

/** A hash of the change as last imported. Hashes are stored, so what changes may get in time is no part of it. */
export function contentHash(change: ChangeDraft & Pick<Change, 'imported'>): string {
  const { fields } = readImported(change.imported)
  const { type, title, description } = changeFields(change)
  return fieldHash(
    Object.entries({ type, title, description })
      .map(([name, value]) => fields.get(name) ?? fieldHash(value))
      .join(),
  )
}

/** A hash of the title as last imported. */
export const titleHash = ({ title, imported }: Pick<Change, 'title' | 'imported'>): string =>
  readImported(imported).fields.get('title') ?? fieldHash(title)

import { newId } from '../id.ts'
import type {
  Change,
  ChangeDraft,
  Instant,
  Version,
  VersionContents,
  VersionDraft,
  VersionStatus,
} from '../records.ts'
import { knownDate } from '../rules.ts'
import { isAhead, type Publication, publicationAt, publicationOf } from '../time/schedule.ts'
import {
  NO_VERSION_PROPERTIES,
  type VersionProperties,
  versionFacts,
  versionProperties,
} from '../versions/properties.ts'
import { type Correction, columnsOf, VERSION_FIELDS } from './correction.ts'
import { fieldHash, isByHand, readImported, versionFields, writeImported } from './imported.ts'
import type { Continuation } from './match-versions.ts'
import { type ChangeMerge, mergedChanges } from './merge-changes.ts'
import type { Moves } from './moved-changes.ts'

export const differing = <T extends object>(known: T, update: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(update).filter(([name, value]) => value !== known[name as keyof T]),
  ) as Partial<T>

export type IncomingVersion = DraftedVersion | ExactVersion

/** A version from a changelog file. It never hides a stored version, and a missing date changes nothing. */
export interface DraftedVersion {
  from: 'changelog'
  version: VersionDraft & {
    changes: readonly ChangeDraft[]
    /** The file only names it: a stored version keeps its description and changes. */
    isSummary?: true
    /** The markdown that it was read from. */
    source?: string | null | undefined
  }
  /** The status of a new version, whatever the file says. A stored one keeps its own then. */
  newStatus: VersionStatus | null
  /** A stored draft becomes public: see `isDraftedByImport`. */
  isReleased?: boolean | undefined
  /** The position of the version in the file, from 1 for the newest. */
  rank: number
  /** The `publishedAt` of a version published without a date: a time that keeps the order of the file. */
  undatedAt: Instant
  /** The id for a new version, where only a chosen one sorts as in the file. */
  newId?: string | undefined
  /** The stored version that it continues under another label. */
  continues?: Continuation | undefined
  /** Stored changes that the file moved from or to another version. */
  moves?: Moves | undefined
  /** The stored version that it is, and its changes, if they were read before. */
  stored?: KnownVersion | null | undefined
  storedChanges?: readonly Change[] | undefined
}

/** A version from one of our exports: the stored version becomes exactly this one. */
export interface ExactVersion {
  from: 'export'
  version: VersionContents
}

export type KnownVersion = Omit<Version, 'changeCount'>

/**
 * The stored version that an incoming one matches, by id in the same changelog, else by label; and its id. A new
 * version keeps the id of the export, unless another changelog has it.
 */
export async function matchVersion<T extends KnownVersion & { changelogId: string }>(
  incoming: IncomingVersion,
  changelogId: string,
  find: { byId(id: string): Promise<T | null>; byLabel(label: string): Promise<T | null> },
): Promise<{ known: KnownVersion | null; id: string }> {
  if (incoming.from === 'changelog' && incoming.stored)
    return { known: incoming.stored, id: incoming.stored.id }
  const exactId = incoming.from === 'export' ? incoming.version.id : null
  const storedAs = (incoming.from === 'changelog' && incoming.continues?.label) || incoming.version.label
  const sameId = exactId === null ? null : await find.byId(exactId)
  const known = sameId?.changelogId === changelogId ? sameId : await find.byLabel(storedAs)
  if (known) return { known, id: known.id }
  if (exactId !== null && !sameId) return { known: null, id: exactId }
  return { known: null, id: (incoming.from === 'changelog' && incoming.newId) || newId('ver') }
}

export function newVersion(incoming: IncomingVersion, now: Instant): Omit<KnownVersion, 'id'> {
  if (incoming.from === 'changelog')
    return { ...NO_VERSION_PROPERTIES, ...versionInFile(incoming, now), createdAt: now }
  const { createdAt, imported } = incoming.version
  return { ...versionInExport(incoming, now), createdAt, imported }
}

function versionInExport({ version }: ExactVersion, now: Instant) {
  const { label, title } = version
  return { label, title, ...versionProperties(version), ...publicationOf(publicationAt(version, now)) }
}

/** The file's version, if it is new or released with it. */
function versionInFile(incoming: DraftedVersion, now: Instant) {
  const { label, title, date } = incoming.version
  const { status, scheduled } = statusOnImport(incoming, now)
  const publishedAt = date ?? (status === 'published' ? incoming.undatedAt : now)
  const publication = { status, scheduled, publishedAt, dated: date !== null, dateKnown: date !== null }
  return { label, title, ...propertiesInFile(incoming.version), ...publication }
}

/**
 * The properties that a file could have: readers leave out a closing text that it lacks, and that it is not yanked. Other properties
 * are absent. It has no reason why a version is yanked, so the stored one stays.
 */
export const propertiesInFile = (version: DraftedVersion['version'], known = NO_VERSION_PROPERTIES) => ({
  ...((version.isSummary
    ? versionFacts(version)
    : { closing: null, ...versionProperties(version) }) as Partial<VersionProperties>),
  yanked: version.yanked === '' ? (known.yanked ?? '') : (version.yanked ?? null),
})

/** The status that a file gives a version: with a date ahead, publishing means scheduling. */
export function statusOnImport(
  { version: { status, scheduled, date }, newStatus }: Pick<DraftedVersion, 'version' | 'newStatus'>,
  now: Instant,
): Pick<Version, 'status' | 'scheduled'> {
  const wanted = newStatus ?? (scheduled ? 'published' : status)
  const waits = date !== null && (scheduled ? date > now : isAhead(date, now))
  return wanted === 'published' && waits
    ? { status: 'draft', scheduled: true }
    : { status: wanted, scheduled: false }
}

/** Changes of a new version keep their ids only if the version keeps its own. */
export const newChanges = ({ from, version }: IncomingVersion, versionId: string): readonly Change[] =>
  from === 'export' && version.id === versionId
    ? version.changes
    : version.changes.map((change) => ({ ...change, id: newId('chg') }))

/** The fields of the stored version that differ. */
export const mergeVersion = (known: KnownVersion, incoming: IncomingVersion, now: Instant) =>
  differing(known, wantedVersion(known, incoming, now))

function wantedVersion(known: KnownVersion, incoming: IncomingVersion, now: Instant): Partial<KnownVersion> {
  if (incoming.from === 'export') return versionInExport(incoming, now)
  if (incoming.continues?.isRenamed) {
    // The draft is released: the file decides, as for a new version.
    const released = versionInFile(incoming, now)
    const isHidden =
      released.status === 'draft' &&
      (known.status === 'published' || (known.scheduled && !released.scheduled))
    return isHidden ? { ...released, ...publicationOf(known) } : released
  }
  const { label, title } = incoming.version
  const name = incoming.continues?.isRenumbered ? label : known.label
  return {
    label: name,
    title: title === label ? name : title,
    ...propertiesInFile(incoming.version, known),
    ...publicationInFile(known, incoming, now),
  }
}

/**
 * The publication state that a file gives a stored version. A file never hides a version or ends a schedule. A
 * published version without a known date is ordered as in the file.
 */
function publicationInFile(known: KnownVersion, incoming: DraftedVersion, now: Instant): Publication {
  const { date } = incoming.version
  const { undatedAt } = incoming
  if (incoming.isReleased && date === null)
    return { status: 'published', scheduled: false, publishedAt: undatedAt, dated: false, dateKnown: false }
  if (incoming.isReleased && date !== null)
    return { ...statusOnImport(incoming, now), publishedAt: date, dated: true, dateKnown: true }
  const publication = publicationOf(known)
  const isNews = date !== null && known.status === 'draft' && publishes(incoming) && isOtherDate(known, date)
  const state = isNews ? statusOnImport(incoming, now) : {}
  if (date !== null && (isNews || !known.scheduled))
    return { ...publication, ...state, publishedAt: date, dated: true, dateKnown: true }
  return known.status === 'published' && knownDate(known) === null
    ? { ...publication, publishedAt: undatedAt, dateKnown: false }
    : publication
}

/**
 * True for a draft that an import made, untouched since: publishing it by hand, and hiding it again, is an edit of its status, and
 * leaves another time where the file has no date.
 */
export const isDraftedByImport = (
  { status, scheduled, dated, publishedAt, createdAt, imported }: KnownVersion,
  changes: readonly Change[],
): boolean =>
  status === 'draft' &&
  !scheduled &&
  (dated || publishedAt === createdAt) &&
  !imported &&
  changes.every((change) => !change.imported)

const publishes = ({ version: { status, scheduled }, newStatus }: DraftedVersion): boolean =>
  newStatus === null && (status === 'published' || scheduled === true)

/**
 * True if the date in a file is news about a draft. A scheduled draft compares its time. Any other draft was hidden by
 * hand if the file had this date before, and stays hidden.
 */
function isOtherDate({ scheduled, dated, publishedAt, imported }: KnownVersion, date: Instant): boolean {
  if (scheduled) return publishedAt !== date
  const importedDate = readImported(imported).fields.get('date')
  return importedDate === undefined ? !(dated && publishedAt === date) : importedDate !== fieldHash(date)
}

export interface MergeOptions {
  now: Instant
  /** The file replaces edits. */
  overwrite: boolean
}

export interface Merged {
  fields: Partial<KnownVersion>
  /** Null if nothing differs. */
  changes: ChangeMerge | null
  /** The text to store: see imported.ts. */
  imported: string | null
  corrections: Correction[]
}

/** Merges an incoming version into a stored one. Without differences `fields` is empty, and `changes` is null. */
export function merged(
  known: KnownVersion,
  stored: readonly Change[],
  incoming: IncomingVersion,
  { now, overwrite }: MergeOptions,
): Merged {
  const changes = mergedChanges(stored, incoming, known.imported, overwrite)
  if (incoming.from === 'export') {
    const fields = mergeVersion(known, incoming, now)
    const imported = incoming.version.imported ?? null
    return { fields, changes: changes.merge, imported, corrections: [] }
  }
  const version = mergeCorrectedVersion(known, incoming, now, overwrite)
  version.fields.delete('order')
  if (changes.order !== undefined) version.fields.set('order', changes.order)
  return {
    fields: version.update,
    changes: changes.merge,
    imported: writeImported({ isAddedByHand: false, fields: version.fields, deleted: changes.deleted }),
    corrections: [...version.corrections, ...changes.corrections],
  }
}

/** Merges a version of a file into a stored one. Edits that the file lacks stay, unless `overwrite`. `fields` are hashes to store. */
function mergeCorrectedVersion(
  known: KnownVersion,
  incoming: DraftedVersion,
  now: Instant,
  overwrite: boolean,
): { update: Partial<KnownVersion>; corrections: Correction[]; fields: Map<string, string> } {
  const imported = readImported(known.imported)
  const corrections: Correction[] = []
  const { label } = incoming.version
  const isRelabelled = imported.fields.get('label') === fieldHash(label) && known.label !== label
  const asInFile = isRelabelled && overwrite ? { ...known, label } : known
  const update: Partial<Version> = {
    ...mergeVersion(asInFile, incoming, now),
    ...(isRelabelled && { label }),
  }
  const present = versionFields(known)
  const inFile = wordsOf(known, incoming)
  for (const field of VERSION_FIELDS) {
    if (!imported.fields.has(field)) continue
    const differs = columnsOf(field).some((column) => column in update)
    // On release, the label, status and date of the unreleased draft no longer matter.
    const isPast = incoming.continues?.isRenamed && ['label', 'status', 'date'].includes(field)
    if (!isPast && differs && isByHand(imported, field, present[field])) {
      corrections.push({ change: null, what: field })
      if (!overwrite) {
        for (const column of columnsOf(field)) delete update[column]
        continue
      }
    }
    if (differs || inFile[field] === present[field]) imported.fields.delete(field)
  }
  // Status and date of a schedule belong together: with only one of them, the version might go public too early.
  if (known.scheduled && !overwrite && corrections.some(({ what }) => what === 'status' || what === 'date'))
    for (const column of [...columnsOf('status'), ...columnsOf('date')]) delete update[column]
  return { update, corrections, fields: imported.fields }
}

/** The values in a file; undefined where it has none. */
const wordsOf = (known: KnownVersion, { version }: DraftedVersion) => ({
  label: version.label,
  title: version.title === version.label ? known.label : version.title,
  ...propertiesInFile(version, known),
  status: version.scheduled ? 'published' : version.status,
  date: version.date ?? undefined,
})

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
import { isAhead, type Publication, publicationAt } from '../time/schedule.ts'
import { hashOf, readImported } from './imported.ts'
import type { Continuation } from './match-versions.ts'

/** How an import changes the stored versions of a product. */

/** The fields of an update that differ from the known ones. */
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
    /** Whether the file only names it: a stored version keeps its description and its changes then. */
    isSummary?: true
  }
  /** The status it gets if it is new, whatever the file says; a stored version keeps its own then. */
  newStatus: VersionStatus | null
  /** How many versions of the file are newer, counted from 1. */
  rank: number
  /** The moment that gives it its place among the versions of the file if it is published without a date. */
  place: Instant
  /** The id it gets if it is new, where only a chosen one sorts as the file does. */
  newId?: string | undefined
  /** The stored version that it is under another label, if it is. */
  continues?: Continuation | undefined
}

/** A version from an export of ours: the stored version becomes exactly this one. */
export interface ExactVersion {
  from: 'export'
  version: VersionContents
}

export type KnownVersion = Omit<Version, 'changeCount'>

/**
 * The stored version that an incoming one matches, and its id: the one with the same id in the same changelog, else the
 * one with the same label, or the label under which it is stored. A new one gets the id that the export has, unless another changelog has taken it.
 */
export async function matchVersion<T extends KnownVersion & { changelogId: string }>(
  incoming: IncomingVersion,
  changelogId: string,
  find: { byId(id: string): Promise<T | null>; byLabel(label: string): Promise<T | null> },
): Promise<{ known: T | null; id: string }> {
  const exactId = incoming.from === 'export' ? incoming.version.id : null
  const storedAs = (incoming.from === 'changelog' && incoming.continues?.label) || incoming.version.label
  const sameId = exactId === null ? null : await find.byId(exactId)
  const known = sameId?.changelogId === changelogId ? sameId : await find.byLabel(storedAs)
  if (known) return { known, id: known.id }
  if (exactId !== null && !sameId) return { known: null, id: exactId }
  return { known: null, id: (incoming.from === 'changelog' && incoming.newId) || newId('ver') }
}

/** The row of a version that is not stored yet, without its id. */
export function newVersion(incoming: IncomingVersion, now: Instant): Omit<KnownVersion, 'id'> {
  const { label, title, description } = incoming.version
  if (incoming.from === 'export') {
    const { createdAt, imported } = incoming.version
    return { label, title, description, ...publicationIn(incoming, now), createdAt, imported }
  }
  const { status, scheduled } = statusOnImport(incoming, now)
  const { version, place } = incoming
  const publishedAt = version.date ?? (status === 'published' ? place : now)
  const isDated = version.date !== null
  const publication = { status, scheduled, publishedAt, dated: isDated, dateKnown: isDated }
  return { label, title, description, ...publication, createdAt: now }
}

/** When a version of an export is public. */
function publicationIn({ version }: ExactVersion, now: Instant): Publication {
  const { status, scheduled, publishedAt, dated, dateKnown } = publicationAt(version, now)
  return { status, scheduled, publishedAt, dated, dateKnown }
}

/** The status that a file gives a version: what it publishes at a date ahead is scheduled for then. */
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

/** The changes of a version that is not stored yet. They keep their ids only if the version keeps its own. */
export const newChanges = ({ from, version }: IncomingVersion, versionId: string): readonly Change[] =>
  from === 'export' && version.id === versionId
    ? version.changes
    : version.changes.map((change) => ({ ...change, id: newId('chg') }))

/** The fields of the stored version that an incoming one changes. Null if nothing differs. */
export function mergeVersion(
  known: KnownVersion,
  incoming: IncomingVersion,
  now: Instant,
): Partial<KnownVersion> | null {
  const update = differing(known, wantedVersion(known, incoming, now))
  return Object.keys(update).length > 0 ? update : null
}

function wantedVersion(known: KnownVersion, incoming: IncomingVersion, now: Instant): Partial<KnownVersion> {
  const { label, title, description } = incoming.version
  if (incoming.from === 'export') {
    return { label, title, description, ...publicationIn(incoming, now) }
  }
  if (incoming.continues?.isRenamed) {
    // what was being worked on is released: the file decides, as for a new version
    const { createdAt: _, ...released } = newVersion(incoming, now)
    const { status, scheduled, publishedAt, dated, dateKnown } = known
    const isHidden =
      released.status === 'draft' && (status === 'published' || (scheduled && !released.scheduled))
    return isHidden ? { ...released, status, scheduled, publishedAt, dated, dateKnown } : released
  }
  return {
    title: title === label ? known.label : title,
    description: incoming.version.isSummary ? known.description : description,
    ...publicationInFile(known, incoming, now),
  }
}

/**
 * The publication state that a file gives a stored version. A file neither hides a version nor ends a schedule. A published
 * version without a known date is ordered as in the file.
 */
function publicationInFile(known: KnownVersion, incoming: DraftedVersion, now: Instant): Publication {
  const { date } = incoming.version
  const { status, scheduled, publishedAt, dated, dateKnown } = known
  const isNews = date !== null && status === 'draft' && publishes(incoming) && isOtherDate(known, date)
  const state = isNews ? statusOnImport(incoming, now) : { status, scheduled }
  if (date !== null && (isNews || !scheduled))
    return { ...state, publishedAt: date, dated: true, dateKnown: true }
  return status === 'published' && knownDate(known) === null
    ? { ...state, publishedAt: incoming.place, dated, dateKnown: false }
    : { ...state, publishedAt, dated, dateKnown }
}

const publishes = ({ version: { status, scheduled }, newStatus }: DraftedVersion): boolean =>
  newStatus === null && (status === 'published' || scheduled === true)

/**
 * Whether the date in a file is news about a draft. For a scheduled one it is if its moment is another. Any other draft was
 * hidden by hand if the file has given it this date before, and the file does not publish it again.
 */
function isOtherDate({ scheduled, dated, publishedAt, imported }: KnownVersion, date: Instant): boolean {
  if (scheduled) return publishedAt !== date
  const importedDate = readImported(imported).fields.get('date')
  return importedDate === undefined ? !(dated && publishedAt === date) : importedDate !== hashOf(date)
}

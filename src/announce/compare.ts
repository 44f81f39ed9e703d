import type { Instant } from '../domain/records.ts'
import { isDue } from '../domain/time/waiting.ts'
import { isPrerelease } from '../domain/versions/standing.ts'
import { changeTexts, versionTexts } from '../domain/versions/texts.ts'
import type { AnnouncedVersion } from '../store/bookkeeping/announced.ts'
import type { PublicEdition, PublicVersion } from '../store/records/types.ts'

/** An edited text is announced after this time without another edit, or after the longer one since the first. */
const QUIET_MS = 5 * 60_000
const LONGEST_MS = 30 * 60_000

/** A hash of what the public reads of a version. */
export const versionHash = ({ version, changes }: PublicVersion): string => {
  const { label, title, dateKnown, publishedAt, yanked } = version
  const date = dateKnown ? publishedAt : null
  const { description, closing, ...others } = versionTexts(version)
  const texts = changes.map((change) => {
    const { description, ...others } = changeTexts(change)
    return [change.type, change.typeLabel, change.title, description, ...present(others)]
  })
  const text = [label, title, date, description, closing, texts, ...present({ ...others, yanked })]
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(text)).digest('base64url').slice(0, 22)
}

/** So a hash is the same as that of a program which did not know these texts. */
const present = (texts: object): unknown[] => Object.entries(texts).filter(([, text]) => text !== null)

/** Whether its text must be read: it is new, or may be another than what was announced. */
export const needsHash = (before: AnnouncedVersion | undefined, { edition }: PublicEdition): boolean =>
  before === undefined || edition === null || edition !== before.edition

/**
 * Compares what is public with what was announced. What became public and was hidden again in between was never seen, and
 * is not announced. `hashes` are those of the texts that had to be read. Returns what differs from before, and when an
 * edited text is to be announced next.
 */
export function compare(
  before: ReadonlyMap<string, AnnouncedVersion>,
  current: readonly PublicEdition[],
  hashes: ReadonlyMap<string, string>,
  round: number,
  now: Instant,
) {
  const changed: AnnouncedVersion[] = []
  let nextAt = Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  for (const version of current) {
    seen.add(version.id)
    const known = before.get(version.id)
    const next = known ? stillPublic(known, version, hashes, round, now) : nowPublic(version, hashes, round)
    if (next === undefined) continue
    if (!known || !Bun.deepEquals(known, next)) changed.push(next)
    nextAt = Math.min(nextAt, dueAt(next))
  }
  for (const known of before.values())
    if (!seen.has(known.versionId) && known.withdrawnIn === null)
      changed.push({ ...known, ...NOTHING_PENDING, withdrawnIn: round })
  return { changed, nextAt }
}

const NOTHING_PENDING = { pendingHash: null, pendingSince: null, pendingAt: null }

function nowPublic(
  { id, edition, prerelease, ...version }: PublicEdition,
  hashes: ReadonlyMap<string, string>,
  round: number,
): AnnouncedVersion | undefined {
  const hash = hashes.get(id)
  // Hidden again since it was listed.
  if (hash === undefined) return undefined
  const stableIn = isPrerelease({ ...version, prerelease }) ? null : round
  const rounds = { publishedIn: round, updatedIn: null, stableIn, withdrawnIn: null }
  return { ...version, versionId: id, edition, hash, ...rounds, ...NOTHING_PENDING }
}

function stillPublic(
  known: AnnouncedVersion,
  version: PublicEdition,
  hashes: ReadonlyMap<string, string>,
  round: number,
  now: Instant,
): AnnouncedVersion {
  const { id, edition, prerelease: _, ...current } = version
  const hash = hashes.get(id)
  const isAgain = known.withdrawnIn !== null
  const stableIn = isPrerelease(version) ? null : isAgain ? round : (known.stableIn ?? round)
  const next = { ...known, ...current, stableIn, ...(hash !== undefined && { edition }) }
  if (isAgain)
    return { ...next, hash: hash ?? known.hash, publishedIn: round, updatedIn: null, withdrawnIn: null }
  const edited = hash === undefined ? next : { ...next, ...pendingAfter(known, hash, now) }
  if (edited.pendingHash === null || !isDue(dueAt(edited), now, LONGEST_MS)) return edited
  return { ...edited, ...NOTHING_PENDING, hash: edited.pendingHash, updatedIn: round }
}

/** A text that is again what was announced is not waiting any more. */
function pendingAfter(known: AnnouncedVersion, hash: string, now: Instant) {
  if (hash === known.hash) return NOTHING_PENDING
  if (hash === known.pendingHash) return {}
  return { pendingHash: hash, pendingSince: known.pendingSince ?? now, pendingAt: now }
}

const dueAt = ({ pendingSince, pendingAt }: AnnouncedVersion): Instant =>
  pendingSince === null || pendingAt === null
    ? Number.POSITIVE_INFINITY
    : Math.min(pendingAt + QUIET_MS, pendingSince + LONGEST_MS)

/** The last round in which something about it was to be announced. */
export const lastRoundOf = ({ publishedIn, updatedIn, stableIn, withdrawnIn }: AnnouncedVersion): number =>
  Math.max(publishedIn, updatedIn ?? 0, stableIn ?? 0, withdrawnIn ?? 0)

import type { Instant } from '../domain/records.ts'
import { sha256 } from '../domain/text/sha256.ts'
import { isDue } from '../domain/time/waiting.ts'
import { changeTexts, versionProperties } from '../domain/versions/properties.ts'
import { isPrerelease } from '../domain/versions/standing.ts'
import { mapTexts } from '../domain/versions/texts.ts'
import { withAddresses } from '../formats/markdown/pictures.ts'
import type { AnnouncedVersion } from '../store/bookkeeping/announced.ts'
import type { PublicEdition, PublicVersion } from '../store/records/types.ts'
import { NO_NEWS } from '../store/tables/derived.ts'

/** An edited text is announced after this time without another edit, or after the longer one since the first. */
const QUIET_MS = 5 * 60_000
const LONGEST_MS = 30 * 60_000

/** A hash of the public text of a version. Which picture a place of it shows is no part: one may follow its release. */
export const versionHash = (found: PublicVersion): string => {
  const version = mapTexts(found.version, withoutPictures)
  const changes = found.changes.map((change) => mapTexts(change, withoutPictures))
  const { label, title, dateKnown, publishedAt } = version
  const date = dateKnown ? publishedAt : null
  const { description, closing, prerelease: _, ...others } = versionProperties(version)
  const texts = changes.map((change) => {
    const { description, ...others } = changeTexts(change)
    return [change.type, change.typeLabel, change.title, description, ...present(others)]
  })
  const text = [label, title, date, description, closing, texts, ...present(others)]
  return sha256(JSON.stringify(text)).slice(0, 22)
}

const withoutPictures = (text: string): string =>
  withAddresses(text, (address) => (URL.canParse(address) ? undefined : ''))

/** Leaves absent texts out, so that a hash is the same as in a program that does not know them. */
const present = (texts: object): unknown[] => Object.entries(texts).filter(([, text]) => text !== null)

/** True if its text must be read: it is new, or may differ from the announced one. */
export const needsHash = (before: AnnouncedVersion | undefined, { edition }: PublicEdition): boolean =>
  before === undefined || edition === null || edition !== before.edition

/** A public version, with the hash of its text if that was read and is still public. */
export type Seen = PublicEdition & { hash: string | undefined }

/**
 * Compares public versions with announced ones. A version published and hidden again in between was never seen, and is
 * not announced. `areOtherRules` told pre-releases before: what they took for one is no news. Returns what differs from
 * before, and when an edited text is to be announced next.
 */
export function compare(
  before: ReadonlyMap<string, AnnouncedVersion>,
  current: readonly Seen[],
  round: number,
  now: Instant,
  areOtherRules: boolean,
) {
  const changed: AnnouncedVersion[] = []
  let nextAt = Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  for (const version of current) {
    seen.add(version.id)
    const known = before.get(version.id)
    const next =
      known?.withdrawnIn === null
        ? stillPublic(known, version, areOtherRules ? known.publishedIn : round, round, now)
        : nowPublic(known, version, round)
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

/** True if the version is published for the first time, or again. */
function nowPublic(
  known: AnnouncedVersion | undefined,
  { id, prerelease, hash, ...version }: Seen,
  round: number,
): AnnouncedVersion | undefined {
  const text = hash === undefined ? known : { hash, edition: version.edition }
  // Hidden again since it was listed.
  if (text === undefined) return undefined
  const publishedIn = known || version.edition !== NO_NEWS ? round : 0
  const stableIn = isPrerelease({ ...version, prerelease }) ? null : publishedIn
  const rounds = { publishedIn, updatedIn: null, stableIn, withdrawnIn: null }
  const { hash: announced, edition } = text
  return { ...version, versionId: id, edition, hash: announced, ...rounds, ...NOTHING_PENDING }
}

function stillPublic(
  known: AnnouncedVersion,
  version: Seen,
  stableSince: number,
  round: number,
  now: Instant,
): AnnouncedVersion {
  const { id: _, edition, prerelease: __, hash, ...current } = version
  const stableIn = isPrerelease(version) ? null : (known.stableIn ?? stableSince)
  const next = { ...known, ...current, stableIn }
  const edited = hash === undefined ? next : { ...next, edition, ...pendingAfter(known, hash, now) }
  if (edited.pendingHash === null || !isDue(dueAt(edited), now, LONGEST_MS)) return edited
  return { ...edited, ...NOTHING_PENDING, hash: edited.pendingHash, updatedIn: round }
}

/** A text that is again the announced one is not waiting any more. */
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

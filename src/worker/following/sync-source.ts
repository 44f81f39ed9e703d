import { version } from '../../../package.json'
import { address, type Instant, type Source, type SourceMemory } from '../../domain/records.ts'
import { defectIn, type Hint, isRefusal, toRun, Unavailable } from '../../domain/refusal.ts'
import { targetOf } from '../../domain/sources.ts'
import { plain } from '../../domain/text/controls.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { backOff, mostAhead } from '../../domain/time/waiting.ts'
import type { Turns } from '../../domain/turns.ts'
import { type Checked, check } from '../../sources/check.ts'
import { type CheckContext, type KnownPictures, recalled } from '../../sources/check-context.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'
import type { Waiting } from '../../store/engines/wait.ts'
import { open } from '../../store/open.ts'
import type { Followed } from '../../store/records/types.ts'
import { followCommand } from '../../transfer/exports/import-source.ts'
import { type FollowedImport, importFollowed } from '../../transfer/import-followed.ts'
import { type Takings, takeAll } from '../../transfer/pictures/take.ts'
import { addressesOf, duePictures, stillWanted, wantedAnew, warningsOf } from './pictures.ts'

/** What the worker and `sync` need to check sources. */
export interface Following {
  database: string
  bookkeeping: Bookkeeping
  context: Omit<CheckContext, 'now' | 'signal' | 'full'>
  /** Imports of one process wait for each other. */
  imports: Turns
  waiting: Waiting
  picturesMaxBytes: number
  now(): Instant
}

interface SyncOptions {
  signal: AbortSignal
  /** Shows what would change: neither data nor bookkeeping are written. */
  dryRun?: true | undefined
  /** Takes a source that has lost much. */
  accept?: true | undefined
  /** Reads everything, whether or not it has changed. */
  full?: true | undefined
}

/** The result of a check, once imported. `memory` is for the next check. */
export type SyncOutcome =
  | Exclude<Checked, { state: 'fetched' }>
  | ({ state: 'imported'; memory: SourceMemory } & FollowedImport)

/**
 * Checks a source and imports its changes in one transaction, then notes the check. A process that ends in
 * between has imported all or nothing, and the next check finds that out. A fault of the source is an outcome; throws
 * `Unavailable` if the database does not respond.
 */
export async function syncSource(
  following: Following,
  { source, product }: Followed,
  options: SyncOptions,
): Promise<SyncOutcome> {
  const { bookkeeping, context } = following
  const now = following.now()
  const target = targetOf(source)
  const noted = await bookkeeping.sourceChecks.find(source.id)
  const before = noted?.target === target && !isMisdated(source, noted, now) ? noted : null
  const memory = before?.memory ?? {}
  const known = recalled(memory).pictures ?? { ids: [], wanted: [] }
  const { signal, full = duePictures(known, now).length > 0 } = options
  const checked = await check(source, memory, { ...context, now, signal, full })
  const run = { following, followed: { source, product }, checked, before, options, now }
  const outcome = await outcomeOf(run, known)
  const note = async (outcome: SyncOutcome) => {
    const noted = { target, checkedAt: now, ...afterCheck(source, outcome, before, following.now()) }
    await bookkeeping.sourceChecks.put(source.id, noted)
  }
  if (options.dryRun || signal.aborted) return outcome
  await note(outcome)
  const pictured = await withPictures(run, outcome)
  if (pictured !== outcome) await note(pictured)
  return pictured
}

/** A check and its result, which is imported, and again with the pictures that were read after that. */
interface Run {
  following: Following
  followed: Followed
  checked: Checked
  before: SourceCheck | null
  options: SyncOptions
  now: Instant
}

async function outcomeOf(
  { following, followed, checked, before, options, now }: Run,
  { ids: known, wanted }: KnownPictures,
  takings: Takings = new Map(),
): Promise<SyncOutcome> {
  if (checked.state !== 'fetched') return checked
  const { memory } = checked
  if (options.signal.aborted) return { state: 'unchanged', memory }
  const { input, isWhole, text, place } = checked
  const addresses = place ? addressesOf(input.parsed.versions, place) : new Set<string>()
  const pictures = { addresses, known, takings }
  const readUntil = before && readUntilBefore(before)
  const read = { input, isWhole, text, readUntil, sizeBefore: before?.size ?? null, pictures }
  try {
    // In turn: waiting for a lock of this very process would block it.
    const imported = await following.imports(null, () => importNow(following, followed, read, options))
    if (!imported) return { state: 'unchanged', memory: before?.memory ?? {} }
    const { held, ids, result } = imported
    const { hash } = recalled(before?.memory ?? {})
    const isSame = !options.full && hash !== undefined && hash === recalled(memory).hash
    const all = isSame || takings.size > 0 ? wanted : wantedAnew(addresses, wanted, now)
    const left = all.filter(({ address }) => addresses.has(address))
    const after = { ids: [...ids], wanted: stillWanted(left, takings, followed.source.every, now) }
    const reader = isWhole && { reader: version }
    const remembered = { ...memory, pictures: after, ...reader, ...(held !== null && { held }) }
    const warnings = [...result.warnings, ...warningsOf(takings)]
    return { state: 'imported', memory: remembered, ...imported, result: { ...result, warnings } }
  } catch (error) {
    if (error instanceof Unavailable) throw error
    // Content read but not imported is read again.
    const { kind, message, hint: remedy = null } = isRefusal(error) ? error : defectIn('The source', error)
    return { state: 'failed', memory: before?.memory ?? {}, kind, reason: plain(message), remedy }
  }
}

/** When another version of the program last read it, less a day, as dates are days; null if this one did, or none. */
const readUntilBefore = ({ memory, size, checkedAt, failure, waiting }: SourceCheck): Instant | null =>
  size === null || recalled(memory).reader === version
    ? null
    : ((failure ?? waiting)?.since ?? checkedAt) - DAY_MS

/** So that the pictures of one source hold up no other source of its host. The rest is read at the next check. */
const MOST_MS = 60_000

/** Reads the pictures that are due, and imports the source with them. What the first import has changed is told. */
async function withPictures(run: Run, first: SyncOutcome): Promise<SyncOutcome> {
  const { checked, options, now } = run
  const { pictures } = recalled(first.memory)
  if (checked.state !== 'fetched' || first.state !== 'imported' || !checked.place || !pictures) return first
  const due = duePictures(pictures, now)
  if (due.length === 0) return first
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MOST_MS)])
  const takings = await takeAll(checked.place, due, signal)
  options.signal.throwIfAborted()
  const again = await outcomeOf(run, pictures, takings)
  if (again.state !== 'imported' || !isChanged(first)) return again
  const { memory, result } = again
  return { ...first, memory, result: { ...first.result, warnings: result.warnings } }
}

/** Null if the product does not follow this any more. */
async function importNow(
  { database, waiting, picturesMaxBytes, now }: Following,
  followed: Followed,
  read: Parameters<typeof importFollowed>[3],
  { accept, dryRun }: SyncOptions,
): Promise<FollowedImport | null> {
  using store = await open(database, dryRun ? 'dry run' : 'write', waiting, now)
  return await store.transaction(
    async (records) => {
      const current = await records.sources.followedBy(followed.source)
      if (!current) return null
      const options = { accept: accept === true, dryRun, picturesMaxBytes, now: now() }
      return importFollowed(records, current, followed.source, read, options)
    },
    { commit: !dryRun },
  )
}

function afterCheck(
  source: Source,
  outcome: SyncOutcome,
  before: SourceCheck | null,
  now: Instant,
): Omit<SourceCheck, 'target' | 'checkedAt'> {
  const imported = outcome.state === 'imported' ? outcome : null
  const known = {
    memory: outcome.memory,
    changedAt: imported && isChanged(imported) ? now : (before?.changedAt ?? null),
    size: imported?.size ?? before?.size ?? null,
  }
  const failure = before?.failure ?? null
  if (outcome.state === 'postponed') {
    const { until, reason, remedy } = outcome
    const waiting = failure ? null : { since: before?.waiting?.since ?? now, reason, remedy }
    return { ...known, nextAt: until, failure, waiting }
  }
  if (outcome.state !== 'failed')
    return { ...known, nextAt: nextCheck(source, now), failure: null, waiting: null }
  const { reason, remedy } = outcome
  const count = (failure?.count ?? 0) + 1
  const failing = { since: failure?.since ?? now, reason, remedy, count }
  return { ...known, nextAt: retryAt(source, count, now), failure: failing, waiting: null }
}

/** Of pictures that are missing. */
const MOST_NAMED = 10

/** Remarks on a source that can be read: a sentence and a remedy for each, and what they are about if the reason may change. */
export function noticesOf(
  { source, product }: Followed,
  memory: SourceMemory,
): { about?: string; reason: string; hint: Hint }[] {
  const { moved = null, held = 0, pictures } = recalled(memory)
  const missing = (pictures?.wanted ?? []).filter(({ nextAt, reason }) => nextAt !== null && reason !== null)
  return [
    ...missing.slice(0, MOST_NAMED).map((picture) => ({
      about: picture.address,
      reason: `The picture ${picture.address} ${picture.reason}.`,
      hint: toRun('It is tried again for a week. To try it now', 'sync', [address(product)]),
    })),
    moved !== null && {
      reason: `The repository has moved to ${moved}.`,
      hint: {
        text: 'To follow the new address',
        command: followCommand(product, { ...source, url: moved }),
      },
    },
    held > 0 &&
      source.prune && {
        reason: `The source no longer has ${held} versions, more than a tenth. None of them was deleted.`,
        hint: toRun('To delete them', 'sync', [address(product)], { accept: true }),
      },
  ].filter((notice) => notice !== false)
}

export const isChanged = ({ result: { added, updated, pruned, changed } }: FollowedImport): boolean =>
  added + updated + pruned + changed.products > 0

/** The longest that a check is put off: see `nextCheck`, and the pauses that hosts may ask for. */
const longestPause = ({ every }: Source): number => Math.max(1.5 * every, DAY_MS)

/** True if a wrong clock, or a longer interval, has put it off too far. Its times are not used then. */
export const isMisdated = (source: Source, { nextAt }: SourceCheck, now: Instant): boolean =>
  nextAt > mostAhead(now, longestPause(source))

/**
 * When a source is checked next after a success. Each has a fixed offset within its interval, so that checks are spread, also
 * after a restart. At least half an interval passes.
 */
export function nextCheck({ id, every }: Source, now: Instant): Instant {
  const offset = Bun.hash.xxHash32(id) % every
  const slot = Math.floor((now - offset) / every) * every + offset
  const next = slot + every
  return next - now < every / 2 ? next + every : next
}

/** When a source is checked again after `failures` failed checks in a row. Sources that fail together are spread already. */
export const retryAt = ({ every }: Source, failures: number, now: Instant): Instant =>
  now + backOff(failures, every, DAY_MS)

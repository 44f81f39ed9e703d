import { address, type Instant, type Product, type Source, type SourceMemory } from '../../domain/records.ts'
import { defectIn, type Hint, isRefusal, toRun, Unavailable } from '../../domain/refusal.ts'
import { targetOf } from '../../domain/sources.ts'
import { plain } from '../../domain/text/controls.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { backOff, mostAhead } from '../../domain/time/waiting.ts'
import { type Checked, check } from '../../sources/check.ts'
import { type CheckContext, recalled } from '../../sources/check-context.ts'
import type { Bookkeeping } from '../../store/bookkeeping/bookkeeping.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'
import type { Waiting } from '../../store/engines/wait.ts'
import { open } from '../../store/open.ts'
import type { Records } from '../../store/records/records.ts'
import type { Followed } from '../../store/records/types.ts'
import { followCommand } from '../../transfer/exports/import-source.ts'
import { type FollowedImport, importFollowed } from '../../transfer/import-followed.ts'
import { type TrashPlace, withTrash } from '../../transfer/undo/trash.ts'

/** What the worker and `sync` need to check sources. */
export interface Following {
  database: string
  bookkeeping: Bookkeeping
  context: Omit<CheckContext, 'now' | 'signal' | 'full'>
  trash: TrashPlace
  /** Imports of one process wait for each other. */
  lastImport: Promise<unknown>
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
  const known = await bookkeeping.sourceChecks.find(source.id)
  const before = known?.target === target && !isMisdated(source, known, now) ? known : null
  const memory = before?.memory ?? {}
  const { signal, full = false } = options
  const checked = await check(source, memory, { ...context, now, signal, full })
  const outcome = await outcomeOf(following, { source, product }, checked, before, options)
  if (options.dryRun || options.signal.aborted) return outcome
  await bookkeeping.sourceChecks.put(source.id, {
    target,
    checkedAt: now,
    ...afterCheck(source, outcome, before, following.now()),
  })
  return outcome
}

async function outcomeOf(
  following: Following,
  followed: Followed,
  checked: Checked,
  before: SourceCheck | null,
  options: SyncOptions,
): Promise<SyncOutcome> {
  if (checked.state !== 'fetched') return checked
  const { memory } = checked
  if (options.signal.aborted) return { state: 'unchanged', memory }
  const { input, isWhole, text } = checked
  const read = { input, isWhole, text, sizeBefore: before?.size ?? null }
  try {
    // In turn: waiting for a lock of this very process would block it.
    const importing = following.lastImport.then(() => importNow(following, followed, read, options))
    following.lastImport = importing.catch(() => {})
    const imported = await importing
    if (!imported) return { state: 'unchanged', memory }
    const { held } = imported
    return { state: 'imported', memory: held === null ? memory : { ...memory, held }, ...imported }
  } catch (error) {
    if (error instanceof Unavailable) throw error
    // Content read but not imported is read again.
    const { kind, message, hint: remedy = null } = isRefusal(error) ? error : defectIn('The source', error)
    return { state: 'failed', memory: before?.memory ?? {}, kind, reason: plain(message), remedy }
  }
}

/** Null if the product does not follow this any more. */
async function importNow(
  { database, trash: place, waiting, picturesMaxBytes, now }: Following,
  followed: Followed,
  read: Parameters<typeof importFollowed>[3],
  { accept, dryRun }: SyncOptions,
): Promise<FollowedImport | null> {
  using store = await open(database, dryRun ? 'dry run' : 'write', waiting, now)
  return await withTrash(
    () => place,
    (trash, settle) =>
      store.transaction(
        async (records) => {
          const current = await stillFollowed(records, followed)
          if (!current) return null
          const options = { accept: accept === true, dryRun, picturesMaxBytes, now: now() }
          const done = await importFollowed(records, current, followed.source, read, options, trash)
          await settle()
          return done
        },
        { commit: !dryRun },
      ),
  )
}

/** The product if it still follows the source. A renamed one is null: the next round finds it. */
async function stillFollowed(records: Records, { product, source }: Followed): Promise<Product | null> {
  const found = await records.products.find(product.team.slug, product.slug)
  const current = found && (await records.sources.find(found))
  return current?.id === source.id && targetOf(current) === targetOf(source) ? found : null
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

/** Remarks on a source that can be read: a sentence and a remedy for each. */
export function noticesOf(
  { source, product }: Followed,
  memory: SourceMemory,
): { reason: string; hint: Hint }[] {
  const { moved = null, held = 0 } = recalled(memory)
  return [
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

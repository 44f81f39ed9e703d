import { address } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { openBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Followed } from '../../../store/records/types.ts'
import { findSource } from '../../../transfer/find.ts'
import { followingFor } from '../../../worker/following/context.ts'
import { AT_ONCE, inParallel } from '../../../worker/following/parallel.ts'
import { isChanged, type SyncOutcome, syncSource } from '../../../worker/following/sync-source.ts'
import { productArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Common, print, waitingFor, withReadableStore, withStore } from '../../session.ts'
import { configFrom, databaseFrom, settingOptions } from '../../settings.ts'
import { plain, plural } from '../../terminal/text.ts'
import {
  correctionCount,
  correctionNotes,
  scheduleNotes,
  sparedNotes,
  versionLines,
  versionsJson,
  warningNotes,
} from '../import/report.ts'

export function syncCommand(context: Context) {
  const command = writingCommand(context, 'sync', 'check what is followed now, and import what is new', [
    'changelogd sync',
    'changelogd follow acme/app CHANGELOG.md && changelogd sync acme/app --dry-run',
    'changelogd sync --json',
  ])
    .addArgument(productArgument(' (default: everything that is followed and not paused)').argOptional())
    .option('--dry-run', 'show what would happen to each version, change nothing')
    .option('--accept', 'import also from a source that has lost many versions')
  for (const option of settingOptions(['follow-private', 'follow-known-hosts'])) command.addOption(option)
  return command.action(async (name, options) => {
    // Migrates the database first, unless nothing is to change.
    if (!options.dryRun) await withStore(context, options, async () => {})
    const followed = await withReadableStore(context, options, (store) =>
      store.snapshot(async (records) =>
        name
          ? [await findSource(records, name)]
          : (await records.sources.list()).filter(({ source }) => !source.paused),
      ),
    )
    const synced = await syncAll(context, options, followed)
    await print(context, options, {
      json: synced.map((each) => syncJson(each)),
      text: synced.flatMap((each) => syncLines(context, each)).join('\n'),
      notes:
        synced.length > 0
          ? synced.flatMap((each) => syncNotes(context, each, options))
          : ['Nothing is followed. To follow a repository: changelogd follow TEAM/PRODUCT URL'],
    })
    const failed = synced.filter(({ outcome }) => 'reason' in outcome).length
    if (failed > 0) throw new Refusal(`${plural(failed, 'source')} could not be imported: see above.`)
  })
}

interface Synced extends Followed {
  outcome: SyncOutcome
}

interface SyncOptions extends Common {
  dryRun?: true | undefined
  accept?: true | undefined
}

async function syncAll(
  context: Context,
  options: SyncOptions,
  followed: readonly Followed[],
): Promise<Synced[]> {
  const { dryRun, accept } = options
  const config = { ...configFrom(context, options), workerDatabase: databaseFrom(context, options.db) }
  const bookkeeping = await openBookkeeping(config.workerDatabase, { clock: context.now })
  try {
    const settings = { config, env: context.env, file: context.configFile(), now: context.now }
    const following = followingFor({ ...settings, waiting: waitingFor(context, options) }, bookkeeping)
    const { signal } = new AbortController()
    const outcomes = new Map<Followed, SyncOutcome>()
    await inParallel(AT_ONCE, followed, async (each) => {
      outcomes.set(each, await syncSource(following, each, { signal, dryRun, accept, full: true }))
    })
    return followed.flatMap((each) => {
      const outcome = outcomes.get(each)
      return outcome ? [{ ...each, outcome }] : []
    })
  } finally {
    bookkeeping.close()
  }
}

function syncLines(context: Context, { product, source, outcome }: Synced): string[] {
  const name = address(product)
  if (outcome.state === 'unchanged') return [`${name}: nothing new`]
  if (outcome.state !== 'imported')
    return [plain([`${name}: ${outcome.reason}`, outcome.remedy ?? ''].join(' ').trim())]
  const { result } = outcome
  const { added, updated, unchanged, skipped, pruned, warnings } = result
  const corrections = correctionCount(result)
  const parts = [
    ...[`${added} added`, `${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`],
    ...(pruned > 0 ? [`${pruned} deleted`] : []),
    ...(corrections > 0 ? [`${plural(corrections, 'correction')} kept`] : []),
    plural(warnings.length, 'warning'),
  ]
  const lead = isChanged(outcome) ? '' : 'nothing new: '
  return [`${name}: ${lead}${parts.join(', ')} (${plain(source.url)})`, ...versionLines(context, result)]
}

function syncNotes(context: Context, { source, outcome }: Synced, { dryRun }: SyncOptions): string[] {
  if (outcome.state !== 'imported') return []
  const { result } = outcome
  return [
    ...warningNotes(result, source.url),
    ...scheduleNotes(result, { dryRun, now: context.now() }),
    ...correctionNotes(result, { overwrite: undefined, dryRun }, null),
    ...sparedNotes(result),
  ]
}

function syncJson({ product, source, outcome }: Synced) {
  const head = { product: address(product), url: source.url, state: outcome.state }
  if (outcome.state === 'unchanged') return head
  if (outcome.state !== 'imported') return { ...head, reason: outcome.reason, remedy: outcome.remedy }
  const { result, kept } = outcome
  const { added, updated, unchanged, skipped, pruned, warnings } = result
  return {
    ...head,
    ...{ added, updated, unchanged, skipped, pruned, warnings },
    ...(result.versions.length > 0 && { versions: versionsJson(result) }),
    ...kept,
  }
}

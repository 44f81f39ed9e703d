import { pick } from '../../../domain/objects.ts'
import { address } from '../../../domain/records.ts'
import { type Hint, Refusal, toRun } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { Places } from '../../../outgoing/places.ts'
import { obeyPause } from '../../../sources/check.ts'
import { openBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Followed } from '../../../store/records/types.ts'
import { findSource, sourcesOf } from '../../../transfer/find.ts'
import { followingFor } from '../../../worker/contexts.ts'
import { MOST_AT_ONCE, peerOf } from '../../../worker/following/follow-job.ts'
import { isChanged, noticesOf, type SyncOutcome, syncSource } from '../../../worker/following/sync-source.ts'
import { productArgument, teamOrProduct } from '../../arguments/arguments.ts'
import { withSettings, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Common, print, snapshotOf, waitingFor, withStore } from '../../session.ts'
import { configFrom, databaseFrom } from '../../settings.ts'
import { moment } from '../../terminal/moments.ts'
import { plain } from '../../terminal/text.ts'
import {
  correctionNotes,
  countsText,
  scheduleNotes,
  sparedNotes,
  versionLines,
  versionsJson,
  warningNotes,
} from '../import/report.ts'
import { nothing } from './follow.ts'

export const syncCommand = (context: Context) =>
  withSettings(
    writingCommand(context, 'sync', 'check sources now, and import new releases', [
      'changelogd sync',
      'changelogd follow acme/app CHANGELOG.md && changelogd sync acme/app --dry-run',
      'changelogd sync --json',
    ])
      .addArgument(
        productArgument(', or a team (default: all sources that are not paused)')
          .argParser(teamOrProduct)
          .argOptional(),
      )
      .option('--dry-run', 'show what would happen to each version, change nothing')
      .option('--accept', 'accept a source that lost many versions, and let --prune delete them'),
    ['follow-private', 'follow-known-hosts'],
  )
    .usage('[options] [team|team/product]')
    .action(async (name, options) => {
      // Migrates the database first, unless nothing is to change.
      if (!options.dryRun) await withStore(context, options, async () => {})
      const wanted = await snapshotOf(context, options, async (records) =>
        typeof name === 'object' ? [await findSource(records, name)] : sourcesOf(records, name),
      )
      const followed = wanted.filter(({ source }) => typeof name === 'object' || !source.paused)
      const synced = await syncAll(context, options, followed)
      await print(context, options, {
        json: synced.map((each) => syncJson(each, options)),
        text: synced.flatMap((each) => syncLines(context, each)).join('\n'),
        notes:
          synced.length > 0
            ? synced.flatMap((each) => syncNotes(context, each, options))
            : [wanted[0] ? pausedNote(wanted[0]) : nothing(typeof name === 'string' ? name : undefined)],
      })
      const failed = synced.filter(({ outcome }) => outcome.state === 'failed').length
      if (failed > 0) throw new Refusal(`Could not import ${plural(failed, 'source')}: see above.`)
    })

const pausedNote = ({ product }: Followed): Hint =>
  toRun('All sources are paused. To resume one', 'follow resume', [address(product)])

interface Synced extends Followed {
  outcome: SyncOutcome
}

interface SyncOptions extends Common {
  dryRun?: true | undefined
  accept?: true | undefined
}

async function syncAll(context: Context, options: SyncOptions, followed: readonly Followed[]) {
  const { dryRun, accept } = options
  const config = { ...configFrom(context, options), workerDatabase: databaseFrom(context, options.db) }
  using bookkeeping = await openBookkeeping(config.workerDatabase, { clock: context.now })
  const settings = { config, env: context.env, file: context.configFile(), now: context.now }
  const following = followingFor({ ...settings, waiting: waitingFor(context, options) }, bookkeeping)
  const checks = await bookkeeping.sourceChecks.all()
  for (const { memory } of checks.values()) obeyPause(memory, following.context.quotas)
  const { signal } = new AbortController()
  const places = new Places(MOST_AT_ONCE)
  const synced = followed.map(async (each): Promise<Synced> => {
    const place = peerOf(each.source, checks.get(each.source.id))
    const sync = () => syncSource(following, each, { signal, dryRun, accept, full: true })
    return { ...each, outcome: await places.add(each.source.id, place, sync) }
  })
  // The bookkeeping stays open until the last has ended, also after an error.
  await Promise.allSettled(synced)
  return await Promise.all(synced)
}

function syncLines(context: Context, { product, source, outcome }: Synced): string[] {
  const name = address(product)
  if (outcome.state === 'unchanged') return [`${name}: nothing new`]
  if (outcome.state !== 'imported') {
    const waits =
      outcome.state === 'postponed' ? ` is waiting until ${moment(outcome.until, context.now())}` : ''
    return [plain([`${name}${waits}: ${outcome.reason}`, outcome.remedy ?? ''].join(' ').trim())]
  }
  const { result } = outcome
  const lead = isChanged(outcome) ? '' : 'nothing new: '
  return [`${name}: ${lead}${countsText(result)} (${plain(source.url)})`, ...versionLines(context, result)]
}

function syncNotes(context: Context, { product, source, outcome }: Synced, { dryRun }: SyncOptions) {
  if (outcome.state !== 'imported') return []
  const { result } = outcome
  const name = address(product)
  return [
    ...warningNotes(result, source.url),
    ...[
      ...scheduleNotes(result, { dryRun, now: context.now() }),
      ...correctionNotes(result, { overwrite: undefined, dryRun }, null),
    ].map((note) => `${name} ${note}`),
    ...noticesOf({ product, source }, outcome.memory).flatMap(({ about, reason, hint }) =>
      // Warnings have said what was tried just now.
      about === undefined ? { ...hint, text: `${name}: ${reason} ${hint.text}` } : [],
    ),
    ...sparedNotes(result, 'source', toRun('To delete one', 'version delete', [name, 'LABEL'])).map(
      (note) => ({ ...note, text: `${name}: ${note.text}` }),
    ),
  ]
}

function syncJson({ product, source, outcome }: Synced, { dryRun }: SyncOptions) {
  const state = outcome.state === 'imported' && !isChanged(outcome) ? 'unchanged' : outcome.state
  const head = { product: address(product), url: source.url, state, dryRun: dryRun === true }
  if (outcome.state === 'unchanged') return head
  if (outcome.state !== 'imported')
    return {
      ...head,
      ...(outcome.state === 'postponed' && { until: formatInstant(outcome.until) }),
      reason: outcome.reason,
      remedy: outcome.remedy,
    }
  const { result, kept } = outcome
  return {
    ...head,
    ...pick(result, 'added', 'updated', 'unchanged', 'skipped', 'pruned', 'warnings'),
    ...(result.versions.length > 0 && { versions: versionsJson(result) }),
    ...kept,
  }
}

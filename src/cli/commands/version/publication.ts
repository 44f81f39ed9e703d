import type { Command } from '@commander-js/extra-typings'
import { address, type Product, type Version } from '../../../domain/records.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { checkUnlocked } from '../../../domain/rules.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { hiddenChangelog } from '../../../domain/versions/hidden.ts'
import type { Records } from '../../../store/records/records.ts'
import { findVersion } from '../../../transfer/find.ts'
import { moment, productArgument, versionArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { withJson } from '../../record-commands.ts'
import { type Outcome, writing } from '../../session.ts'
import { ahead } from '../../terminal/moments.ts'
import { versionJson } from '../../terminal/record-json.ts'
import { hiddenNotes } from '../../terminal/record-tables.ts'
import { sentence } from '../../terminal/text.ts'
import { AT_HELP, hidingNotes, momentAhead, outcomeOf, versionText } from './texts.ts'

/** Commands that decide when a version is public. */
export function addPublication(context: Context, version: Command): void {
  const command = (...parts: [name: string, summary: string, examples: string[], details?: string]) =>
    writingCommand(version, ...parts)
      .addArgument(productArgument())
      .addArgument(versionArgument())

  command('publish', 'publish a version', [
    'changelogd version publish acme/app 0.2.0',
    'changelogd version publish acme/app 0.2.0 --now',
  ])
    .option('--now', 'publish it now and date it now, whatever date or schedule it has')
    .writes(async (records, name, label, { now: isNow }) => {
      const { product, version } = await findVersion(records, name, label)
      if (version.status === 'published' && !isNow) return unchanged(product, version, 'published')
      const now = context.now()
      const update = { status: 'published', ...(isNow && { date: now }) } as const
      const updated = await records.versions.update(product, version, update, now)
      return outcomeOf(product, updated, `Published ${versionText(product, updated)}.`)
    })

  command(
    'schedule',
    'publish a draft by itself at a time in the future',
    [
      'changelogd version schedule acme/app 0.2.0 --at 2099-12-01T09:00',
      'changelogd version schedule acme/app 0.2.0 --at "tomorrow 09:00"',
      'changelogd version unschedule acme/app 0.2.0',
    ],
    AT_HELP,
  )
    .requiredOption('--at <time>', 'when it goes public; its publication date from then on', moment)
    .action(async (name, label, { at, ...options }, command) => {
      const when = await momentAhead(context, command, at)
      await writing(context, options, async (records) => {
        const { product, version } = await findVersion(records, name, label)
        const now = context.now()
        const updated = await records.versions.update(product, version, { scheduled: true, date: when }, now)
        const text = `Scheduled ${versionText(product, updated)}: it goes public at ${ahead(when, now)}.`
        return { json: versionJson(updated), text, notes: hiddenNotes(hiddenChangelog(product)) }
      })
    })

  command(
    'unschedule',
    'keep a scheduled version as a draft',
    withJson('changelogd version unschedule acme/app 0.2.0'),
  ).writes(async (records, name, label) => {
    const found = await findVersion(records, name, label)
    const { product, version } = found
    if (version.status === 'published')
      throw new Refusal(sentence(`${versionText(product, version)} is already published`), {
        hint: toRun('To hide it', `changelogd version draft ${address(product)} ${shellWord(version.label)}`),
      })
    return hidden(context, records, found)
  })

  command(
    'draft',
    'make a published version a draft again and hide it',
    withJson('changelogd version draft acme/app 0.2.0'),
  ).writes(async (records, name, label) => hidden(context, records, await findVersion(records, name, label)))
}

async function hidden(
  context: Context,
  records: Records,
  { product, version }: Awaited<ReturnType<typeof findVersion>>,
): Promise<Outcome> {
  if (version.status === 'draft' && !version.scheduled)
    return unchanged(product, version, 'a draft, and hidden')
  const updated = await records.versions.update(product, version, { status: 'draft' }, context.now())
  return outcomeOf(product, updated, hidingNotes(product, version, updated).join(' '))
}

function unchanged(product: Product, version: Version, state: string): Outcome {
  checkUnlocked(product)
  return outcomeOf(product, version, sentence(`${versionText(product, version)} is already ${state}`))
}

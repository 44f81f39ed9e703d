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
import { type Outcome, writing } from '../../session.ts'
import { ahead } from '../../terminal/moments.ts'
import { versionJson } from '../../terminal/record-json.ts'
import { hiddenNotes } from '../../terminal/record-tables.ts'
import { sentence } from '../../terminal/text.ts'
import { AT_HELP, hidingNotes, momentAhead, outcomeOf, versionText } from './texts.ts'

/** Commands that decide when a version is public. */
export function addPublication(context: Context, version: Command): void {
  version.addCommand(publishCommand(context))
  version.addCommand(scheduleCommand(context))
  version.addCommand(unscheduleCommand(context))
  version.addCommand(draftCommand(context))
}

const versionCommand = (...parts: Parameters<typeof writingCommand>) =>
  writingCommand(...parts)
    .addArgument(productArgument())
    .addArgument(versionArgument())

type VersionFound = Awaited<ReturnType<typeof findVersion>>

const publishCommand = (context: Context) =>
  versionCommand(context, 'publish', 'publish a version', [
    'changelogd version publish acme/app 0.2.0',
    'changelogd version publish acme/app 0.2.0 --now',
  ])
    .option('--now', 'publish it now and date it now, whatever date or schedule it has')
    .action((name, label, { now: isNow, ...options }) =>
      writing(context, options, async (records) => {
        const { product, version } = await findVersion(records, name, label)
        if (version.status === 'published' && !isNow) return unchanged(product, version, 'published')
        const now = context.now()
        const update = { status: 'published', ...(isNow && { date: now }) } as const
        const updated = await records.versions.update(product, version, update, now)
        return outcomeOf(product, updated, `Published ${versionText(product, updated)}.`)
      }),
    )

const scheduleCommand = (context: Context) =>
  versionCommand(
    context,
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

const unscheduleCommand = (context: Context) =>
  versionCommand(context, 'unschedule', 'keep a scheduled version as a draft', [
    'changelogd version unschedule acme/app 0.2.0',
    'changelogd version unschedule acme/app 0.2.0 --json',
  ]).action((name, label, options) =>
    writing(context, options, async (records) => {
      const { product, version } = await findVersion(records, name, label)
      if (version.status === 'published')
        throw new Refusal(sentence(`${versionText(product, version)} is already published`), {
          hint: toRun(
            'To hide it',
            `changelogd version draft ${address(product)} ${shellWord(version.label)}`,
          ),
        })
      return hidden(context, records, { product, version })
    }),
  )

const draftCommand = (context: Context) =>
  versionCommand(context, 'draft', 'make a published version a draft again and hide it', [
    'changelogd version draft acme/app 0.2.0',
    'changelogd version draft acme/app 0.2.0 --json',
  ]).action((name, label, options) =>
    writing(context, options, async (records) =>
      hidden(context, records, await findVersion(records, name, label)),
    ),
  )

async function hidden(
  context: Context,
  records: Records,
  { product, version }: VersionFound,
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

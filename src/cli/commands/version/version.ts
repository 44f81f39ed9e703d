import { ACTS } from '../../../acts/acts.ts'
import type { Written } from '../../../acts/versions.ts'
import { choose, hearersOf, publishTo } from '../../../announce/choose.ts'
import { address, VERSION_STATUSES } from '../../../domain/records.ts'
import { Refusal, toRun } from '../../../domain/refusal.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import { hiddenChangelog } from '../../../domain/versions/hidden.ts'
import { openExistingBookkeeping } from '../../../store/bookkeeping/open.ts'
import type { Writer } from '../../../store/bookkeeping/writers.ts'
import type { Records } from '../../../store/records/records.ts'
import { findProduct, findShown, findVersion } from '../../../transfer/find.ts'
import { lastWriters } from '../../../transfer/stamp.ts'
import {
  choice,
  date,
  moment,
  productArgument,
  shownArgument,
  versionArgument,
} from '../../arguments/arguments.ts'
import { descriptionFileOption, descriptionOption, readDescription } from '../../arguments/description.ts'
import {
  commandGroup,
  deletes,
  forgetOption,
  namedValues,
  reads,
  writes,
  writingCommand,
} from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, listCommand, listed, showCommand, withJson } from '../../record-commands.ts'
import { actor, type Outcome, snapshotOf, writing } from '../../session.ts'
import { databaseFrom } from '../../settings.ts'
import { changeJson, versionJson } from '../../terminal/json.ts'
import { ahead } from '../../terminal/moments.ts'
import { hiddenNotes, versionFields, versionPage } from '../../terminal/records.ts'
import { deletionText, sentence } from '../../terminal/text.ts'
import { withBookkeeping } from '../hook/shared.ts'
import { AT_HELP, doneText, hidingNotes, momentAhead, outcomeOf, versionText } from './texts.ts'

const status = () => choice('--status <status>', 'drafts are readable only with a key', VERSION_STATUSES)

export function versionCommand(context: Context) {
  const version = commandGroup(context, 'version', 'manage the versions of a changelog', [
    'changelogd version create acme/app 1.0.0 --title "First release"',
    'changelogd version publish acme/app 0.2.0',
    'changelogd version schedule acme/app 0.2.0 --at 2099-12-01T09:00',
  ])

  writingCommand(version, 'create', 'create a version', [
    'changelogd version create acme/app 1.0.0 --title "First release"',
    'changelogd version create acme/app 1.0.0 --title "First release" --status published --date 2026-01-02',
    'changelogd version create acme/app --title "Guests on every board"',
  ])
    .addArgument(productArgument())
    .argument('[label]', 'label of the new version, such as 1.0.0 (default: one made from the title)')
    .option('--title <text>', 'title of the version (default: the label)')
    .addOption(status().default('draft' as const))
    .option('--date <time>', 'publication date (default: when it is published)', date)
    .addOption(descriptionOption('text shown before the changes'))
    .addOption(descriptionFileOption())
    .action(async (name, label, { title, status, date = null, ...options }) => {
      const description = (await readDescription(context, options)) ?? null
      return writing(context, options, async (records) => {
        const draft = { label, title, status, date, description }
        const { product, version } = await ACTS.create.run(actor(context, records), name, draft)
        return outcomeOf(product, version, doneText(context, 'Created', product, version, date !== null))
      })
    })

  listCommand(version, 'list the versions of a product, newest first', 'changelogd version list acme/app')
    .addArgument(productArgument())
    .action(
      reads(context, async (records, name) => {
        const product = await findProduct(records, name)
        const all = await records.versions.list(product)
        const none = toRun('No versions yet. To create one', 'version create', [address(product), '1.0.0'])
        return listed(context, all, versionFields, versionJson, none)
      }),
    )

  showCommand(version, 'show a version and its changes', 'changelogd version show acme/app 0.1.0')
    .addArgument(productArgument())
    .addArgument(shownArgument())
    .action(
      reads(context, async (records, name, label, { db }) => {
        const { product, version } = await findShown(records, name, label)
        const changes = await records.changes.list(version)
        const former = await records.versions.formerLabels(product)
        const formerLabels = former.get(version.id) ?? []
        const writer = await lastWriter(databaseFrom(context, db), records, { product, version })
        return {
          json: { ...versionJson(version), formerLabels, changes: changes.map(changeJson) },
          text: versionPage(context, product, { ...version, formerLabels, writer }, changes),
        }
      }),
    )

  const command = (...parts: [name: string, summary: string, examples: string[], details?: string]) =>
    writingCommand(version, ...parts)
      .addArgument(productArgument())
      .addArgument(versionArgument())

  command('update', 'update a version', [
    'changelogd version update acme/app 0.1.0 --title "A better title"',
    'changelogd version update acme/app 0.2.0 --status published --date 2026-01-02T03:04:05Z',
    'changelogd version update acme/app 0.1.0 --yanked "Loses settings"',
  ])
    .option('--label <label>', 'new label; the id stays, and public URLs with the old label redirect')
    .option('--title <text>', 'new title')
    .option('--date <time>', 'publication date; reschedules a scheduled version', date)
    .addOption(descriptionOption('text shown before the changes; empty removes it'))
    .addOption(descriptionFileOption())
    .addOption(status())
    .option('--yanked [reason]', 'mark it as withdrawn; it stays public, but is never the newest')
    .option('--no-yanked', 'remove that mark')
    .action(async (name, named, { label, title, date, status, yanked: mark, ...options }, command) => {
      const description = await readDescription(context, options)
      const yanked = mark === false ? null : mark === true ? '' : mark
      const update = namedValues(command, { label, title, date, description, status, yanked })
      return writing(context, options, async (records) => {
        const seen = { of: name, version: named }
        const { product, before, version } = await ACTS.update.run(actor(context, records), seen, update)
        const text = doneText(context, 'Updated', product, version, date !== undefined)
        return outcomeOf(product, version, text, hidingNotes(product, before, version))
      })
    })

  command('publish', 'publish a version', [
    'changelogd version publish acme/app 0.2.0',
    'changelogd version publish acme/app 0.2.0 --now',
    'changelogd version publish acme/app 0.2.0 --quiet',
  ])
    .option('--now', 'publish it with the current time, ignoring its date or schedule')
    .option('--quiet', 'tell no hook of it, now or later')
    .option('--tell <name...>', 'tell these hooks only, also if they were told before')
    .action(async (name, label, { now: isNow, quiet, tell = [], ...options }, command) => {
      if (quiet && tell.length > 0) command.error('error: give --quiet or --tell, not both')
      const publish = () =>
        writing(context, options, async (records) => {
          const seen = { of: name, version: label }
          const written = await ACTS.publish.run(actor(context, records), seen, isNow ? 'now' : 'kept')
          const { product, version } = written
          if (version === written.before) return unchanged(written, 'published')
          return outcomeOf(product, version, `Published ${versionText(product, version)}.`)
        })
      if (!quiet && tell.length === 0) return publish()
      const { product, version, hooks } = await snapshotOf(context, options, async (records) => {
        const found = await findVersion(records, name, label)
        return { ...found, hooks: await records.hooks.list(found.product.team) }
      })
      await withBookkeeping(context, options, async (bookkeeping) => {
        if (version.status === 'published')
          throw new Refusal(
            sentence(`${versionText(product, version)} is already published, and its hooks know`),
            {
              hint: toRun('To send a message again, or keep it from being sent', 'hook deliveries', [
                `${product.team.slug}/NAME`,
              ]),
            },
          )
        const hearers = await hearersOf(bookkeeping, hooks, product.id, version)
        const missing = tell.find((each) => !hearers.some(({ hook }) => hook.name === each))
        if (missing !== undefined)
          throw new Refusal(`No hook named ${missing} hears of ${versionText(product, version)}.`, {
            hint: toRun('To list the hooks', 'hook list', [product.team.slug]),
          })
        await publishTo(
          bookkeeping,
          version.id,
          choose(hearers, (hook) => tell.includes(hook.name)),
          publish,
        )
      })
    })

  command(
    'schedule',
    'publish a draft automatically at a given time',
    [
      'changelogd version schedule acme/app 0.2.0 --at 2099-12-01T09:00',
      'changelogd version schedule acme/app 0.2.0 --at "tomorrow 09:00"',
      'changelogd version unschedule acme/app 0.2.0',
    ],
    AT_HELP,
  )
    .requiredOption('--at <time>', 'when to publish it; also its publication date', moment)
    .action(async (name, label, { at, ...options }, command) => {
      const when = await momentAhead(context, command, at)
      await writing(context, options, async (records) => {
        const by = actor(context, records)
        const { product, version } = await ACTS.schedule.run(by, { of: name, version: label }, when)
        const text = `Scheduled ${versionText(product, version)} for ${ahead(when, by.now)}.`
        return { json: versionJson(version), text, notes: hiddenNotes(hiddenChangelog(product)) }
      })
    })

  command(
    'unschedule',
    'turn a scheduled version back into a draft',
    withJson('changelogd version unschedule acme/app 0.2.0'),
  ).action(
    writes(context, async (records, of, version) =>
      hidden(await ACTS.unschedule.run(actor(context, records), { of, version })),
    ),
  )

  command(
    'draft',
    'hide a published version by making it a draft again',
    withJson('changelogd version draft acme/app 0.2.0'),
  ).action(
    writes(context, async (records, of, version) =>
      hidden(await ACTS.unpublish.run(actor(context, records), { of, version })),
    ),
  )

  deleteCommand(version, 'delete a version and its changes', 'changelogd version delete acme/app 0.2.0')
    .addOption(forgetOption())
    .addArgument(productArgument())
    .addArgument(versionArgument())
    .action(
      deletes(context, {
        find: findVersion,
        name: ({ product, version }) => versionText(product, version),
        warning: ({ product, version }) => {
          const what = deletionText(versionText(product, version), { changes: version.changeCount })
          const draft = commandLine({ name: 'version draft', args: [address(product), version.label] })
          return version.status === 'published'
            ? `${what}\nIt is published. To hide it instead, run ${draft}`
            : what
        },
        json: ({ version }) => versionJson(version),
        delete: ({ product, version }) => ({ product, versions: new Set([version.id]) }),
      }),
    )
  return version
}

/** Who wrote a version last at the desk, unless a command has changed it since. */
async function lastWriter(
  database: string,
  records: Records,
  { product, version }: Awaited<ReturnType<typeof findVersion>>,
): Promise<Writer | null> {
  using bookkeeping = await openExistingBookkeeping(database)
  const known = await bookkeeping?.writers.find([version.id])
  return (known && (await lastWriters(records, product, known)).get(version.id)) ?? null
}

const hidden = (written: Written): Outcome =>
  written.version === written.before
    ? unchanged(written, 'a draft, and hidden')
    : outcomeOf(
        written.product,
        written.version,
        hidingNotes(written.product, written.before, written.version).join(' '),
      )

const unchanged = ({ product, version }: Written, state: string): Outcome =>
  outcomeOf(product, version, sentence(`${versionText(product, version)} is already ${state}`))

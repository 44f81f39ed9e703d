import { Option } from '@commander-js/extra-typings'
import { address, VERSION_STATUSES } from '../../../domain/records.ts'
import { toRun } from '../../../domain/refusal.ts'
import { findProduct, findShown, findVersion } from '../../../transfer/find.ts'
import { date, productArgument, shownArgument, versionArgument } from '../../arguments/arguments.ts'
import { descriptionFileOption, descriptionOption, readDescription } from '../../arguments/description.ts'
import { commandGroup, namedValues, writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { deleteCommand, listCommand, listed, showCommand } from '../../record-commands.ts'
import { writing } from '../../session.ts'
import { changeJson, versionJson } from '../../terminal/record-json.ts'
import { versionFields, versionPage } from '../../terminal/record-tables.ts'
import { deletionText } from '../../terminal/text.ts'
import { addPublication } from './publication.ts'
import { doneText, hidingNotes, outcomeOf, versionText } from './texts.ts'

const HIDING = 'It is published: version draft hides it instead.'

const status = () =>
  new Option('--status <status>', 'drafts are readable with a key only').choices(VERSION_STATUSES)

export function versionCommand(context: Context) {
  const version = commandGroup(context, 'version', 'manage the versions of a changelog', [
    'changelogd version create acme/app 1.0.0 --title "First release"',
    'changelogd version publish acme/app 0.2.0',
    'changelogd version schedule acme/app 0.2.0 --at 2099-12-01T09:00',
  ])

  writingCommand(version, 'create', 'create a version', [
    'changelogd version create acme/app 1.0.0 --title "First release"',
    'changelogd version create acme/app 1.0.0 --title "First release" --status published --date 2026-01-02',
  ])
    .addArgument(productArgument())
    .argument('<label>', 'label of the new version, such as 1.0.0')
    .option('--title <text>', 'title of the version (default: the label)')
    .addOption(status().default('draft' as const))
    .option('--date <time>', 'publication date (default: the moment of publishing)', date)
    .addOption(descriptionOption('text shown before the changes'))
    .addOption(descriptionFileOption())
    .action(async (name, label, { title = label, status, date = null, ...options }) => {
      const description = (await readDescription(context, options)) ?? null
      return writing(context, options, async (records) => {
        const product = await findProduct(records, name)
        const draft = { label, title, status, date, description }
        const created = await records.versions.create(product, draft, context.now())
        const text = doneText(context, 'Created', product, created, date !== null)
        return outcomeOf(product, created, text)
      })
    })

  listCommand(version, 'list the versions of a product, newest first', 'changelogd version list acme/app')
    .addArgument(productArgument())
    .reads(async (records, name) => {
      const product = await findProduct(records, name)
      const all = await records.versions.list(product)
      const none = toRun(
        'No versions yet. To create one',
        `changelogd version create ${address(product)} 1.0.0`,
      )
      return listed(context, all, versionFields, versionJson, none)
    })

  showCommand(version, 'show a version and its changes', 'changelogd version show acme/app 0.1.0')
    .addArgument(productArgument())
    .addArgument(shownArgument())
    .reads(async (records, name, label) => {
      const { product, version } = await findShown(records, name, label)
      const changes = await records.changes.list(version)
      const former = await records.versions.formerLabels(product)
      const formerLabels = former.get(version.id) ?? []
      return {
        json: { ...versionJson(version), formerLabels, changes: changes.map(changeJson) },
        text: versionPage(context, product, { ...version, formerLabels }, changes),
      }
    })

  writingCommand(version, 'update', 'update a version', [
    'changelogd version update acme/app 0.1.0 --title "A better title"',
    'changelogd version update acme/app 0.2.0 --status published --date 2026-01-02T03:04:05Z',
    'changelogd version update acme/app 0.1.0 --yanked "Loses settings"',
  ])
    .addArgument(productArgument())
    .addArgument(versionArgument())
    .option(
      '--label <label>',
      'new label; the id stays the same, and addresses with the old label of a public version lead to the new one',
    )
    .option('--title <text>', 'new title')
    .option('--date <time>', 'publication date; of a scheduled version, when it goes public', date)
    .addOption(descriptionOption('text shown before the changes; empty removes it'))
    .addOption(descriptionFileOption())
    .addOption(status())
    .option('--yanked [reason]', 'mark it as withdrawn: it stays public, but is never the newest')
    .option('--no-yanked', 'take that mark away')
    .action(async (name, named, { label, title, date, status, yanked: mark, ...options }, command) => {
      const description = await readDescription(context, options)
      const yanked = mark === false ? null : mark === true ? '' : mark
      const update = namedValues(command, { label, title, date, description, status, yanked })
      return writing(context, options, async (records) => {
        const { product, version } = await findVersion(records, name, named)
        // A title that is only the label follows it.
        if (label !== undefined && version.title === version.label) update.title ??= label
        const updated = await records.versions.update(product, version, update, context.now())
        const text = doneText(context, 'Updated', product, updated, date !== undefined)
        return outcomeOf(product, updated, text, hidingNotes(product, version, updated))
      })
    })

  addPublication(context, version)

  deleteCommand(version, 'delete a version and its changes', 'changelogd version delete acme/app 0.2.0')
    .addArgument(productArgument())
    .addArgument(versionArgument())
    .deletes({
      find: findVersion,
      name: ({ product, version }) => versionText(product, version),
      warning: ({ product, version }) => {
        const what = deletionText(versionText(product, version), { changes: version.changeCount })
        return version.status === 'published' ? `${what}\n${HIDING}` : what
      },
      kept: ({ product, version }) => ({ product, versions: new Set([version.id]) }),
      json: ({ version }) => versionJson(version),
      delete: ({ product, version }, { versions }) => versions.delete(product, version),
    })
  return version
}

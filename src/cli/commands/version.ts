import { Option } from '@commander-js/extra-typings'
import { hiddenVersion } from '../../domain/hidden.ts'
import { address, type Product, VERSION_STATUSES, type Version } from '../../domain/records.ts'
import { date, productArgument, versionArgument } from '../arguments.ts'
import { commandGroup, databaseCommand, namedValues, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { findProduct, findVersion } from '../lookup.ts'
import { type Outcome, reading, writing, writingConfirmed } from '../session.ts'
import { changeJson, versionJson } from '../terminal/record-json.ts'
import { hiddenNotes, versionPage, versionTable } from '../terminal/record-text.ts'
import { counted, plain } from '../terminal/text.ts'

const status = () =>
  new Option('--status <status>', 'drafts are read with a key only').choices(VERSION_STATUSES)

export function versionCommand(context: Context) {
  const version = commandGroup(context, 'version', 'the versions of a changelog', [
    'changelogd version create acme/app 1.0.0 --title "The first one"',
    'changelogd version publish acme/app 0.2.0',
  ])

  version.addCommand(
    databaseCommand(context, 'create', 'add a version', [
      'changelogd version create acme/app 1.0.0 --title "The first one"',
      'changelogd version create acme/app 1.0.0 --title "The first one" --status published --date 2026-01-02',
    ])
      .addArgument(productArgument())
      .argument('<label>', 'such as 1.0.0')
      .requiredOption('--title <text>', 'its title')
      .addOption(status().default('draft' as const))
      .option('--date <iso>', 'when it is published (default: when you publish it)', date)
      .option('--description <markdown>', 'a text before its changes')
      .action((name, label, { title, status, date = null, description, ...options }) =>
        writing(context, options, async (records) => {
          const product = await findProduct(records, name)
          const draft = { label, title, status, date, description: description || null }
          return outcome(product, await records.versions.create(product, draft, context.now()), 'Added')
        }),
      ),
  )

  version.addCommand(
    databaseCommand(context, 'list', 'list the versions of a product, newest first', [
      'changelogd version list acme/app',
      'changelogd version list acme/app --json',
    ])
      .addArgument(productArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const product = await findProduct(records, name)
          const all = await records.versions.list(product)
          return {
            json: all.map(versionJson),
            text: versionTable(context, all),
            notes: all.length > 0 ? [] : [`No versions yet in ${address(product)}.`],
          }
        }),
      ),
  )

  version.addCommand(
    databaseCommand(context, 'show', 'show a version with its changes', [
      'changelogd version show acme/app 0.1.0',
      'changelogd version show acme/app 0.1.0 --json',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .action((name, label, options) =>
        reading(context, options, async (records) => {
          const { product, version } = await findVersion(records, name, label)
          const changes = await records.changes.list(version)
          return {
            json: { ...versionJson(version), changes: changes.map(changeJson) },
            text: versionPage(context, product, version, changes),
          }
        }),
      ),
  )

  version.addCommand(
    databaseCommand(context, 'update', 'change a version', [
      'changelogd version update acme/app 0.1.0 --title "A better title"',
      'changelogd version update acme/app 0.2.0 --status published --date 2026-01-02T03:04:05Z',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .option('--label <label>', 'a new label; its id and address stay')
      .option('--title <text>', 'a new title')
      .option('--date <iso>', 'when it is published', date)
      .option('--description <markdown>', 'a text before its changes; empty removes it')
      .addOption(status())
      .action((name, named, { label, title, date, description, status, ...options }, command) => {
        const text = description === '' ? null : description
        const update = namedValues(command, { label, title, date, description: text, status })
        return writing(context, options, async (records) => {
          const { product, version } = await findVersion(records, name, named)
          const updated = await records.versions.update(product, version, update, context.now())
          return outcome(product, updated, 'Changed')
        })
      }),
  )

  for (const [word, summary, status, done] of [
    ['publish', 'publish a version', 'published', 'Published'],
    ['draft', 'make a version a draft again, which hides it at once', 'draft', 'Made a draft of'],
  ] as const)
    version.addCommand(
      databaseCommand(context, word, summary, [
        `changelogd version ${word} acme/app 0.2.0`,
        `changelogd version ${word} acme/app 0.2.0 --json`,
      ])
        .addArgument(productArgument())
        .addArgument(versionArgument())
        .action((name, label, options) =>
          writing(context, options, async (records) => {
            const { product, version } = await findVersion(records, name, label)
            const updated = await records.versions.update(product, version, { status }, context.now())
            return outcome(product, updated, done)
          }),
        ),
    )

  version.addCommand(
    databaseCommand(context, 'delete', 'delete a version with its changes', [
      'changelogd version delete acme/app 0.2.0 --yes',
      'changelogd version delete acme/app 0.2.0 --yes --json',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .addOption(yesOption())
      .action((name, label, options) =>
        writingConfirmed(
          context,
          options,
          async (records) => {
            const { product, version } = await findVersion(records, name, label)
            return `Deleting version ${plain(version.label)} of ${address(product)} deletes with it: ${counted(version.changeCount, 'change')}.`
          },
          async (records) => {
            const { product, version } = await findVersion(records, name, label)
            await records.versions.delete(product, version)
            const text = `Deleted version ${plain(version.label)} of ${address(product)}.`
            return { json: { ...versionJson(version), deleted: true }, text }
          },
        ),
      ),
  )
  return version
}

/** What was done to a version; and if it is published but not to be seen, why. */
function outcome(product: Product, version: Version, done: string): Outcome {
  const hidden = version.status === 'published' ? hiddenVersion(product, version) : []
  return {
    json: versionJson(version),
    text: `${done} version ${plain(version.label)} of ${address(product)} (${version.status}, ${version.id}).`,
    notes: hiddenNotes(hidden),
  }
}

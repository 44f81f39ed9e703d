import { Option } from '@commander-js/extra-typings'
import { hiddenVersion } from '../../domain/hidden.ts'
import { address, type Product, VERSION_STATUSES, type Version } from '../../domain/records.ts'
import { checkUnlocked } from '../../domain/rules.ts'
import { shellWord } from '../../domain/shell.ts'
import { date, productArgument, versionArgument } from '../arguments.ts'
import { commandGroup, databaseCommand, namedValues, writingCommand, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { descriptionFileOption, descriptionOption, readDescription } from '../description.ts'
import { findProduct, findVersion } from '../lookup.ts'
import { type Outcome, reading, writing, writingConfirmed } from '../session.ts'
import { changeJson, versionJson } from '../terminal/record-json.ts'
import { hiddenNotes, versionPage, versionTable } from '../terminal/record-tables.ts'
import { deletionText, plain, sentence } from '../terminal/text.ts'
import { keptNote } from '../trash/trash.ts'

const status = () =>
  new Option('--status <status>', 'drafts are readable with a key only').choices(VERSION_STATUSES)

export function versionCommand(context: Context) {
  const version = commandGroup(context, 'version', 'manage the versions of a changelog', [
    'changelogd version create acme/app 1.0.0 --title "First release"',
    'changelogd version publish acme/app 0.2.0',
  ])

  version.addCommand(
    writingCommand(context, 'create', 'create a version', [
      'changelogd version create acme/app 1.0.0 --title "First release"',
      'changelogd version create acme/app 1.0.0 --title "First release" --status published --date 2026-01-02',
    ])
      .addArgument(productArgument())
      .argument('<label>', 'label of the new version, such as 1.0.0')
      .option('--title <text>', 'title of the version (default: the label)')
      .addOption(status().default('draft' as const))
      .option('--date <iso>', 'publication date (default: the moment of publishing)', date)
      .addOption(descriptionOption('text shown before the changes'))
      .addOption(descriptionFileOption())
      .action(async (name, label, { title = label, status, date = null, ...options }) => {
        const description = (await readDescription(options)) ?? null
        return writing(context, options, async (records) => {
          const product = await findProduct(records, name)
          const draft = { label, title, status, date, description }
          const created = await records.versions.create(product, draft, context.now())
          return outcome(
            product,
            created,
            `Created ${versionText(product, created)} (${status}, ${created.id}).`,
          )
        })
      }),
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
            notes:
              all.length > 0
                ? []
                : [
                    `No versions yet. To create one: changelogd version create ${address(product)} 1.0.0 --title "First release"`,
                  ],
          }
        }),
      ),
  )

  version.addCommand(
    databaseCommand(context, 'show', 'show a version and its changes', [
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
    writingCommand(context, 'update', 'update a version', [
      'changelogd version update acme/app 0.1.0 --title "A better title"',
      'changelogd version update acme/app 0.2.0 --status published --date 2026-01-02T03:04:05Z',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .option('--label <label>', 'new label; the id and the URL stay the same')
      .option('--title <text>', 'new title')
      .option('--date <iso>', 'publication date', date)
      .addOption(descriptionOption('text shown before the changes; empty removes it'))
      .addOption(descriptionFileOption())
      .addOption(status())
      .action(async (name, named, { label, title, date, status, ...options }, command) => {
        const description = await readDescription(options)
        const update = namedValues(command, { label, title, date, description, status })
        return writing(context, options, async (records) => {
          const { product, version } = await findVersion(records, name, named)
          // A title that is only the label follows it.
          if (label !== undefined && version.title === version.label) update.title ??= label
          const updated = await records.versions.update(product, version, update, context.now())
          const text = `Updated ${versionText(product, updated)} (${updated.status}, ${updated.id}).`
          const isHidden = version.status === 'published' && updated.status === 'draft'
          const notes = isHidden ? [sentence(`${versionText(product, updated)} ${HIDDEN_AGAIN}`)] : []
          return outcome(product, updated, text, notes)
        })
      }),
  )

  for (const [word, summary, status, done, already] of [
    ['publish', 'publish a version', 'published', (name: string) => `Published ${name}.`, 'published'],
    [
      'draft',
      'make a published version a draft again and hide it',
      'draft',
      (name: string) => sentence(`${name} ${HIDDEN_AGAIN}`),
      'a draft, and hidden',
    ],
  ] as const)
    version.addCommand(
      writingCommand(context, word, summary, [
        `changelogd version ${word} acme/app 0.2.0`,
        `changelogd version ${word} acme/app 0.2.0 --json`,
      ])
        .addArgument(productArgument())
        .addArgument(versionArgument())
        .action((name, label, options) =>
          writing(context, options, async (records) => {
            const { product, version } = await findVersion(records, name, label)
            if (version.status === status) {
              checkUnlocked(product)
              return outcome(
                product,
                version,
                sentence(`${versionText(product, version)} is already ${already}`),
              )
            }
            const updated = await records.versions.update(product, version, { status }, context.now())
            return outcome(product, updated, done(versionText(product, updated)))
          }),
        ),
    )

  version.addCommand(
    writingCommand(context, 'delete', 'delete a version and its changes', [
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
            const what = deletionText(versionText(product, version), { changes: version.changeCount })
            return version.status === 'published'
              ? `${what}\nIt is published. To hide it instead: changelogd version draft ${address(product)} ${shellWord(version.label)}`
              : what
          },
          async (records, trash) => {
            const { product, version } = await findVersion(records, name, label)
            const what = versionText(product, version)
            const kept = await trash.keep(records, what, [{ product, versions: new Set([version.id]) }])
            await records.versions.delete(product, version)
            return {
              json: { ...versionJson(version), deleted: true, ...kept },
              text: `Deleted ${what}.`,
              notes: [keptNote(kept)],
            }
          },
        ),
      ),
  )
  return version
}

/** The version as JSON, what was done to it, and, if it is published but still hidden, why. */
const outcome = (
  product: Product,
  version: Version,
  text: string,
  notes: readonly string[] = [],
): Outcome => ({
  json: versionJson(version),
  text,
  notes: [...notes, ...hiddenNotes(version.status === 'published' ? hiddenVersion(product, version) : [])],
})

const HIDDEN_AGAIN = 'is a draft again and no longer public'

const versionText = (product: Product, version: Version): string =>
  `version ${plain(version.label)} of ${address(product)}`

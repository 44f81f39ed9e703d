import { address } from '../../domain/records.ts'
import type { ChangeFound } from '../../store/records/port.ts'
import { changeArgument, position, productArgument, versionArgument } from '../arguments.ts'
import { commandGroup, databaseCommand, namedValues, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { findChange, findVersion } from '../lookup.ts'
import { reading, writing, writingConfirmed } from '../session.ts'
import { changeJson } from '../terminal/record-json.ts'
import { changeTable } from '../terminal/record-text.ts'
import { plain } from '../terminal/text.ts'

const TYPE = 'added, changed, deprecated, removed, fixed, security, or a word of your own'
const FIRST = `"$(changelogd change list acme/app 0.1.0 | grep -om1 'chg_[0-9a-z]*')"`

export function changeCommand(context: Context) {
  const change = commandGroup(context, 'change', 'the changes of a version', [
    'changelogd change add acme/app 0.2.0 --type fixed "The door closes again"',
    'changelogd change list acme/app 0.2.0',
  ])

  change.addCommand(
    databaseCommand(context, 'add', 'add a change to a version', [
      'changelogd change add acme/app 0.2.0 --type fixed "The door closes again"',
      'changelogd change add acme/app 0.2.0 --type added "A bell" --position 1',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .argument('<title>', 'what changed, as markdown')
      .requiredOption('--type <type>', TYPE)
      .option('--description <markdown>', 'more about it')
      .option('--position <number>', 'where to put it (default: at the end)', position)
      .action((name, label, title, options) =>
        writing(context, options, async (records) => {
          const { product, version } = await findVersion(records, name, label)
          const draft = { type: options.type, title, description: options.description || null }
          const made = await records.changes.add(product, version, draft, options.position ?? null)
          return { json: changeJson(made), text: `Added ${described({ change: made, version, product })}.` }
        }),
      ),
  )

  change.addCommand(
    databaseCommand(context, 'list', 'list the changes of a version', [
      'changelogd change list acme/app 0.1.0',
      'changelogd change list acme/app 0.1.0 --json',
    ])
      .addArgument(productArgument())
      .addArgument(versionArgument())
      .action((name, label, options) =>
        reading(context, options, async (records) => {
          const { version } = await findVersion(records, name, label)
          const all = await records.changes.list(version)
          return {
            json: all.map(changeJson),
            text: changeTable(context, all),
            notes: all.length > 0 ? [] : [`No changes yet in version ${plain(version.label)}.`],
          }
        }),
      ),
  )

  change.addCommand(
    databaseCommand(context, 'update', 'change what a change says', [
      `changelogd change update ${FIRST} --title "Said better"`,
      `changelogd change update ${FIRST} --type security`,
    ])
      .addArgument(changeArgument())
      .option('--type <type>', TYPE)
      .option('--title <text>', 'what changed, as markdown')
      .option('--description <markdown>', 'more about it; empty removes it')
      .action((id, options, command) => {
        const update = namedValues(command, {
          type: options.type,
          title: options.title,
          description: options.description === '' ? null : options.description,
        })
        return writing(context, options, async (records) => {
          const found = await findChange(records, id)
          const updated = await records.changes.update(found, update)
          return { json: changeJson(updated), text: `Changed ${described({ ...found, change: updated })}.` }
        })
      }),
  )

  change.addCommand(
    databaseCommand(context, 'move', 'move a change to another position', [
      `changelogd change move ${FIRST} --position 2`,
      `changelogd change move ${FIRST} --position 1 --json`,
    ])
      .addArgument(changeArgument())
      .requiredOption('--position <number>', 'counted from 1', position)
      .action((id, options) =>
        writing(context, options, async (records) => {
          const found = await findChange(records, id)
          const moved = await records.changes.move(found, options.position)
          return { json: changeJson(moved), text: `Moved ${described({ ...found, change: moved })}.` }
        }),
      ),
  )

  change.addCommand(
    databaseCommand(context, 'delete', 'delete a change', [
      `changelogd change delete ${FIRST} --yes`,
      `changelogd change delete ${FIRST} --yes --json`,
    ])
      .addArgument(changeArgument())
      .addOption(yesOption())
      .action((id, options) =>
        writingConfirmed(
          context,
          options,
          async (records) => `Deleting ${described(await findChange(records, id))}.`,
          async (records) => {
            const found = await findChange(records, id)
            await records.changes.delete(found)
            return {
              json: { ...changeJson(found.change), deleted: true },
              text: `Deleted ${described(found)}.`,
            }
          },
        ),
      ),
  )
  return change
}

const described = ({ change, version, product }: ChangeFound): string =>
  `change ${change.position} of ${address(product)} ${plain(version.label)}: ${change.type} "${plain(change.title)}" (${change.id})`

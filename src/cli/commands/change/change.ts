import type { Command } from '@commander-js/extra-typings'
import { ACTS } from '../../../acts/acts.ts'
import { address, type Instant, type ProductName, UNRELEASED } from '../../../domain/records.ts'
import { toRun } from '../../../domain/refusal.ts'
import type { Records } from '../../../store/records/records.ts'
import type { ChangeFound } from '../../../store/records/types.ts'
import { type ChangeName, findChange, findProduct, findShown, findVersion } from '../../../transfer/find.ts'
import {
  argumentOf,
  type Erring,
  position,
  productArgument,
  productOf,
  shownArgument,
  versionArgument,
} from '../../arguments/arguments.ts'
import { descriptionFileOption, descriptionOption, readDescription } from '../../arguments/description.ts'
import { commandGroup, forgetOption, namedValues, reads, writingCommand, yesOption } from '../../command.ts'
import type { Context } from '../../context.ts'
import { listCommand, listed, withJson } from '../../record-commands.ts'
import { actor, deleting, writing } from '../../session.ts'
import { changeJson } from '../../terminal/json.ts'
import { changeFields } from '../../terminal/records.ts'
import { plain } from '../../terminal/text.ts'
import { changeType, newTypeNotes, TYPE } from './type.ts'

const TYPE_LABEL = 'heading of the type (default: the usual one, such as Added)'

export function changeCommand(context: Context) {
  const change = commandGroup(context, 'change', 'manage the changes of a version', [
    'changelogd change add acme/app 0.2.0 --type fixed "Search finds accented words"',
    'changelogd change list acme/app 0.2.0',
  ])

  writingCommand(change, 'add', 'add a change to a version', [
    'changelogd change add acme/app 0.2.0 --type fixed "Search finds accented words"',
    'changelogd change add acme/app 0.2.0 --type added "Dark mode" --position 1',
  ])
    .addArgument(productArgument())
    .addArgument(versionArgument())
    .argument('<title>', 'what changed, as markdown')
    .requiredOption('-t, --type <type>', TYPE, changeType)
    .option('--type-label <heading>', TYPE_LABEL)
    .addOption(descriptionOption('more text'))
    .addOption(descriptionFileOption())
    .option('--position <number>', 'position in the list, from 1 (default: at the end)', position)
    .action(async (name, label, title, options) => {
      const description = (await readDescription(context, options)) ?? null
      return writing(context, options, async (records) => {
        const by = actor(context, records)
        const { product, version, created } = await versionFor(records, name, label, by.now)
        const draft = { type: options.type, typeLabel: options.typeLabel || null, title, description }
        const notes = await newTypeNotes(records, product, options.type)
        const found = { product, version }
        const change = await ACTS.addChange.run(by, found, draft, options.position ?? null)
        const text = [...created, `Added ${changeText({ change, version, product })}.`].join('\n')
        return { json: changeJson(change), text, notes }
      })
    })

  listCommand(change, 'list the changes of a version', 'changelogd change list acme/app 0.1.0')
    .addArgument(productArgument())
    .addArgument(shownArgument())
    .action(
      reads(context, async (records, name, label) => {
        const { product, version } = await findShown(records, name, label)
        const all = await records.changes.list(version)
        const none = toRun(
          'No changes yet. To add one',
          'change add',
          [address(product), version.label, '…'],
          {
            type: 'added',
          },
        )
        return listed(context, all, changeFields, changeJson, none)
      }),
    )

  namingCommand(change, 'update', 'update a change', [
    'changelogd change update acme/app 0.1.0 1 --title "A better title"',
    'changelogd change update acme/app 0.1.0 1 --type security',
  ])
    .option('-t, --type <type>', TYPE, changeType)
    .option('--type-label <heading>', `${TYPE_LABEL}; empty removes it`)
    .option('--title <text>', 'what changed, as markdown')
    .addOption(descriptionOption('more text; empty removes it'))
    .addOption(descriptionFileOption())
    .action(async (first, label, number, options, command) => {
      const name = changeName(command, first, label, number)
      const update = namedValues(command, {
        type: options.type,
        typeLabel: options.typeLabel === '' ? null : options.typeLabel,
        title: options.title,
        description: await readDescription(context, options),
      })
      return writing(context, options, async (records) => {
        const found = await findChange(records, name)
        const notes = await newTypeNotes(records, found.product, options.type)
        const updated = await ACTS.updateChange.run(actor(context, records), found, update)
        const text = `Updated ${changeText({ ...found, change: updated })}.`
        return { json: changeJson(updated), text, notes }
      })
    })

  namingCommand(change, 'move', 'move a change to another position', [
    'changelogd change move acme/app 0.1.0 1 --position 2',
    'changelogd change move acme/app 0.1.0 1 --position 1 --json',
  ])
    .requiredOption('--position <number>', 'new position, from 1', position)
    .action((first, label, number, options, command) => {
      const name = changeName(command, first, label, number)
      return writing(context, options, async (records) => {
        const found = await findChange(records, name)
        const moved = await ACTS.moveChange.run(actor(context, records), found, options.position)
        return { json: changeJson(moved), text: `Moved ${changeText({ ...found, change: moved })}.` }
      })
    })

  namingCommand(
    change,
    'delete',
    'delete a change',
    withJson('changelogd change delete acme/app 0.1.0 1 --yes'),
  )
    .addOption(yesOption())
    .addOption(forgetOption())
    .action((first, label, number, options, command) => {
      const name = changeName(command, first, label, number)
      return deleting(context, options, {
        find: (records) => findChange(records, name),
        name: changeText,
        warning: (change) => `This deletes ${changeText(change)}.`,
        json: ({ change }) => changeJson(change),
        delete: (change) => ({ change }),
      })
    })
  return change
}

/** The version to add a change to. A missing unreleased draft is created, and the text says so. */
async function versionFor(records: Records, name: ProductName, label: string, now: Instant) {
  const isUnreleased = label.toLowerCase() === UNRELEASED.toLowerCase()
  const product = await findProduct(records, name)
  if (!isUnreleased || (await records.versions.find(product, label)))
    return { ...(await findVersion(records, name, label)), created: [] }
  const found = await records.versions.find(product, UNRELEASED)
  if (found) return { product, version: found, created: [] }
  const named = { label: UNRELEASED, title: UNRELEASED, status: 'draft' } as const
  const version = await records.versions.create(product, { ...named, date: null, description: null }, now)
  return { product, version, created: [`Created the draft ${UNRELEASED} of ${address(product)}.`] }
}

const changeText = ({ change, version, product }: ChangeFound): string =>
  `change ${change.position} of ${address(product)} ${plain(version.label)}: ${change.type} "${plain(change.title)}" (${change.id})`

/** Changes are named `acme/app 1.2.0 3`, or by id. */

const namingCommand = (change: Command, name: string, summary: string, examples: string[]) =>
  writingCommand(change, name, summary, examples)
    .usage(`[options] <product> <version> <number>\n       changelogd change ${name} [options] <change-id>`)
    .argument('<product>', 'the product, as team/product; or only the id of the change')
    .argument('[version]', 'label or id of the version')
    .argument('[number]', 'number of the change, from change list')

/** Wrong usage without a version and a number, unless an id is given. */
function changeName(
  command: Erring,
  first: string,
  version: string | undefined,
  number: string | undefined,
): ChangeName {
  if (version === undefined && !first.includes('/')) return { id: first }
  const of = productOf(command, first)
  if (version === undefined) return command.error("error: missing required argument 'version'")
  if (number === undefined) return command.error("error: missing required argument 'number'")
  return { of, version, position: argumentOf(command, 'number', number, position) }
}

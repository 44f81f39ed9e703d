import { Option } from '@commander-js/extra-typings'
import { address, STATUSES } from '../../domain/records.ts'
import { findProduct } from '../../transfer/find.ts'
import { productArgument } from '../arguments/arguments.ts'
import { commandGroup, databaseCommand, namedValues, writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { reading, writing } from '../session.ts'
import { changelogJson } from '../terminal/record-json.ts'
import { columns } from '../terminal/table.ts'
import { plain } from '../terminal/text.ts'

export function changelogCommand(context: Context) {
  const changelog = commandGroup(context, 'changelog', "show or update a product's changelog", [
    'changelogd changelog show acme/app',
    'changelogd changelog update acme/app --status locked',
  ])

  changelog.addCommand(
    databaseCommand(context, 'show', 'show the changelog of a product', [
      'changelogd changelog show acme/app',
      'changelogd changelog show acme/app --json',
    ])
      .addArgument(productArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const product = await findProduct(records, name)
          const held = await records.products.holdings(product)
          return {
            json: { ...changelogJson(product), versionCount: held.versions },
            text: columns(context, [
              ['changelog', product.changelog.id],
              ['product', address(product)],
              ['name', plain(product.changelog.name)],
              ['status', product.changelog.status],
              ['versions', String(held.versions)],
            ]).join('\n'),
          }
        }),
      ),
  )

  changelog.addCommand(
    writingCommand(context, 'update', 'update the changelog of a product', [
      'changelogd changelog update acme/app --name "What is new"',
      'changelogd changelog update acme/app --status locked',
    ])
      .addArgument(productArgument())
      .option('--name <text>', 'new name')
      .addOption(
        new Option('--status <status>', 'locked content is hidden and cannot be changed').choices(STATUSES),
      )
      .action((name, options, command) => {
        const update = namedValues(command, { name: options.name, status: options.status })
        return writing(context, options, async (records) => {
          const product = await findProduct(records, name)
          const updated = await records.products.updateChangelog(product, update)
          return {
            json: changelogJson(updated),
            text: `Updated the changelog of ${address(updated)} (${plain(updated.changelog.name)}): ${updated.changelog.status}.`,
          }
        })
      }),
  )
  return changelog
}

import { Option } from '@commander-js/extra-typings'
import { address, STATUSES } from '../../domain/records.ts'
import { productArgument } from '../arguments.ts'
import { commandGroup, databaseCommand, namedValues } from '../command.ts'
import type { Context } from '../context.ts'
import { findProduct } from '../lookup.ts'
import { reading, writing } from '../session.ts'
import { changelogJson } from '../terminal/record-json.ts'
import { columns } from '../terminal/table.ts'
import { counted, plain } from '../terminal/text.ts'

export function changelogCommand(context: Context) {
  const changelog = commandGroup(context, 'changelog', "a product's changelog", [
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
              ['of', address(product)],
              ['name', plain(product.changelog.name)],
              ['status', product.changelog.status],
              ['holds', counted(held.versions, 'version')],
            ]).join('\n'),
          }
        }),
      ),
  )

  changelog.addCommand(
    databaseCommand(context, 'update', 'change the changelog of a product', [
      'changelogd changelog update acme/app --name "What is new"',
      'changelogd changelog update acme/app --status locked',
    ])
      .addArgument(productArgument())
      .option('--name <text>', 'a new name')
      .addOption(new Option('--status <status>', 'locked freezes what is in it').choices(STATUSES))
      .action((name, options, command) => {
        const update = namedValues(command, { name: options.name, status: options.status })
        return writing(context, options, async (records) => {
          const product = await findProduct(records, name)
          const updated = await records.products.updateChangelog(product, update)
          return {
            json: changelogJson(updated),
            text: `Now the changelog of ${address(updated)} is ${updated.changelog.status}, its name "${plain(updated.changelog.name)}".`,
          }
        })
      }),
  )
  return changelog
}

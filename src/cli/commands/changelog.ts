import { ACTS } from '../../acts/acts.ts'
import { address, type Product } from '../../domain/records.ts'
import { findProduct } from '../../transfer/find.ts'
import { productArgument, statusOption } from '../arguments/arguments.ts'
import { commandGroup, namedValues, reads, writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { showCommand, shown } from '../record-commands.ts'
import { actor, writing } from '../session.ts'
import { changelogJson } from '../terminal/json.ts'
import { changelogFields } from '../terminal/records.ts'
import { plain } from '../terminal/text.ts'

export function changelogCommand(context: Context) {
  const changelog = commandGroup(context, 'changelog', "show or update a product's changelog", [
    'changelogd changelog show acme/app',
    'changelogd changelog update acme/app --status locked',
  ])

  showCommand(changelog, 'show the changelog of a product', 'changelogd changelog show acme/app')
    .addArgument(productArgument())
    .action(
      reads(context, async (records, name) => {
        const product = await findProduct(records, name)
        const { versions: versionCount } = await records.products.holdings(product)
        const json = (of: Product) => ({ ...changelogJson(of), versionCount })
        return shown(context, { ...product, versionCount }, changelogFields, json)
      }),
    )

  writingCommand(changelog, 'update', 'update the changelog of a product', [
    'changelogd changelog update acme/app --name "What is new"',
    'changelogd changelog update acme/app --status locked',
  ])
    .addArgument(productArgument())
    .option('--name <text>', 'new name')
    .addOption(statusOption())
    .action((name, options, command) => {
      const update = namedValues(command, { name: options.name, status: options.status })
      return writing(context, options, async (records) => {
        const { product: updated } = await ACTS.updateChangelog.run(actor(context, records), name, update)
        return {
          json: changelogJson(updated),
          text: `Updated the changelog of ${address(updated)} (${plain(updated.changelog.name)}): ${updated.changelog.status}.`,
        }
      })
    })
  return changelog
}

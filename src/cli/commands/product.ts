import { Option } from '@commander-js/extra-typings'
import { address, type Product, STATUSES } from '../../domain/records.ts'
import { changelogNameOf } from '../../domain/rules.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { findProduct, findTeam } from '../../transfer/find.ts'
import { productArgument, teamArgument } from '../arguments/arguments.ts'
import { commandGroup, databaseCommand, namedValues, writingCommand, yesOption } from '../command.ts'
import type { Context } from '../context.ts'
import { reading, writing, writingConfirmed } from '../session.ts'
import { productJson, productSummaryJson } from '../terminal/record-json.ts'
import { productPage, productTable } from '../terminal/record-tables.ts'
import { deletionText, plain } from '../terminal/text.ts'
import { keptNote } from '../trash/trash.ts'

const status = () =>
  new Option('--status <status>', 'locked content is hidden and cannot be changed').choices(STATUSES)

export function productCommand(context: Context) {
  const product = commandGroup(context, 'product', 'manage products, which have one changelog each', [
    'changelogd product create acme/web --name Web',
    'changelogd product list acme',
  ])

  product.addCommand(
    writingCommand(context, 'create', 'create a product and its changelog', [
      'changelogd product create acme/web --name Web',
      'changelogd product create acme/web --name Web --status published',
    ])
      .addArgument(productArgument())
      .requiredOption('--name <text>', 'display name')
      .addOption(status().default('draft' as const))
      .action((name, options) =>
        writing(context, options, async (records) => {
          const team = await findTeam(records, name.team)
          const draft = { slug: name.product, name: options.name, status: options.status }
          const product = await records.products.create(team, draft, context.now())
          return { json: productJson(product), text: `Created ${productText(product)}.` }
        }),
      ),
  )

  product.addCommand(
    databaseCommand(context, 'list', 'list the products of a team', [
      'changelogd product list acme',
      'changelogd product list acme --json',
    ])
      .addArgument(teamArgument())
      .action((slug, options) =>
        reading(context, options, async (records) => {
          const all = await records.products.list(await findTeam(records, slug))
          return {
            json: all.map(productSummaryJson),
            text: productTable(context, all),
            notes:
              all.length > 0
                ? []
                : [`No products yet. To create one: changelogd product create ${slug}/app --name App`],
          }
        }),
      ),
  )

  product.addCommand(
    databaseCommand(context, 'show', 'show a product', [
      'changelogd product show acme/app',
      'changelogd product show acme/app --json',
    ])
      .addArgument(productArgument())
      .action((name, options) =>
        reading(context, options, async (records) => {
          const found = await records.products.summary(await findProduct(records, name))
          return { json: productSummaryJson(found), text: productPage(context, found) }
        }),
      ),
  )

  product.addCommand(
    writingCommand(context, 'update', 'update a product', [
      'changelogd product update acme/app --name "The App"',
      'changelogd product update acme/app --status locked',
      'changelogd product update acme/app --slug application --yes',
    ])
      .addArgument(productArgument())
      .option('--slug <slug>', 'new slug; URLs with the old one stop working')
      .option('--name <text>', 'new display name; a changelog name derived from the old one follows')
      .addOption(status())
      .addOption(yesOption())
      .action((name, options, command) => {
        const update = namedValues(command, {
          slug: options.slug,
          name: options.name,
          status: options.status,
        })
        return writingConfirmed(
          context,
          options,
          async (records) => {
            const found = await findProduct(records, name)
            if (update.slug === undefined || update.slug === found.slug) return null
            return `Renaming ${address(found)} to ${name.team}/${update.slug} changes its URLs: the old ones return 404.`
          },
          async (records) => {
            const found = await findProduct(records, name)
            const updated = await records.products.update(found, update)
            return {
              json: productJson(updated),
              text: `Updated ${productText(updated)}.`,
              notes: changelogNameNotes(found, updated),
            }
          },
        )
      }),
  )

  product.addCommand(
    writingCommand(context, 'delete', 'delete a product and its changelog', [
      'changelogd product delete acme/app --yes',
      'changelogd product delete acme/app --yes --json',
    ])
      .addArgument(productArgument())
      .addOption(yesOption())
      .action((name, options) =>
        writingConfirmed(
          context,
          options,
          async (records) => {
            const found = await findProduct(records, name)
            const held = await records.products.holdings(found)
            return deletionText(`product ${address(found)}`, held)
          },
          async (records, trash) => {
            const found = await findProduct(records, name)
            const what = `product ${address(found)}`
            const kept = await trash.keep(records, what, [{ product: found }])
            await records.products.delete(found)
            return {
              json: { ...productJson(found), deleted: true, ...kept },
              text: `Deleted ${what}.`,
              notes: [keptNote(kept)],
            }
          },
        ),
      ),
  )
  return product
}

/** What became of the changelog's name, which readers see, when the product got another. */
export function changelogNameNotes(before: Product, updated: Product): string[] {
  const { name, changelog } = updated
  if (name === before.name) return []
  if (changelog.name !== before.changelog.name)
    return [`Its changelog is called "${plain(changelog.name)}" now.`]
  const derived = changelogNameOf(name)
  if (changelog.name === derived) return []
  const unlock = changelog.status === 'locked' ? ' --status draft' : ''
  return [
    `Its changelog is still called "${plain(changelog.name)}". To rename it: changelogd changelog update ${address(updated)}${unlock} --name ${shellWord(plain(derived))}`,
  ]
}

const productText = (product: Product): string =>
  `product ${address(product)} (${plain(product.name)}): ${product.status}`

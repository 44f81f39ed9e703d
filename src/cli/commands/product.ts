import { ACTS } from '../../acts/acts.ts'
import { pick } from '../../domain/objects.ts'
import { address, type Product } from '../../domain/records.ts'
import { toRun } from '../../domain/refusal.ts'
import { changelogNameOf } from '../../domain/rules.ts'
import { findProduct, findTeam } from '../../transfer/find.ts'
import {
  languageOption,
  orNone,
  productArgument,
  repositoryOption,
  statusOption,
  subscribeOption,
  teamArgument,
} from '../arguments/arguments.ts'
import {
  commandGroup,
  deletes,
  forgetOption,
  namedValues,
  reads,
  writes,
  writingCommand,
  yesOption,
} from '../command.ts'
import type { Context } from '../context.ts'
import { deleteCommand, listCommand, listed, showCommand, shown } from '../record-commands.ts'
import { actor, renaming, writing } from '../session.ts'
import { productJson, productSummaryJson } from '../terminal/json.ts'
import { productFields } from '../terminal/records.ts'
import { deletionText, plain } from '../terminal/text.ts'

export function productCommand(context: Context) {
  const product = commandGroup(context, 'product', 'manage products and their changelogs', [
    'changelogd product create acme/web --name Web',
    'changelogd product list acme',
  ])

  writingCommand(product, 'create', 'create a product and its changelog', [
    'changelogd product create acme/web --name Web',
    'changelogd product create acme/web --name Web --status published',
  ])
    .addArgument(productArgument())
    .requiredOption('--name <text>', 'display name')
    .addOption(statusOption().default('draft' as const))
    .addOption(repositoryOption())
    .addOption(languageOption())
    .addOption(subscribeOption('team'))
    .action(
      writes(context, async (records, name, options) => {
        const draft = { ...pick(options, 'name', 'status'), ...settingsIn(options) }
        const { product } = await ACTS.createProduct.run(actor(context, records), name, draft)
        return { json: productJson(product), text: `Created ${productText(product)}.` }
      }),
    )

  listCommand(product, 'list the products of a team', 'changelogd product list acme')
    .addArgument(teamArgument())
    .action(
      reads(context, async (records, slug) => {
        const all = await records.products.list(await findTeam(records, slug))
        const none = toRun('No products yet. To create one', 'product create', [`${slug}/app`], {
          name: 'App',
        })
        return listed(context, all, productFields, productSummaryJson, none)
      }),
    )

  showCommand(product, 'show a product', 'changelogd product show acme/app')
    .addArgument(productArgument())
    .action(
      reads(context, async (records, name) => {
        const found = await records.products.summary(await findProduct(records, name))
        return shown(context, found, productFields, productSummaryJson)
      }),
    )

  writingCommand(product, 'update', 'update a product', [
    'changelogd product update acme/app --name "The App"',
    'changelogd product update acme/app --repository https://github.com/acme/app --language de',
    'changelogd product update acme/app --slug application --yes',
  ])
    .addArgument(productArgument())
    .option('--slug <slug>', 'new slug; pages and feeds redirect from old URLs, the API returns 404')
    .option('--name <text>', 'new display name; the default name of its changelog changes too')
    .addOption(statusOption())
    .addOption(repositoryOption())
    .addOption(languageOption())
    .addOption(subscribeOption('team'))
    .addOption(yesOption())
    .action((name, options, command) => {
      const { slug, name: newName, status } = options
      const update = namedValues(command, { slug, name: newName, status, ...settingsIn(options) })
      return writing(
        context,
        options,
        async (records) => {
          const { before, product } = await ACTS.updateProduct.run(actor(context, records), name, update)
          return {
            json: productJson(product),
            text: `Updated ${productText(product)}.`,
            notes: changelogNameNotes(before, product),
          }
        },
        async (records) => {
          const found = await findProduct(records, name)
          return renaming(address(found), `${name.team}/`, found, update)
        },
      )
    })

  deleteCommand(product, 'delete a product and its changelog', 'changelogd product delete acme/app')
    .addOption(forgetOption())
    .addArgument(productArgument())
    .action(
      deletes(context, {
        find: findProduct,
        name: (product) => `product ${address(product)}`,
        warning: async (product, { products }) =>
          deletionText(`product ${address(product)}`, await products.holdings(product)),
        json: productJson,
        delete: (product) => ({ product }),
      }),
    )
  return product
}

type Given<Code> = { repository?: string; language?: Code; subscribeUrl?: string }

/** Options that `none` removes: null then, and undefined if they are not given. */
const settingsIn = <Code extends string>({ repository, language, subscribeUrl }: Given<Code>) => ({
  repository: orNone(repository),
  language: orNone(language),
  subscribeUrl: orNone(subscribeUrl),
})

export function changelogNameNotes(before: Product, { name, changelog }: Product): string[] {
  if (name === before.name || changelog.name === changelogNameOf(name)) {
    const isRenamed = changelog.name !== before.changelog.name
    return isRenamed ? [`Its changelog is now called "${plain(changelog.name)}".`] : []
  }
  return [`Its changelog is still called "${plain(changelog.name)}".`]
}

const productText = (product: Product): string =>
  `product ${address(product)} (${plain(product.name)}): ${product.status}`

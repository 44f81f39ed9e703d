import { nothingToSee } from '../domain/hidden.ts'
import { address } from '../domain/records.ts'
import { verb } from './command.ts'
import type { Context } from './context.ts'
import { productJson } from './json.ts'
import { findProduct } from './lookup.ts'
import { writing } from './session.ts'
import { productName } from './values.ts'

export const publishCommand = (context: Context) =>
  verb(context, 'publish', 'publish a product and its changelog; says what is still hidden', [
    'changelogd publish acme/app',
    'changelogd publish acme/app --json',
  ])
    .argument('<product>', 'team/slug', productName)
    .action((name, options) =>
      writing(context, options, async ({ products, ...records }) => {
        const found = await findProduct({ products, ...records }, name)
        const status = { status: 'published' } as const
        const product = await products.updateChangelog(await products.update(found, status), status)
        const versions = await records.versions.list(product)
        const hidden = nothingToSee(product, versions.filter((each) => each.status === 'published').length)
        return {
          json: { ...productJson(product), public: hidden.length === 0, hidden },
          text: `Published ${address(product)}: product and changelog.`,
          notes: hidden.map((reason) => `Still hidden: ${reason.message}. ${reason.remedy}`),
        }
      }),
    )

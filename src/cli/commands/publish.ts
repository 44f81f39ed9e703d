import { hiddenChangelog, nothingToSee } from '../../domain/hidden.ts'
import { address } from '../../domain/records.ts'
import { productArgument } from '../arguments.ts'
import { writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { findProduct } from '../lookup.ts'
import { writing } from '../session.ts'
import { productJson } from '../terminal/record-json.ts'
import { hiddenNotes } from '../terminal/record-tables.ts'

export const publishCommand = (context: Context) =>
  writingCommand(context, 'publish', 'publish a product and its changelog', [
    'changelogd publish acme/app',
    'changelogd publish acme/app --json',
  ])
    .addArgument(productArgument())
    .action((name, options) =>
      writing(context, options, async (records) => {
        const found = await findProduct(records, name)
        const status = { status: 'published' } as const
        const product = await records.products.update(found, status)
        const summary = await records.products.summary(
          await records.products.updateChangelog(product, status),
        )
        const hidden = nothingToSee(summary, summary)
        return {
          json: { ...productJson(summary), public: hidden.length === 0, hidden },
          text:
            hiddenChangelog({ ...found, team: { ...found.team, visibility: 'public' } }).length === 0
              ? `Product ${address(summary)} and its changelog are already published.`
              : `Published product ${address(summary)} and its changelog.`,
          notes: hiddenNotes(hidden),
        }
      }),
    )

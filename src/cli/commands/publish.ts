import { ACTS } from '../../acts/acts.ts'
import { address } from '../../domain/records.ts'
import { commandWords } from '../../domain/text/shell.ts'
import { hiddenChangelog, whyNothingIsPublic } from '../../domain/versions/hidden.ts'
import { findProduct, firstProduct } from '../../transfer/find.ts'
import { productArgument } from '../arguments/arguments.ts'
import { writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { actor, writing } from '../session.ts'
import { productJson } from '../terminal/json.ts'
import { hiddenNotes } from '../terminal/records.ts'

export const publishCommand = (context: Context) =>
  writingCommand(context, 'publish', 'publish a product and its changelog', [
    'changelogd publish acme/app',
    'changelogd publish acme/app --json',
  ])
    .addArgument(productArgument())
    .allowExcessArguments()
    .action((name, options, command) => {
      if (command.args.length > 1)
        command.error(
          `error: publish takes only a product. To publish a version: changelogd version publish ${commandWords(command.args)}`,
        )
      return writing(context, { ...options, begin: firstProduct(name) }, async (records) => {
        const found = await findProduct(records, name)
        const { product } = await ACTS.publishProduct.run(actor(context, records), found)
        const summary = await records.products.summary(product)
        const hidden = whyNothingIsPublic(summary)
        return {
          json: { ...productJson(summary), public: hidden.length === 0, hidden },
          text:
            hiddenChangelog({ ...found, team: { ...found.team, visibility: 'public' } }).length === 0
              ? `Product ${address(summary)} and its changelog are already published.`
              : `Published product ${address(summary)} and its changelog.`,
          notes: hiddenNotes(hidden),
        }
      })
    })

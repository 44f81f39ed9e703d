import { Option } from '@commander-js/extra-typings'
import { nothingToSee } from '../../../domain/hidden.ts'
import { address, VERSION_STATUSES } from '../../../domain/records.ts'
import { FORMATS } from '../../../formats/detect.ts'
import type { Records } from '../../../store/records/port.ts'
import { type ProductName, productName } from '../../arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Outcome, print, withStore } from '../../session.ts'
import { hiddenNotes } from '../../terminal/record-text.ts'
import { counted, plain } from '../../terminal/text.ts'
import { type Brought, bringAll, bringIn } from './into-store.ts'
import { openSource } from './source.ts'

/** How many warnings are printed; `--json` has them all. */
const MOST_WARNINGS = 50

export const importCommand = (context: Context) =>
  writingCommand(context, 'import', 'bring a changelog in from a file', [
    'changelogd import acme/app CHANGELOG.md --create',
    'changelogd import acme/app CHANGELOG.md --dry-run',
    'changelogd import --all everything.json',
  ])
    .usage('[options] <product> <file>\n       changelogd import --all [options] <file>')
    .argument('<product>', 'team/slug; with --all, the file')
    .argument('[file]', 'the file, or - for standard input')
    .option('--all', 'everything an export --all holds: teams, products, keys')
    .addOption(
      new Option('--format <format>', 'of the file').choices(['auto', ...FORMATS]).default('auto' as const),
    )
    .addOption(
      new Option('--status <status>', 'of new versions (default: as the file says)').choices(
        VERSION_STATUSES,
      ),
    )
    .option('--create', 'make the product, and its team, if there is none')
    .option('--dry-run', 'only say what would change')
    .option('--prune', 'delete the versions that the file does not have')
    .addHelpText('before', FORMS)
    .action(async (first, second, { all, dryRun, format, ...options }, command) => {
      if (all ? second !== undefined : second === undefined)
        command.error(
          all
            ? `error: with --all, only a file is named, not ${first} as well`
            : "error: missing required argument 'file'",
        )
      const path = second ?? first
      const name = all ? null : named(first, command)
      const source = await openSource(context, path, format)
      const wishes = { ...options, now: context.now() }
      const work = (records: Records) =>
        name ? bringIn(records, name, source, wishes) : bringAll(records, source, wishes)
      await withStore(context, { ...options, dryRun }, async (store) => {
        const brought = await store.transaction(work, { commit: !dryRun })
        await print(context, options, outcome(brought, path, dryRun === true))
      })
    })

/** The product that the first argument names, unless it is a file; what is none is wrong usage. */
function named(text: string, command: { error(message: string): never }): ProductName {
  try {
    return productName(text)
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : error}`)
  }
}

function outcome(brought: Brought, path: string, dryRun: boolean): Outcome {
  const { product, added, updated, unchanged, skipped, pruned, records, warnings } = brought
  const name = path === '-' ? 'standard input' : path
  const isIdle = added + updated + pruned + records === 0
  const place = product ? ` ${isIdle ? 'in' : 'into'} ${address(product)}` : ''
  const parts = [
    `${added} added`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    `${skipped} skipped`,
    ...(pruned > 0 ? [`${pruned} deleted`] : []),
    ...(product ? [] : [`${counted(records, 'team, product or key', 'teams, products and keys')} changed`]),
    counted(warnings.length, 'warning'),
  ]
  const lead = isIdle ? 'Nothing to change' : dryRun ? 'Would be imported' : 'Imported'
  const shown = warnings
    .slice(0, MOST_WARNINGS)
    .map(({ line, message }) => plain(`${name}:${line}: ${message}`))
  if (warnings.length > shown.length) shown.push(`… and ${warnings.length - shown.length} more: see --json`)
  const hidden = product && !dryRun ? nothingToSee(product, product) : []
  return {
    json: {
      dryRun,
      ...(product ? { product: address(product) } : {}),
      ...{ added, updated, unchanged, skipped, pruned, records, warnings },
    },
    text: `${lead}${place}: ${parts.join(', ')}.`,
    notes: [...shown, ...hiddenNotes(hidden)],
  }
}

const FORMS = `What can be read:

  keepachangelog  CHANGELOG.md and the like, as people and generators write them
  github, gitlab  the JSON of their releases endpoints
  json            an export of changelogd

`

import { Option } from '@commander-js/extra-typings'
import { nothingToSee } from '../../../domain/hidden.ts'
import { address, VERSION_STATUSES } from '../../../domain/records.ts'
import { FORMATS } from '../../../formats/detect.ts'
import type { Records } from '../../../store/records/port.ts'
import { type ProductName, productName } from '../../arguments.ts'
import { verb } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Outcome, print, rehearsed, withStore } from '../../session.ts'
import { counted, plain } from '../../terminal/terminal.ts'
import { importChangelog } from './changelog.ts'
import { importEverything } from './everything.ts'
import { openInput } from './input.ts'
import { importOnlyProduct } from './product.ts'
import type { ImportResult } from './result.ts'
import { readSource } from './source.ts'

/** How many warnings are printed; `--json` has them all. */
const MOST_WARNINGS = 50

export const importCommand = (context: Context) =>
  verb(context, 'import', 'import a changelog from a file', [
    'changelogd import acme/app CHANGELOG.md --create',
    'changelogd import acme/app CHANGELOG.md --dry-run',
    'changelogd import --all everything.jsonl',
  ])
    .usage('[options] <product> <file>\n       changelogd import --all [options] <file>')
    .argument('<product>', 'team/slug; with --all, the file')
    .argument('[file]', 'the file, or - for standard input')
    .option('--all', 'import everything that export --all wrote: teams, products, versions and keys')
    .addOption(
      new Option('--format <format>', 'the format of the file')
        .choices(['auto', ...FORMATS])
        .default('auto' as const),
    )
    .addOption(
      new Option('--status <status>', 'the status of new versions (default: as in the file)').choices(
        VERSION_STATUSES,
      ),
    )
    .option('--create', 'create the product, and its team, if they do not exist')
    .option('--dry-run', 'show what would change, change nothing')
    .option('--prune', 'delete the versions that are not in the file')
    .addHelpText('before', FORMAT_HELP)
    .action(async (first, second, { all, dryRun, format, ...options }, command) => {
      if (all ? second !== undefined : second === undefined)
        command.error(
          all
            ? `error: with --all, only a file is named, not ${first} as well`
            : "error: missing required argument 'file'",
        )
      const path = second ?? first
      const name = all ? null : named(first, command)
      // Read to its end before the database is locked: a slow sender delays no other command.
      using input = await openInput(path)
      const source = await readSource(context, input, format)
      const importOptions = { ...options, now: context.now() }
      const work = (records: Records) => {
        if (name === null) return importEverything(records, source, importOptions)
        return source.format === 'json'
          ? importOnlyProduct(records, name, source, importOptions)
          : importChangelog(records, name, source, importOptions)
      }
      await withStore(context, options, async (store) => {
        const result = await (dryRun ? rehearsed(store, work) : store.transaction(work))
        print(context, options, outcome(result, input.name, dryRun === true))
      })
    })

/** The product that the first argument names; anything else is wrong usage. */
function named(text: string, command: { error(message: string): never }): ProductName {
  try {
    return productName(text)
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : error}`)
  }
}

function outcome(result: ImportResult, name: string, dryRun: boolean): Outcome {
  const { product, added, updated, unchanged, skipped, pruned, records, warnings } = result
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
  const lead = isIdle ? 'Nothing to change' : dryRun ? 'Would import' : 'Imported'
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
    notes: [...shown, ...hidden.map((reason) => `Still hidden: ${reason.message}. ${reason.remedy}`)],
  }
}

const FORMAT_HELP = `Formats:

  keepachangelog  CHANGELOG.md and similar files, written by people or generated
  github, gitlab  the JSON of their releases endpoints
  json            an export of changelogd: .jsonl of everything, .json of one product

`

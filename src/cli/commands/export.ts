import { Option } from '@commander-js/extra-typings'
import { readDatabase } from '../../config.ts'
import type { Product } from '../../domain/records.ts'
import { knownDate } from '../../domain/rules.ts'
import { writeMarkdown } from '../../formats/keepachangelog/write.ts'
import { type NativeEvent, writeNative } from '../../formats/native/native.ts'
import type { Records } from '../../store/records/port.ts'
import { productArgument } from '../arguments.ts'
import { databaseCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { writeWhole } from '../files.ts'
import { findProduct } from '../lookup.ts'
import { print, withReadableStore } from '../session.ts'

export const exportCommand = (context: Context) =>
  databaseCommand(context, 'export', 'take a changelog out, or everything', [
    'changelogd export acme/app > CHANGELOG.md',
    'changelogd export acme/app --format json --output app.json',
    'changelogd export --all --output everything.json',
  ])
    .addArgument(productArgument().argOptional())
    .option('--all', 'everything: teams, products, and keys by the hashes of their tokens')
    .addOption(
      new Option(
        '--format <format>',
        'markdown is Keep a Changelog; json is complete (default: markdown)',
      ).choices(['markdown', 'json']),
    )
    .option('--output <file>', 'write to a file instead of standard output')
    .action((name, { all, format, output, ...options }, command) => {
      if (all ? name !== undefined : name === undefined)
        command.error(all ? 'error: --all takes no product' : "error: missing required argument 'product'")
      if (all && format === 'markdown') command.error('error: everything is exported as json')
      if (options.json && format === 'markdown' && output === undefined)
        command.error(
          'error: with --json the export itself is json: leave out --format, or name a file with --output',
        )
      const form = format ?? (all || options.json ? 'json' : 'markdown')
      return withReadableStore(context, options, (store) =>
        store.snapshot(async (records) => {
          const chunks = name
            ? productChunks(records, await findProduct(records, name), form)
            : writeNative(everything(records))
          if (output === undefined) for await (const chunk of chunks) await context.stdout(chunk)
          else {
            // Drafts and hashes are nobody else's; a CHANGELOG.md is meant to be read.
            const mode = form === 'json' ? 0o600 : 0o666
            await writeWhole(output, mode, chunks, readDatabase(options.db, context.env))
            await print(context, options, { json: { output }, text: `Exported to ${output}.` })
          }
        }),
      )
    })

async function* productChunks(
  records: Records,
  product: Product,
  format: 'markdown' | 'json',
): AsyncGenerator<string> {
  if (format === 'json') yield* writeNative(oneProduct(records, product))
  else {
    const versions = []
    for await (const version of records.transfer.contents(product))
      versions.push({ ...version, date: knownDate(version) })
    yield writeMarkdown(product.changelog.preamble, versions)
  }
}

async function* everything(records: Records): AsyncGenerator<NativeEvent> {
  for (const { productCount: _, keyCount: __, ...team } of await records.teams.list()) {
    yield { kind: 'team', team: { ...team, keys: await records.transfer.keys(team) } }
    for (const product of await records.products.list(team)) yield* productEvents(records, product)
  }
}

async function* oneProduct(records: Records, product: Product): AsyncGenerator<NativeEvent> {
  yield { kind: 'team', team: product.team }
  yield* productEvents(records, product)
}

async function* productEvents(records: Records, product: Product): AsyncGenerator<NativeEvent> {
  yield { kind: 'product', product }
  for await (const { label, ...version } of records.transfer.contents(product))
    yield { kind: 'version', version: { ...version, version: label } }
}

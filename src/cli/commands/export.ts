import { dirname, join } from 'node:path'
import { PICTURES, pictureAddress } from '../../domain/pictures.ts'
import { address, type Product } from '../../domain/records.ts'
import { toRun } from '../../domain/refusal.ts'
import { knownDate } from '../../domain/rules.ts'
import { withoutControls } from '../../domain/text/controls.ts'
import { plural } from '../../domain/text/plural.ts'
import { createDirectory } from '../../files/access.ts'
import { inPieces } from '../../files/temporary.ts'
import type { ExportRecord } from '../../formats/native/records.ts'
import { writeDocument, writeLines } from '../../formats/native/write.ts'
import { writeMarkdown } from '../../formats/write-markdown.ts'
import type { Records } from '../../store/records/records.ts'
import { findProduct } from '../../transfer/find.ts'
import { withSource } from '../../transfer/undo/deletion.ts'
import { choice, productArgument } from '../arguments/arguments.ts'
import { databaseCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { writeWhole } from '../files.ts'
import { print, snapshotOf } from '../session.ts'
import { databaseFrom } from '../settings.ts'
import { type Contents, contentsText, type Message, say } from '../terminal/text.ts'

export const exportCommand = (context: Context) =>
  databaseCommand(context, 'export', 'export a changelog, or everything', [
    'changelogd export acme/app > CHANGELOG.md',
    'changelogd export acme/app --format json --output app.json',
    'changelogd export --all --output everything.jsonl',
  ])
    .addArgument(productArgument().argOptional())
    .option(
      '--all',
      'export everything as JSON Lines: teams, products, sources, versions, hooks, and keys with token hashes',
    )
    .addOption(
      choice('--format <format>', 'markdown for Keep a Changelog, or json for everything, including drafts', [
        'markdown',
        'json',
      ]).default(undefined, 'markdown'),
    )
    .option('--drafts', 'include drafts in markdown')
    .option('--output <file>', 'write to a file, overwriting it (default: standard output)')
    .action((name, { all, format, drafts, output, ...options }, command) => {
      if (all ? name !== undefined : name === undefined)
        command.error(all ? 'error: --all takes no product' : "error: missing required argument 'product'")
      if (all && format === 'markdown') command.error('error: --all exports JSON Lines, not markdown')
      if (all && options.json && output === undefined)
        command.error('error: --all with --json needs --output')
      if (options.json && format === 'markdown' && output === undefined)
        command.error('error: --json needs --format json, or --output')
      const form = format ?? (all || options.json ? 'json' : 'markdown')
      return snapshotOf(context, options, async (records) => {
        const counts = { teams: 0, products: 0, versions: 0, keys: 0 }
        const product = name ? await findProduct(records, name) : null
        const isPublic = form === 'markdown' && !drafts
        const ofProduct =
          product && (form === 'json' ? jsonOf(records, product) : markdownOf(records, product, isPublic))
        const chunks = ofProduct ?? inPieces(writeLines(everything(records, counts)))
        const notes = product && isPublic ? await draftNotes(records, product) : []
        const shown = product && form === 'markdown' ? await picturesOf(records, product, isPublic) : []
        if (output === undefined) {
          const plain = context.terminal.output ? withoutControls : (chunk: string) => chunk
          for await (const chunk of chunks) await context.stdout(plain(chunk))
          for (const note of [...notes, ...leftOut(shown)]) await say(context, note)
        } else {
          // Drafts and hashes are for the owner only; a CHANGELOG.md is public.
          const mode = isPublic ? 0o666 : 0o600
          const database = databaseFrom(context, options.db)
          await writeWhole(output, mode, chunks, database)
          const folder = join(dirname(output), PICTURES)
          if (shown.length > 0) createDirectory(folder)
          for (const id of shown) {
            const found = product && (await records.pictures.find(product, id))
            const file = join(dirname(output), pictureAddress(id))
            if (found) await writeWhole(file, mode, [found.bytes], database)
          }
          const beside = shown.length > 0 ? `, and ${plural(shown.length, 'picture')} to ${folder}` : ''
          await print(context, options, {
            json: { output, ...(all ? counts : {}), ...(shown.length > 0 && { pictures: shown.length }) },
            text: `Exported ${all ? `${contentsText(counts)} ` : ''}to ${output}${beside}.`,
            notes,
          })
        }
      })
    })

const ALONE = { formerNames: [], source: null }

const jsonOf = ({ transfer, pictures }: Records, product: Product): AsyncIterable<string> =>
  inPieces(
    writeDocument(
      { ...product.team, hooks: [] },
      { ...product, ...ALONE },
      pictures.contents(product),
      transfer.contents(product),
    ),
  )

async function* markdownOf(records: Records, product: Product, isPublic: boolean): AsyncGenerator<string> {
  const versions = []
  for await (const version of records.transfer.contents(product))
    if (!isPublic || version.status === 'published') versions.push({ ...version, date: knownDate(version) })
  yield writeMarkdown(product.changelog.preamble, versions)
}

/** The pictures that the versions of an export show, if they are here. */
async function picturesOf(records: Records, product: Product, isPublic: boolean): Promise<string[]> {
  const all = await records.versions.list(product)
  const labels = new Set(
    all.flatMap(({ label, status }) => (isPublic && status !== 'published' ? [] : label)),
  )
  const known = await records.pictures.list(product)
  return known.filter(({ shownBy }) => shownBy.some((label) => labels.has(label))).map(({ id }) => id)
}

const leftOut = (shown: readonly string[]): Message[] =>
  shown.length === 0
    ? []
    : [`${plural(shown.length, 'picture')} left out. With --output FILE, they are written beside it.`]

/** How many drafts an export leaves out, and how to include them. */
async function draftNotes(records: Records, product: Product): Promise<Message[]> {
  const { draftCount } = await records.products.summary(product)
  const leftOut = `${plural(draftCount, 'draft')} left out. To include drafts`
  return draftCount === 0 ? [] : [toRun(leftOut, 'export', [address(product)], { drafts: true })]
}

/** Every record, counted as it is read. Keys name products, so they come last. */
async function* everything(records: Records, counts: Contents): AsyncGenerator<ExportRecord> {
  for (const team of await records.teams.list()) {
    counts.teams++
    yield { team: { ...team, hooks: await records.hooks.exported(team) } }
    for (const product of await records.products.list(team)) {
      counts.products++
      yield { product: await withSource(records, product) }
      for await (const picture of records.pictures.contents(product)) yield { picture }
      for await (const version of records.transfer.contents(product)) {
        counts.versions++
        yield { version }
      }
    }
    for (const key of await records.keys.exported(team)) {
      counts.keys++
      yield { key }
    }
  }
}

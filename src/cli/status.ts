import { type HiddenReason, hiddenChangelog, hiddenVersion, nothingToSee } from '../domain/hidden.ts'
import { address, type Product, type Version } from '../domain/records.ts'
import type { ProductSummary, Records } from '../store/port.ts'
import { verb } from './command.ts'
import type { Context } from './context.ts'
import { productJson, teamJson, versionJson } from './json.ts'
import { findProduct } from './lookup.ts'
import { type Outcome, reading } from './session.ts'
import { columns, counted, day, type Paint, paintFor, plain } from './terminal.ts'
import { productName } from './values.ts'

/** The page an author looks at before telling anyone that it is out. */
export const statusCommand = (context: Context) =>
  verb(context, 'status', 'what the public sees, and why it does not see the rest', [
    'changelogd status',
    'changelogd status acme/app',
    'changelogd status --json',
  ])
    .argument('[product]', 'team/slug (default: all of them)', productName)
    .action((name, options) =>
      reading(context, options, async (records) =>
        name ? one(context, records, await findProduct(records, name)) : overview(context, records),
      ),
    )

async function overview(context: Context, records: Records): Promise<Outcome> {
  const paint = paintFor(context)
  const teams = await records.teams.list()
  const products = Map.groupBy(await records.products.list(), (product) => product.team.id)
  const of = (team: { id: string }) => products.get(team.id) ?? []
  const lines = columns(teams.flatMap((team) => of(team).map((product) => overviewRow(paint, product))))
  const sections = teams.map((team) => {
    const heading = `${paint.bold(team.slug)}  ${plain(team.name)}, ${team.visibility} team`
    const rows = lines.splice(0, of(team).length)
    return [heading, ...(rows.length > 0 ? rows : ['no products'])].join('\n  ')
  })
  return {
    json: {
      teams: teams.map((team) => ({ ...teamJson(team), products: of(team).map(productStatusJson) })),
    },
    text: sections.join('\n\n'),
    notes: teams.length > 0 ? [] : ['Nothing is here yet. To see how it looks when it is: changelogd demo'],
  }
}

function overviewRow(paint: Paint, product: ProductSummary): string[] {
  const reasons = nothingToSee(product, product.publishedCount)
  const drafts = product.draftCount > 0 ? `, ${counted(product.draftCount, 'draft')} hidden` : ''
  const seen = `${counted(product.publishedCount, 'version')}${drafts}`
  return reasons.length === 0
    ? [paint.green('public'), address(product), seen]
    : [paint.yellow('hidden'), address(product), seen, reasons.map((reason) => reason.message).join('; ')]
}

async function one(context: Context, records: Records, product: Product): Promise<Outcome> {
  const paint = paintFor(context)
  const versions = await records.versions.list(product)
  const published = versions.filter((version) => version.status === 'published')
  const drafts = versions.filter((version) => version.status === 'draft')
  const reasons = nothingToSee(product, published.length)
  const summary = { ...product, publishedCount: published.length, draftCount: drafts.length }
  const fact = (version: Version) => [
    plain(version.label),
    plain(version.title),
    day(version.publishedAt, context.now()),
    counted(version.changeCount, 'change'),
  ]
  const path = `/api/v1/public/teams/${product.team.slug}/products/${product.slug}/changelog`
  const sections = [
    `${paint.bold(address(product))}  ${plain(product.name)}`,
    verdict(paint, product, published.length, path),
    section(reasons.length > 0 ? 'To change that:' : '', columns(reasons.map(reasonRow))),
    section(
      hiddenChangelog(product).length > 0 ? 'Published, once that is done:' : 'Public:',
      columns(published.map(fact)),
    ),
    section(
      'Drafts, for keys only:',
      columns(drafts.map((version) => [...fact(version), publishWith(product, version)])),
    ),
  ]
  return {
    json: {
      ...productStatusJson(summary),
      path,
      versions: versions.map((version) => {
        const hidden = hiddenVersion(product, version)
        return { ...versionJson(version), public: hidden.length === 0, hidden }
      }),
    },
    text: sections.filter((part) => part !== '').join('\n\n'),
  }
}

function verdict(paint: Paint, product: Product, publishedCount: number, path: string): string {
  if (hiddenChangelog(product).length > 0)
    return `${paint.yellow('hidden')}  The public gets 404 from ${path}`
  if (publishedCount === 0)
    return `${paint.yellow('empty')}  The public sees a changelog without versions at ${path}`
  return `${paint.green('public')}  The public sees ${counted(publishedCount, 'version')} at ${path}`
}

const section = (title: string, rows: string[]): string =>
  rows.length > 0 ? [title, ...rows].join('\n  ') : ''

const reasonRow = (reason: HiddenReason): string[] => [reason.message, reason.remedy]

const publishWith = (product: Product, version: Version): string =>
  hiddenVersion(product, version).at(-1)?.remedy ?? ''

const productStatusJson = (product: ProductSummary) => {
  const hidden = nothingToSee(product, product.publishedCount)
  return {
    ...productJson(product),
    public: hidden.length === 0,
    hidden,
    publishedCount: product.publishedCount,
    draftCount: product.draftCount,
  }
}

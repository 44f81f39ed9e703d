import { databaseName } from '../../domain/addresses/database.ts'
import { publicChangelogPath } from '../../domain/addresses/paths.ts'
import { address, type Instant, type Product, type Version } from '../../domain/records.ts'
import { toRun } from '../../domain/refusal.ts'
import { plural } from '../../domain/text/plural.ts'
import { commandLine } from '../../domain/text/shell.ts'
import { size } from '../../domain/text/size.ts'
import { storedStatus } from '../../domain/time/schedule.ts'
import { spelledOut } from '../../domain/time/time.ts'
import type { HiddenReason } from '../../domain/versions/hidden.ts'
import { hiddenChangelog, hiddenVersion, whyNothingIsPublic } from '../../domain/versions/hidden.ts'
import { areEntries, hasNumber, labelInWords } from '../../domain/versions/names.ts'
import type { PictureUsage } from '../../store/records/pictures.ts'
import type { Records } from '../../store/records/records.ts'
import type { ProductSummary } from '../../store/records/types.ts'
import { findProduct, findTeam } from '../../transfer/find.ts'
import { productArgument, teamOrProduct } from '../arguments/arguments.ts'
import { databaseCommand, reads } from '../command.ts'
import type { Context } from '../context.ts'
import type { Common } from '../session.ts'
import { databaseFrom } from '../settings.ts'
import { type Paint, paintFor } from '../terminal/color.ts'
import { hookJson, type KnownHook, productSummaryJson, teamJson, versionJson } from '../terminal/json.ts'
import { day, relative } from '../terminal/moments.ts'
import { type Cell, columns, fixed } from '../terminal/table.ts'
import { plain } from '../terminal/text.ts'
import { knownBackups, knownBackupsJson, knownBackupsLine } from './backup/backup-files.ts'
import { type CheckedSource, sourceJson, sourceLines, withChecks } from './follow/report.ts'
import { faultLines, withStates } from './hook/states.ts'

/** The most versions of each kind; `version list` and `--json` show all. */
const AT_MOST = 10
const INDENT = '  '

export const statusCommand = (context: Context) =>
  databaseCommand(context, 'status', 'show what is public, what is hidden, and why', [
    'changelogd status',
    'changelogd status acme',
    'changelogd status acme/app --json',
  ])
    .usage('[options] [team|team/product]')
    .addArgument(
      productArgument(', or a team (default: all products)').argParser(teamOrProduct).argOptional(),
    )
    .action(
      reads(context, async (records, name, options) => {
        const database = databaseName(databaseFrom(context, options.db))
        const { json, sections, ...notes } =
          typeof name === 'object'
            ? await one(context, records, await findProduct(records, name), options)
            : await overview(context, records, name, options)
        const shown = [`Database: ${plain(database)}`, ...sections].filter((section) => section !== '')
        return { json: { database, ...json }, text: shown.join('\n\n'), ...notes }
      }),
    )

async function overview(context: Context, records: Records, slug: string | undefined, options: Common) {
  const paint = paintFor(context)
  const team = slug === undefined ? null : await findTeam(records, slug)
  const teams = (await records.teams.list()).filter(({ id }) => team === null || id === team.id)
  const products = Map.groupBy(await records.products.list(), (product) => product.team.id)
  const of = (team: { id: string }) => products.get(team.id) ?? []
  const ids = new Set(teams.map(({ id }) => id))
  const followed = (await records.sources.list()).filter(({ product }) => ids.has(product.team.id))
  const sources = await withChecks(context, options, followed)
  const hooks = await withStates(context, options, await records.hooks.list(team ?? undefined))
  const usage = await records.pictures.usage()
  const pictures = together(teams.flatMap((team) => of(team).map(({ changelog }) => usage.get(changelog.id))))
  const copies = team ? null : await knownBackups(context, databaseFrom(context, options.db))
  const rows = teams.flatMap((team) => of(team).map((product) => overviewRow(context, paint, product)))
  const lines = columns(context, rows, INDENT.length)
  const teamSections = teams.map((team) => {
    const heading = `${paint.bold(team.slug)}  ${plain(team.name)}, ${team.visibility} team`
    const rows = lines.splice(0, of(team).length)
    return indented([heading, ...(rows.length > 0 ? rows : ['no products'])])
  })
  return {
    json: {
      teams: teams.map((team) => ({ ...teamJson(team), products: of(team).map(productStatusJson) })),
      sources: sources.map(sourceJson),
      hooks: hooks.map(hookJson),
      pictures,
      ...(team ? {} : { copies: copies && knownBackupsJson(copies) }),
    },
    sections: [
      ...teamSections,
      ...followingSection(context, sources),
      ...hookSection(context, hooks),
      picturesText(pictures),
      ...(copies ? [knownBackupsLine(copies, context.now())] : []),
    ],
    notes: teams.length > 0 ? [] : NO_TEAMS,
  }
}

const NO_TEAMS = [
  toRun('No teams yet. To create one', 'team create', ['acme'], { name: 'Acme' }),
  toRun('To load sample data instead', 'demo'),
]

const together = (all: readonly (PictureUsage | undefined)[]): PictureUsage => ({
  count: all.reduce((sum, each) => sum + (each?.count ?? 0), 0),
  bytes: all.reduce((sum, each) => sum + (each?.bytes ?? 0), 0),
})

const picturesText = ({ count, bytes }: PictureUsage): string =>
  count === 0 ? '' : `${plural(count, 'picture')}, ${size(bytes)}`

function followingSection(context: Context, sources: readonly CheckedSource[]): string[] {
  if (sources.length === 0) return []
  const now = context.now()
  const checked = sources.flatMap(({ check }) => check?.checkedAt ?? [])
  const changed = sources.flatMap(({ check }) => check?.changedAt ?? [])
  const facts = [
    `Following ${plural(sources.length, 'source')}`,
    checked.length > 0 ? `last checked ${relative(Math.max(...checked), now)}` : 'never checked',
    ...(changed.length > 0 ? [`last changed ${relative(Math.max(...changed), now)}`] : []),
  ]
  return [indented([facts.join(', '), ...sourceLines(sources, now)])]
}

function hookSection(context: Context, hooks: readonly KnownHook[]): string[] {
  if (hooks.length === 0) return []
  const count = `Announcing releases to ${plural(hooks.length, 'hook')}`
  return [indented([count, ...faultLines(context, hooks)])]
}

function overviewRow(context: Context, paint: Paint, product: ProductSummary): string[] {
  const reasons = whyNothingIsPublic(product)
  const { label, publishedAt } = product.nextScheduled
  const { latest } = product
  const newest = latest === null || !hasNumber(latest) ? '' : `, newest ${plain(latest)}`
  const waiting = [
    product.draftCount > 0 && plural(product.draftCount, 'draft'),
    label !== null &&
      publishedAt !== null &&
      `${plain(labelInWords(label))} ${goesPublic(context, publishedAt)}`,
  ]
  const count = `${plural(product.publishedCount, 'version')}${newest}`
  const row = [address(product), count, waiting.filter(Boolean).join(', ')]
  return reasons.length === 0
    ? [paint.green('public'), ...row]
    : [paint.yellow('hidden'), ...row, reasons.map((reason) => reason.message).join('; ')]
}

async function one(context: Context, records: Records, found: Product, options: Common) {
  const product = await records.products.summary(found)
  const paint = paintFor(context)
  const versions = await records.versions.list(product)
  const pictures = together([(await records.pictures.usage()).get(product.changelog.id)])
  const source = await records.sources.find(product)
  const sources = await withChecks(context, options, source ? [{ source, product }] : [])
  const { published = [], scheduled = [], draft = [] } = Object.groupBy(versions, storedStatus)
  const ofEntries = areEntries(versions)
  const hidden = hiddenChangelog(product).length > 0
  const path = publicChangelogPath(product.team.slug, product.slug)
  const row = (version: Version, ...when: Cell[]): Cell[] => [
    ...(ofEntries ? [] : [plain(version.label)]),
    plain(version.title),
    ...when,
    plural(version.changeCount, 'change'),
  ]
  const dated = (version: Version) =>
    row(version, version.dateKnown ? day(version.publishedAt, context.now()) : '-')
  const sections = [
    `${paint.bold(address(product))}  ${plain(product.name)}`,
    columns(context, [verdict(paint, product, path)]).join('\n'),
    ...sources.map((each) => sourceLine(context, each)),
    picturesText(pictures),
    section(context, 'To make it public:', reasonRows(whyNothingIsPublic(product))),
    section(context, hidden ? 'Published, public after that:' : 'Public:', published.map(dated)),
    section(
      context,
      'Scheduled, until then readable only with an API key:',
      // The next one first.
      scheduled
        .toReversed()
        .map((version) =>
          row(version, goesPublic(context, version.publishedAt), spelledOut(version.publishedAt)),
        ),
    ),
    section(
      context,
      'Drafts, readable only with an API key:',
      draft.map((version) => [...dated(version), fixed(remedyLine(hiddenVersion(product, version).at(-1)))]),
    ),
  ]
  return {
    json: {
      ...productStatusJson(product),
      source: sources[0] ? sourceJson(sources[0]) : null,
      pictures,
      path,
      versions: versions.map((version) => {
        const hidden = hiddenVersion(product, version)
        return { ...versionJson(version), public: hidden.length === 0, hidden }
      }),
    },
    sections,
  }
}

function sourceLine(context: Context, checked: CheckedSource): string {
  const { source, check } = checked
  const now = context.now()
  const checkedText = check ? `checked ${relative(check.checkedAt, now)}` : 'never checked'
  const state = source.paused ? 'paused' : checkedText
  return [`Follows ${plain(source.url)}, ${state}`, ...sourceLines([checked], now)].join('\n')
}

function verdict(paint: Paint, product: ProductSummary, path: string): Cell[] {
  if (hiddenChangelog(product).length > 0) return [paint.yellow('hidden'), `The public gets 404 from ${path}`]
  if (product.publishedCount === 0)
    return [paint.yellow('hidden'), `The public gets a changelog without versions from ${path}`]
  return [paint.green('public'), `The public gets ${plural(product.publishedCount, 'version')} from ${path}`]
}

const goesPublic = (context: Context, at: Instant): string => `goes public ${relative(at, context.now())}`

/** The first rows under a title, and the number of others. */
function section(context: Context, title: string, rows: Cell[][]): string {
  if (rows.length === 0) return ''
  const more = rows.length - AT_MOST
  const lines = columns(context, rows.slice(0, AT_MOST), INDENT.length)
  return indented([title, ...lines, ...(more > 0 ? [`and ${plural(more, 'more version')}`] : [])])
}

const indented = (parts: readonly string[]): string => parts.join('\n').replaceAll('\n', `\n${INDENT}`)

/** Each reason with the command that removes it; a repeated command is shown once. */
const reasonRows = (reasons: ReturnType<typeof whyNothingIsPublic>): Cell[][] =>
  reasons.map((reason, at) => {
    const line = remedyLine(reason)
    return [reason.message, fixed(line === remedyLine(reasons[at - 1]) ? '' : line)]
  })

const reasonJson = (reason: HiddenReason) => ({ ...reason, remedy: remedyLine(reason) })

const remedyLine = (reason: HiddenReason | undefined): string =>
  reason === undefined ? '' : commandLine(reason.remedy)

const productStatusJson = (product: ProductSummary) => {
  const hidden = whyNothingIsPublic(product)
  return { ...productSummaryJson(product), public: hidden.length === 0, hidden: hidden.map(reasonJson) }
}

import type { Correction } from '../../../domain/importing/correction.ts'
import { pick } from '../../../domain/objects.ts'
import { pictureAddress } from '../../../domain/pictures.ts'
import { address, type Product } from '../../../domain/records.ts'
import { type Hint, Refusal } from '../../../domain/refusal.ts'
import { knownDate } from '../../../domain/rules.ts'
import { cut } from '../../../domain/text/cut.ts'
import { plural } from '../../../domain/text/plural.ts'
import { commandLine } from '../../../domain/text/shell.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { whyNothingIsPublic } from '../../../domain/versions/hidden.ts'
import type { PutVersion } from '../../../store/records/types.ts'
import type {
  ImportedVersion,
  ImportOptions,
  ImportResult,
  ListedVersion,
} from '../../../transfer/import-result.ts'
import type { Kept } from '../../../transfer/undo/keep.ts'
import type { Context } from '../../context.ts'
import type { Common, Outcome } from '../../session.ts'
import { ahead } from '../../terminal/moments.ts'
import { hiddenNotes, newTeamNotes } from '../../terminal/records.ts'
import { type Cell, fixed, table } from '../../terminal/table.ts'
import { contentsText, keptJson, keptNote, type Message, plain } from '../../terminal/text.ts'

export function importOutcome(
  context: Context,
  result: ImportResult,
  name: string,
  { db, dryRun, overwrite, now }: ImportOptions & Common,
  kept: Kept | null,
): Outcome {
  const { product, added, updated, pruned, changed } = result
  const records = changed.teams + changed.products + changed.keys
  const isIdle = added + updated + pruned + records === 0
  const lead = isIdle ? 'Nothing to change' : dryRun ? 'Would import' : 'Imported'
  const contents = isIdle ? '' : ` ${contentsText({ ...changed, versions: added + updated })}`
  const what = product ? ` ${isIdle ? 'in' : 'into'} ${address(product)}` : contents
  const hidden = product && !dryRun ? whyNothingIsPublic(product) : []
  return {
    json: {
      dryRun: dryRun === true,
      ...(product && { product: address(product) }),
      ...pick(result, 'added', 'updated', 'unchanged', 'skipped', 'pruned', 'released', 'spared'),
      records,
      ...pick(result, 'read', 'untaken'),
      warnings: result.warnings.map(({ message, command, code: _, ...warning }) => ({
        ...warning,
        message: command === undefined ? message : `${message}: ${commandLine(command)}`,
      })),
      scheduled: result.scheduled.map(({ label, at }) => ({
        version: label,
        publishedAt: formatInstant(at),
      })),
      corrections: result.corrected.flatMap((version) =>
        version.corrections.map(({ change, what }) => ({
          ...ownerOf(result, version),
          version: version.label,
          change,
          what,
          kept: overwrite !== true,
        })),
      ),
      ...(dryRun && { versions: versionsJson(result) }),
      ...keptJson(kept, { db }),
    },
    text: [
      `${lead}${what}: ${countsText(result, overwrite)}.`,
      ...versionLines(context, result),
      ...(dryRun ? untakenLines(context, result, name) : []),
      `Read ${readSummary(result)}.`,
    ].join('\n'),
    notes: [
      ...newTeamNotes(result.newTeam, dryRun ? 'Would create' : undefined),
      ...warningNotes(result, name),
      ...scheduleNotes(result, { dryRun, now }),
      ...correctionNotes(result, { overwrite, dryRun }),
      ...sparedNotes(result),
      ...hiddenNotes(hidden),
      ...(kept ? [keptNote(kept)] : []),
    ],
  }
}

/** The most lines of a kind; `--json` has all. */
const MOST_LINES = 50
/** A line for each item, up to a readable number. */
export const limited = <T, Line extends Message>(
  items: readonly T[],
  line: (item: T) => Line,
): (Line | string)[] => [...items.slice(0, MOST_LINES).map(line), ...moreOf(items)]

const moreOf = (items: readonly unknown[]): string[] =>
  items.length > MOST_LINES ? [`… and ${items.length - MOST_LINES} more: see --json`] : []

/** Of the help. */
export const LEFT_OUT =
  'Damaged pictures of a backup or an export are named and\nleft out. The exit status is then 1.\n\n'

export const leftOutNotes = (pictures: readonly string[]) =>
  limited(pictures, (id) => `${pictureAddress(id)} is damaged, so it is left out.`)

/** For the status of a command that has done the rest, and has named each. */
export function refuseLeftOut(name: string, pictures: number): void {
  if (pictures > 0)
    throw new Refusal(`${name} has ${plural(pictures, 'damaged picture')}. Everything else is fine.`)
}

/** `name` is the name of the file. */
export const warningNotes = ({ warnings }: ImportResult, name: string): Message[] =>
  limited(warnings, ({ text = name, line, message, command }) => ({
    text: plain(`${line === undefined ? text : `${text}:${line}`}: ${message}`),
    ...(command !== undefined && { command }),
  }))

/** A line for each version that the file dates in the future. */
export function scheduleNotes(
  { scheduled }: ImportResult,
  { dryRun, now }: Pick<ImportOptions, 'dryRun' | 'now'>,
): string[] {
  const verb = dryRun ? 'would schedule' : 'scheduled'
  return limited(scheduled, ({ label, at }) => plain(`${label}: ${verb} for ${ahead(at, now)}`))
}

/** Edits that were kept, a line for each version, and how to overwrite them. */
export function correctionNotes(
  { product, corrected }: ImportResult,
  { overwrite, dryRun }: Pick<ImportOptions, 'overwrite' | 'dryRun'>,
  advice: string | null = 'To replace them with the file, add --overwrite.',
): string[] {
  const verb = overwrite ? (dryRun ? 'would overwrite' : 'overwrote') : dryRun ? 'would keep' : 'kept'
  const notes = limited(corrected, ({ product: owner, label, corrections }) => {
    const name = product ? label : `${address(owner)} ${label}`
    return plain(`${name}: ${verb} manual corrections: ${corrections.map(correctionText).join('; ')}`)
  })
  if (notes.length > 0 && !overwrite && advice !== null) notes.push(advice)
  return notes
}

function correctionText({ change, what }: Correction): string {
  if (change === null) return what === 'order' ? 'the order of its changes' : what
  if (what === 'added' || what === 'deleted') return `${what} change "${change}"`
  return what === 'corrected' ? `change "${change}", no longer in the file` : `${what} of change "${change}"`
}

/** `2 added, 1 updated, 5 unchanged, 0 skipped`, and what else there is to count. */
export function countsText(result: ImportResult, overwrite?: true): string {
  const { product, added, updated, unchanged, skipped, pruned, released, corrected, warnings } = result
  const corrections = corrected.reduce((count, version) => count + version.corrections.length, 0)
  return listText(
    product ? `${added} added` : `${plural(added, 'version')} added`,
    `${updated} updated, ${unchanged} unchanged, ${skipped} skipped`,
    pruned > 0 && `${pruned} deleted`,
    released > 0 && `${plural(released, 'draft')} published`,
    corrections > 0 && `${plural(corrections, 'correction')} ${overwrite ? 'overwritten' : 'kept'}`,
    product && plural(warnings.length, 'warning'),
  )
}

const listText = (...parts: (string | false | null)[]): string => parts.filter(Boolean).join(', ')

/** How many drafts `--prune` has spared, and how to delete them. */
export function sparedNotes(
  { spared }: ImportResult,
  from = 'file',
  advice: Hint = { text: 'To delete drafts too, use --prune-drafts.' },
): Hint[] {
  if (spared === 0) return []
  const stay = `${plural(spared, 'draft')} not in the ${from} ${spared === 1 ? 'stays' : 'stay'}.`
  return [{ ...advice, text: `${stay} ${advice.text}` }]
}

/** Up to this many versions, unchanged ones are listed too. */
const FEW_VERSIONS = 20
/** How much of a title is shown where there is little room. */
const SHORT_TITLE = 20
const INDENT = '  '

/** A table of the versions of a dry run, newest first. If there are many, unchanged ones are only counted. */
export function versionLines(context: Context, { product, versions }: ImportResult): string[] {
  const listed = versions.length > FEW_VERSIONS ? versions.filter(isNews) : versions
  const isNew = listed.every(({ outcome }) => outcome === 'added')
  const row = (version: ListedVersion): string[] => {
    const name = product ? version.label : `${address(version.product)} ${version.label}`
    if (!('version' in version)) return [name, '', '', '', outcomeText(version), '']
    const { title, label } = version.version
    const outcome = isNew ? '' : outcomeText(version)
    const shown = title === label ? '' : title
    return [name, dayOf(version), storedStatus(version.version), changesText(version), outcome, shown]
  }
  const rows = context.terminal.output ? glance(listed, row) : listed.map(row)
  const shown = COLUMNS.map(([name, form], at) => ({ name, form, at })).filter(({ at }) =>
    rows.some((cells) => cells[at]),
  )
  const text = table(
    context,
    shown.map(({ name }) => name),
    rows.map((cells) => shown.map(({ form, at }) => form(plain(cells[at] ?? '')))),
    INDENT,
  )
  const unchanged = versions.length - listed.length
  return [
    ...(text === '' ? [] : text.split('\n')),
    ...(rows.length < listed.length ? ['  To see all of them, use a pipe or --json.'] : []),
    ...(unchanged > 0 ? [`  ${plural(unchanged, 'version')} unchanged`] : []),
  ]
}

const COLUMNS: readonly [name: string, form: (text: string) => Cell][] = [
  ['version', fixed],
  ['date', fixed],
  ['status', fixed],
  ['changes', (text) => text],
  ['outcome', (text) => text],
  ['title', (text) => fixed(text, cut(text, SHORT_TITLE))],
]

const isNews = (version: ListedVersion): boolean =>
  version.outcome !== 'unchanged' || ('corrections' in version && version.corrections.length > 0)

/** How many rows a terminal shows of the newest, and of the oldest, if there are many. */
const MOST_OF_EACH = 20

function glance(versions: readonly ListedVersion[], row: (version: ListedVersion) => string[]): string[][] {
  const left = versions.length - 2 * MOST_OF_EACH
  if (left <= 0) return versions.map(row)
  const [newest, oldest] = [versions.slice(0, MOST_OF_EACH), versions.slice(-MOST_OF_EACH)]
  return [...newest.map(row), [`… ${left} more`], ...oldest.map(row)]
}

function dayOf({ version }: ImportedVersion): string {
  const date = knownDate(version)
  return date === null ? 'no date' : formatInstant(date).slice(0, 10)
}

/** `2 added, 1 fixed`; behind their number, `4: 1 breaking, 4 changed`, if they do not add up to it. */
function changesText({ changeCount, kinds }: ImportedVersion): string {
  const sum = kinds.values().reduce((all, count) => all + count, 0)
  const texts = [...kinds].map(([kind, count]) => (count ? `${count} ${kind}` : kind)).join(', ')
  return sum === 0 ? `${changeCount}` : sum === changeCount ? texts : `${changeCount}: ${texts}`
}

/** `updated (title; changes: 2 added)` */
function outcomeText(version: ListedVersion): string {
  const outcome = version.outcome === 'pruned' ? 'deleted' : version.outcome
  const details = outcome === 'added' ? '' : detailsOf(version)
  return details === '' ? outcome : `${outcome} (${details})`
}

/** `41 versions, 2.10.7 … 0.1.0, 38 dated, 3 drafts` */
export function readSummary({ read }: ImportResult): string {
  const { versions, newest, oldest, dated, drafts, scheduled } = read
  const labels = [...new Set([newest, oldest])].filter(Boolean)
  return listText(
    plural(versions, 'version'),
    plain(labels.join(' … ')),
    `${dated} dated`,
    plural(drafts, 'draft'),
    scheduled > 0 && `${scheduled} scheduled`,
  )
}

/** Lines that look like a version and begin none, with the name of the file. */
export function untakenLines(context: Context, { untaken }: ImportResult, name: string): string[] {
  if (untaken.length === 0) return []
  const rows = untaken.slice(0, MOST_LINES).map(({ text = name, line, written, why }) => {
    return [fixed(plain(`${text}:${line}`)), plain(written), plain(why)]
  })
  return [
    'These lines look like versions, but are not:',
    ...table(context, ['line', 'text', 'reason'], rows, INDENT).split('\n'),
    ...moreOf(untaken).map((more) => INDENT + more),
  ]
}

/** `title, date; changes: 2 added, 1 removed` */
export function detailsOf(version: ListedVersion | PutVersion): string {
  if (!('changes' in version)) return 'not in the file'
  const { outcome, fields, changes, corrections } = version
  if (outcome === 'added') return plural(changes.added, 'change')
  const counts = (['added', 'changed', 'removed'] as const).map(
    (what) => changes[what] > 0 && `${changes[what]} ${what}`,
  )
  const ofChanges = listText(...counts, changes.moved && 'moved')
  const isCorrected = corrections.length > 0
  return [fields.join(', '), ofChanges && `changes: ${ofChanges}`, isCorrected && 'corrected manually']
    .filter(Boolean)
    .join('; ')
}

export const versionsJson = ({ product, versions }: ImportResult) =>
  versions.map((version) => ({
    ...ownerOf({ product }, version),
    version: version.label,
    outcome: version.outcome,
    ...('version' in version ? storedJson(version) : {}),
  }))

/** The product of a version, unless all are of one. */
const ownerOf = ({ product }: Pick<ImportResult, 'product'>, version: { product: Product }) =>
  product ? {} : { product: address(version.product) }

function storedJson({ version, changeCount, kinds, fields, changes }: ImportedVersion) {
  const date = knownDate(version)
  return {
    ...pick(version, 'title', 'status', 'scheduled'),
    publishedAt: date === null ? null : formatInstant(date),
    changeCount,
    kinds: Object.fromEntries(kinds),
    fields,
    changes,
  }
}

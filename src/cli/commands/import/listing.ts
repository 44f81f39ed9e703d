import { address } from '../../../domain/records.ts'
import { knownDate } from '../../../domain/rules.ts'
import { cut } from '../../../domain/text/cut.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { PutVersion } from '../../../store/records/types.ts'
import type { ImportedVersion, ImportResult, ListedVersion } from '../../../transfer/import-result.ts'
import type { Context } from '../../context.ts'
import { type Cell, fixed, table } from '../../terminal/table.ts'
import { plain, plural } from '../../terminal/text.ts'
import { MOST_LINES, moreOf } from './report.ts'

/** What an import finds in a file, to be compared with the file. */

/** Up to this many versions, unchanged ones are listed too. */
const FEW_VERSIONS = 20
/** How much of a title is shown where there is little room. */
const SHORT_TITLE = 20
const INDENT = '  '

/** A table of the versions of a dry run, newest first. Of many, unchanged ones are only counted. */
export function versionLines(context: Context, { product, versions }: ImportResult): string[] {
  const listed = versions.length > FEW_VERSIONS ? versions.filter(isNews) : versions
  const isNew = listed.every(({ outcome }) => outcome === 'added')
  const row = (version: ListedVersion): string[] => {
    const name = product ? version.label : `${address(version.product)} ${version.label}`
    if (!('version' in version)) return [name, '', '', '', outcomeText(version), '']
    const { title, label } = version.version
    return [
      ...[name, dayOf(version), storedStatus(version.version), changesText(version)],
      ...[isNew ? '' : outcomeText(version), title === label ? '' : title],
    ]
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
    ...(rows.length < listed.length ? ['  A pipe or --json shows all of them.'] : []),
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
export function readText({ read }: ImportResult): string {
  const { versions, newest, oldest, dated, drafts, scheduled } = read
  const labels = [...new Set([newest ?? '', oldest ?? ''])].filter((label) => label !== '')
  return [
    plural(versions, 'version'),
    ...(labels.length > 0 ? [plain(labels.join(' … '))] : []),
    `${dated} dated`,
    plural(drafts, 'draft'),
    ...(scheduled > 0 ? [`${scheduled} scheduled`] : []),
  ].join(', ')
}

/** Lines that look like a version and begin none, with the name of the file. */
export function untakenLines(context: Context, { untaken }: ImportResult, name: string): string[] {
  if (untaken.length === 0) return []
  const rows = untaken
    .slice(0, MOST_LINES)
    .map(({ text = name, line, written, why }) => [
      fixed(plain(`${text}:${line}`)),
      plain(written),
      plain(why),
    ])
  const listed = table(context, ['line', 'text', 'reason'], rows, INDENT).split('\n')
  return [
    'These look like versions and begin none:',
    ...listed,
    ...moreOf(untaken).map((more) => INDENT + more),
  ]
}

/** `title, date; changes: 2 added, 1 removed` */
export function detailsOf(version: ListedVersion | PutVersion): string {
  if (!('changes' in version)) return 'not in the file'
  const { outcome, fields, changes, corrections } = version
  if (outcome === 'added') return plural(changes.added, 'change')
  const ofChanges = [
    ...(['added', 'changed', 'removed'] as const)
      .filter((what) => changes[what] > 0)
      .map((what) => `${changes[what]} ${what}`),
    ...(changes.moved ? ['moved'] : []),
  ]
  return [
    ...(fields.length > 0 ? [fields.join(', ')] : []),
    ...(ofChanges.length > 0 ? [`changes: ${ofChanges.join(', ')}`] : []),
    ...(corrections.length > 0 ? ['corrected by hand'] : []),
  ].join('; ')
}

export const versionsJson = ({ product, versions }: ImportResult) =>
  versions.map((version) => ({
    ...(product ? {} : { product: address(version.product) }),
    version: version.label,
    outcome: version.outcome,
    ...('version' in version ? storedJson(version) : {}),
  }))

function storedJson({ version, changeCount, kinds, fields, changes }: ImportedVersion) {
  const { title, status, scheduled } = version
  const date = knownDate(version)
  return {
    ...{ title, status, scheduled, publishedAt: date === null ? null : formatInstant(date) },
    ...{ changeCount, kinds: Object.fromEntries(kinds), fields, changes },
  }
}

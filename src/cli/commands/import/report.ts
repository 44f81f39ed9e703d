import type { Correction } from '../../../domain/importing/correction.ts'
import { address } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { ImportOptions, ImportResult, ListedVersion } from '../../../transfer/import-result.ts'
import type { Context } from '../../context.ts'
import { ahead } from '../../terminal/moments.ts'
import { columns, fixed } from '../../terminal/table.ts'
import { plain, plural } from '../../terminal/text.ts'

/** What an import does to each version, and what it found corrected by hand: as text and as JSON. */

/** How many lines are printed of a kind; `--json` has all. */
export const MOST_LINES = 50
/** Up to this many versions, also those are listed to which nothing happens. */
const FEW_VERSIONS = 20

/** A line for each version that a dry run has seen, newest first. In a long list the unchanged ones are only counted. */
export function versionLines(context: Context, { product, versions }: ImportResult): string[] {
  const isLong = versions.length > FEW_VERSIONS
  const shown = versions.filter(
    (version) =>
      !isLong ||
      version.outcome !== 'unchanged' ||
      ('corrections' in version && version.corrections.length > 0),
  )
  const rows = shown
    .slice(0, MOST_LINES)
    .map((version) => [
      fixed(plain(product ? version.label : `${address(version.product)} ${version.label}`)),
      fixed(version.outcome === 'pruned' ? 'deleted' : version.outcome),
      detailsOf(version),
    ])
  const lines = columns(context, rows, 2).flatMap((row) => row.split('\n').map((line) => `  ${line}`))
  if (shown.length > rows.length) lines.push(`  … and ${shown.length - rows.length} more: see --json`)
  const rest = versions.length - shown.length
  if (rest > 0) lines.push(`  ${plural(rest, 'version')} unchanged`)
  return lines
}

/** What of a version changes: `title, date; changes: 2 added, 1 removed`. */
export function detailsOf(version: ListedVersion): string {
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

/** What the file publishes at a date ahead, a line for each version. */
export function scheduleNotes(
  { scheduled }: ImportResult,
  { dryRun, now }: Pick<ImportOptions, 'dryRun' | 'now'>,
): string[] {
  const verb = dryRun ? 'would schedule' : 'scheduled'
  const notes = scheduled
    .slice(0, MOST_LINES)
    .map(({ label, at }) => plain(`${label}: ${verb} it, public at ${ahead(at, now)}`))
  if (scheduled.length > notes.length) notes.push(`… and ${scheduled.length - notes.length} more: see --json`)
  return notes
}

export const scheduledJson = ({ scheduled }: ImportResult) =>
  scheduled.map(({ label, at }) => ({ version: label, publishedAt: formatInstant(at) }))

/** Manual edits that were kept, a line for each version, and how to overwrite them. */
export function correctionNotes(
  { product, corrected }: ImportResult,
  { overwrite, dryRun }: Pick<ImportOptions, 'overwrite' | 'dryRun'>,
): string[] {
  const verb = overwrite ? (dryRun ? 'would overwrite' : 'overwrote') : dryRun ? 'would keep' : 'kept'
  const notes = corrected.slice(0, MOST_LINES).map(({ product: owner, label, corrections }) => {
    const name = product ? label : `${address(owner)} ${label}`
    return plain(`${name}: ${verb} what was changed by hand: ${corrections.map(correctionText).join('; ')}`)
  })
  if (corrected.length > notes.length) notes.push(`… and ${corrected.length - notes.length} more: see --json`)
  if (notes.length > 0 && !overwrite) notes.push('To use what the file says instead, add --overwrite.')
  return notes
}

function correctionText({ change, what }: Correction): string {
  if (change === null) return what === 'order' ? 'the order of its changes' : what
  switch (what) {
    case 'added':
      return `added change "${change}"`
    case 'deleted':
      return `deleted change "${change}"`
    case 'corrected':
      return `change "${change}", which is not in the file any more`
    default:
      return `${what} of change "${change}"`
  }
}

/** How many corrections there are. */
export const correctionCount = ({ corrected }: ImportResult): number =>
  corrected.reduce((count, { corrections }) => count + corrections.length, 0)

export const versionsJson = ({ product, versions }: ImportResult) =>
  versions.map((version) => ({
    ...(product ? {} : { product: address(version.product) }),
    version: version.label,
    outcome: version.outcome,
    ...('changes' in version ? { fields: version.fields, changes: version.changes } : {}),
  }))

export const correctionsJson = (
  { product, corrected }: ImportResult,
  { overwrite }: Pick<ImportOptions, 'overwrite'>,
) =>
  corrected.flatMap((version) =>
    version.corrections.map(({ change, what }) => ({
      ...(product ? {} : { product: address(version.product) }),
      version: version.label,
      change,
      what,
      kept: overwrite !== true,
    })),
  )

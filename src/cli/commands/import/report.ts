import type { Correction } from '../../../domain/importing/correction.ts'
import { address } from '../../../domain/records.ts'
import type { Hint } from '../../../domain/refusal.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { ImportOptions, ImportResult } from '../../../transfer/import-result.ts'
import { ahead } from '../../terminal/moments.ts'
import { type Message, plain, plural } from '../../terminal/text.ts'

/** The most lines of a kind; `--json` has all. */
export const MOST_LINES = 50
/** A line for each item, up to a readable number. */
export const limited = <T, Line extends Message>(
  items: readonly T[],
  line: (item: T) => Line,
): (Line | string)[] => [...items.slice(0, MOST_LINES).map(line), ...moreOf(items)]

/** What a list leaves out. */
export const moreOf = (items: readonly unknown[]): string[] =>
  items.length > MOST_LINES ? [`… and ${items.length - MOST_LINES} more: see --json`] : []

/** `name` is the name of the file. */
export const warningNotes = ({ warnings }: ImportResult, name: string): Message[] =>
  limited(warnings, ({ text = name, line, message, command }) => ({
    text: plain(`${text}:${line}: ${message}`),
    ...(command !== undefined && { command }),
  }))

export const warningsJson = ({ warnings }: ImportResult) =>
  warnings.map(({ message, command, ...warning }) => ({
    ...warning,
    message: command === undefined ? message : `${message}: ${command}`,
  }))

/** What the file publishes in the future, a line for each version. */
export function scheduleNotes(
  { scheduled }: ImportResult,
  { dryRun, now }: Pick<ImportOptions, 'dryRun' | 'now'>,
): string[] {
  const verb = dryRun ? 'would schedule' : 'scheduled'
  return limited(scheduled, ({ label, at }) => plain(`${label}: ${verb} it, public at ${ahead(at, now)}`))
}

export const scheduledJson = ({ scheduled }: ImportResult) =>
  scheduled.map(({ label, at }) => ({ version: label, publishedAt: formatInstant(at) }))

/** Edits that were kept, a line for each version, and how to overwrite them. */
export function correctionNotes(
  { product, corrected }: ImportResult,
  { overwrite, dryRun }: Pick<ImportOptions, 'overwrite' | 'dryRun'>,
  advice: string | null = 'To use what the file says instead, add --overwrite.',
): string[] {
  const verb = overwrite ? (dryRun ? 'would overwrite' : 'overwrote') : dryRun ? 'would keep' : 'kept'
  const notes = limited(corrected, ({ product: owner, label, corrections }) => {
    const name = product ? label : `${address(owner)} ${label}`
    return plain(`${name}: ${verb} what was changed by hand: ${corrections.map(correctionText).join('; ')}`)
  })
  if (notes.length > 0 && !overwrite && advice !== null) notes.push(advice)
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

/** `2 added, 1 updated, 5 unchanged, 0 skipped`, and what else there is to count. */
export function countsText(result: ImportResult, overwrite?: true): string {
  const { product, added, updated, unchanged, skipped, pruned, released, corrected, warnings } = result
  const corrections = corrected.reduce((count, version) => count + version.corrections.length, 0)
  return [
    product ? `${added} added` : `${plural(added, 'version')} added`,
    ...[`${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`],
    ...(pruned > 0 ? [`${pruned} deleted`] : []),
    ...(released > 0 ? [`${plural(released, 'draft')} published without a date`] : []),
    ...(corrections > 0
      ? [`${plural(corrections, 'correction')} ${overwrite ? 'overwritten' : 'kept'}`]
      : []),
    ...(product ? [plural(warnings.length, 'warning')] : []),
  ].join(', ')
}

/** How many drafts `--prune` has spared, and how to delete them. */
export const sparedNotes = (
  { spared }: ImportResult,
  from = 'file',
  advice: Hint = { text: 'To delete drafts too, use --prune-drafts.' },
): Hint[] =>
  spared === 0
    ? []
    : [
        {
          ...advice,
          text: `${plural(spared, 'draft')} not in the ${from} ${spared === 1 ? 'stays' : 'stay'}. ${advice.text}`,
        },
      ]

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

import type { Instant } from '../../domain/records.ts'
import { formatInstant } from '../../domain/time.ts'
import type { Holdings } from '../../store/records/port.ts'
import type { Context } from '../context.ts'

/** How things look on a terminal, and plainly when piped. */

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
}

/** Colour for standard output: only on a terminal, and never with `NO_COLOR`. */
export function paintFor(context: Context): Paint {
  const style = (on: number, off: number) => (text: string) =>
    hasColour(context) ? `\x1b[${on}m${text}\x1b[${off}m` : text
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    yellow: style(33, 39),
    red: style(31, 39),
  }
}

export const hasColour = (context: Context): boolean =>
  context.terminal.output && !context.env.NO_COLOR && context.env.TERM !== 'dumb'

/** Aligned columns under a heading, each row a line; nothing if there is no row. The one way to write a table. */
export function table(paint: Paint, heading: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const [first = '', ...rest] = columns([heading.map((title) => title.toUpperCase()), ...rows])
  return [paint.dim(first), ...rest].join('\n')
}

/** Aligned columns without a heading. */
export function columns(rows: string[][]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(cell))
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] as number) - Bun.stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  )
}

/** Text that others wrote, as one line that cannot steer the terminal. */
export const plain = (text: string): string =>
  // Not the joiners, which hold an emoji or a word of some scripts together.
  text.replace(/\s*[[\p{Cc}\p{Cf}]--[\u200c\u200d]]+\s*/gv, ' ')

/** The same for text of several lines. */
export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n')

/** A moment both ways: `2026-01-02 03:04 UTC (3 days ago)`. */
export const moment = (instant: Instant, now: Instant): string =>
  `${formatInstant(instant).slice(0, 16).replace('T', ' ')} UTC (${relative(instant, now)})`

/** The same to the day: `2026-01-02 (3 days ago)`. */
export const day = (instant: Instant, now: Instant): string =>
  `${formatInstant(instant).slice(0, 10)} (${relative(instant, now)})`

/** `1 version`, `3 versions`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`

/** What goes with a record that is deleted: `3 products, 41 versions, 2 keys`, or `nothing else`. */
export function holdingsText(held: Holdings): string {
  const parts = [
    [held.products, 'product'],
    [held.versions, 'version'],
    [held.changes, 'change'],
    [held.keys, 'key'],
  ] as const
  const present = parts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun))
  return present.length > 0 ? present.join(', ') : 'nothing else'
}

const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function relative(instant: Instant, now: Instant): string {
  const distance = instant - now
  for (const [unit, length] of UNITS) {
    const count = Math.trunc(distance / length)
    if (count !== 0) return new Intl.RelativeTimeFormat('en').format(count, unit)
  }
  return 'just now'
}

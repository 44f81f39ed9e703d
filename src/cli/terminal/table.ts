import type { Context } from '../context.ts'
import { paintFor } from './color.ts'
import { wrap } from './text.ts'

const GAP = '  '
/** Columns of text are never narrower: the columns after them continue on the next line. */
const NARROWEST = 30

/** Text that may be wrapped, or must stay on one line. */
export type Cell = string | Fixed

export interface Fixed {
  readonly full: string
  /** Shown if the terminal is too narrow. */
  readonly short: string
}

/** Never wrapped, such as a command to copy. */
export const fixed = (full: string, short = full): Fixed => ({ full, short })

/** Left out if the terminal is too narrow. */
export const spare = (text: string): Fixed => fixed(text, '')

/** Aligned columns under a heading; nothing without rows. The only way to write a table. */
export function table(
  context: Context,
  heading: readonly string[],
  rows: readonly Cell[][],
  indent = '',
): string {
  if (rows.length === 0) return ''
  const titles = heading.map((title, at) =>
    isSpare(rows[0]?.[at]) ? spare(title.toUpperCase()) : title.toUpperCase(),
  )
  const [first = '', ...rest] = columns(context, [titles, ...rows], indent.length)
  return [paintFor(context).dim(first), ...rest].join('\n').replace(/^/gm, indent)
}

/** A text for each row: one line, unless the terminal is too narrow. `indent` is what the caller puts before it. */
export function columns(context: Context, rows: readonly Cell[][], indent = 0): string[] {
  const room = context.terminal.width - indent
  const full = inFull(rows, room)
  if (full) return full
  const needed = withoutSpare(rows)
  return inFull(needed, room) ?? narrowed(needed, room)
}

/** Null if the terminal is too narrow. */
function inFull(rows: readonly Cell[][], room: number): string[] | null {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.full)))
  const widths = widthsOf(texts)
  return totalWidth(widths) <= room ? texts.map((row) => aligned(row, widths)) : null
}

function withoutSpare(rows: readonly Cell[][]): Cell[][] {
  const needed = new Set(rows.flatMap((row) => [...row.keys()].filter((at) => !isSpare(row[at]))))
  return rows.map((row) => row.filter((_, at) => needed.has(at)))
}

const isSpare = (cell: Cell | undefined): boolean => typeof cell === 'object' && cell.short === ''

/** Wraps cells between words, and puts columns without room below, indented. No cell is left out. */
function narrowed(rows: readonly Cell[][], room: number): string[] {
  const words = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell.split(' ') : [cell.short])),
  )
  const natural = widthsOf(words.map((row) => row.map((cell) => cell.join(' '))))
  const longest = natural.map((_, at) => widest(words.flatMap((row) => row[at] ?? [])))
  const least = natural.map((width, at) =>
    Math.min(room - GAP.length, Math.max(longest[at] as number, Math.min(width, NARROWEST))),
  )
  const bands = inBands(least, room).map(({ from, to, indent }) => {
    const widths = fitted(natural.slice(from, to), least.slice(from, to), room - indent)
    return { from, to, indent: ' '.repeat(indent), widths }
  })
  return words.map((row) =>
    bands
      .flatMap(({ from, to, indent, widths }) =>
        sideBySide(row.slice(from, to), widths).map((line) => indent + line),
      )
      .join('\n'),
  )
}

/** As many columns on a line as there is room for. */
function inBands(least: readonly number[], room: number): { from: number; to: number; indent: number }[] {
  const bands = [{ from: 0, to: 0, indent: 0 }]
  for (const at of least.keys()) {
    const band = bands.at(-1) as (typeof bands)[number]
    if (at === band.from || totalWidth(least.slice(band.from, at + 1)) <= room - band.indent) band.to = at + 1
    else bands.push({ from: at, to: at + 1, indent: GAP.length })
  }
  return bands
}

/** Reduces the widest columns until all fit. */
function fitted(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural]
  for (let excess = totalWidth(widths) - room; excess > 0; excess--) {
    const spare = widths.map((width, at) => (width > (least[at] as number) ? width : 0))
    const at = spare.indexOf(Math.max(...spare))
    widths[at] = (widths[at] as number) - 1
  }
  return widths
}

/** Wraps cells to their columns, as lines; none if all are empty. */
function sideBySide(cells: readonly string[][], widths: readonly number[]): string[] {
  const wrapped = cells.map((words, at) => wrap(words, widths[at] as number))
  const height = Math.max(...wrapped.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    aligned(
      wrapped.map((lines) => lines[line] ?? ''),
      widths,
    ),
  ).filter((line) => line !== '')
}

const widest = (words: readonly string[]): number =>
  words.reduce((width, word) => Math.max(width, Bun.stringWidth(word)), 0)

const aligned = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] as number) - Bun.stringWidth(cell))))
    .join(GAP)
    .trimEnd()

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(cell))
  return widths
}

const totalWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1)

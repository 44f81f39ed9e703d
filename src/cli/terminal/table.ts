import type { Context } from '../context.ts'
import { paintFor } from './color.ts'
import { wrap } from './text.ts'

const GAP = '  '
/** A column of text is never narrower. */
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
export function table(context: Context, heading: readonly string[], rows: readonly Cell[][], indent = '') {
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
  const needed = withoutSpare(rows)
  const forms = [texts(rows, 'full'), texts(needed, 'full'), texts(needed, 'short')]
  for (const form of forms) {
    const widths = widthsOf(form)
    if (totalWidth(widths) <= room) return form.map((row) => aligned(row, widths))
  }
  return narrowed(needed, room)
}

const texts = (rows: readonly Cell[][], form: keyof Fixed): string[][] =>
  rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell[form])))

function withoutSpare(rows: readonly Cell[][]): Cell[][] {
  const needed = new Set(rows.flatMap((row) => [...row.keys()].filter((at) => !isSpare(row[at]))))
  return rows.map((row) => row.filter((_, at) => needed.has(at)))
}

const isSpare = (cell: Cell | undefined): boolean => typeof cell === 'object' && cell.short === ''

/** The widest column of text gets the room that the others leave; without enough of that, there are no columns. */
function narrowed(rows: readonly Cell[][], room: number): string[] {
  const short = texts(rows, 'short')
  const widths = widthsOf(short)
  const isText = (at: number) => rows.every((row) => typeof row[at] === 'string')
  const at = widths.reduce((best, width, at) => (isText(at) && width > (widths[best] ?? 0) ? at : best), -1)
  const rest = room - totalWidth(widths) + (widths[at] ?? 0)
  const words = short.flatMap((row) => row[at]?.split(' ') ?? [])
  const longest = Math.max(...words.map((word) => Bun.stringWidth(word)))
  if (rest < Math.max(NARROWEST, longest)) return rows.map((row) => paragraph(row, room - GAP.length))
  const start = ' '.repeat(totalWidth([...widths.slice(0, at), 0]))
  return short.map((row) => {
    const [first = '', ...others] = wrap((row[at] ?? '').split(' '), rest)
    const top = aligned(row.with(at, first), widths.with(at, rest))
    return [top, ...others.map((line) => start + line)].join('\n')
  })
}

/** Cells one after the other, on as few lines as they need. No cell is left out. */
function paragraph(row: readonly Cell[], room: number): string {
  const lines: string[] = []
  for (const cell of row) {
    const parts = typeof cell === 'string' ? wrap(cell.split(' '), room) : [cell.short]
    const [first = ''] = parts
    const longer = `${lines.at(-1)}${GAP}${first}`
    if (parts.length > 1 || lines.length === 0 || Bun.stringWidth(longer) > room) lines.push(...parts)
    else lines[lines.length - 1] = longer.trimEnd()
  }
  return lines.join(`\n${GAP}`)
}

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

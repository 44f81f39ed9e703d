export interface Table {
  title?: string
  columns: readonly string[]
  lines: readonly (readonly Cell[])[]
}

export type Cell = string | number

/** In a terminal a cell is padded up to this width; a longer one is as long as it is. */
const MAX_PADDING = 40

/** Nothing, a number, a share or a number with its unit. */
const NUMBER = /^$|^–$|^(\*\*)?[\d.,]+(\*\*)?($|\/s | \/ | ms| – )/

/** As markdown. Columns of numbers are aligned to the right; for a terminal all of them are padded. */
export function tableText({ title, columns, lines }: Table, isPadded = false): string {
  const rows = [columns, ...lines].map((cells) => cells.map(shown))
  const isNumbers = columns.map((_, at) => lines.every((cells) => NUMBER.test(shown(cells[at] ?? ''))))
  const widths = columns.map((_, at) =>
    isPadded ? Math.min(MAX_PADDING, Math.max(3, ...rows.map((cells) => (cells[at] ?? '').length))) : 0,
  )
  const pad = (text: string, at: number) =>
    isNumbers[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)
  const rule = columns.map(
    (_, at) => `${'-'.repeat(Math.max(2, (widths[at] ?? 0) - 1))}${isNumbers[at] ? ':' : '-'}`,
  )
  const [head = [], ...body] = rows
  const all = [head.map(pad), rule, ...body.map((cells) => cells.map(pad))]
  return [...(title ? [`${title}:`, ''] : []), ...all.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

/** A number as it is written in English. */
export const number = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : value < 1_000 ? 1 : 0 })

const shown = (cell: Cell): string =>
  typeof cell === 'number' ? number(cell) : cell.replaceAll('|', '\\|').replaceAll('\n', ' ')

import type { Paint } from './colour.ts'

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

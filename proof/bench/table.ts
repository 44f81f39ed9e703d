import type { Figure, RowResult } from './figures.ts'
import { number } from './report.ts'

/** A row as it is kept: with when and on what it was measured. */
export interface MeasuredRow extends RowResult {
  measured: { date: string; machine: string }
}

/** What the table and the chart compare: ours, and what a user would choose instead. */
export const COLUMNS = [
  { name: 'changelogd', title: 'changelogd' },
  { name: 'nginx', title: 'nginx, static files' },
  { name: 'naive', title: 'Elysia + Drizzle' },
  { name: 'node', title: 'Fastify + better-sqlite3' },
] as const

type Column = (typeof COLUMNS)[number]['name']

interface Line {
  title: string
  row: string
  /** Of figures that are not called like their column. */
  names?: Partial<Record<Column, string>>
}

const LINES: Line[] = [
  { title: 'a changelog, cached', row: 'public' },
  { title: 'with an API key, cached', row: 'keyed' },
  { title: 'not modified (304)', row: 'unchanged' },
  {
    title: 'not found, another each time',
    row: 'misses',
    names: { changelogd: 'another each time' },
  },
  { title: 'random reads, 50,000 products', row: 'random' },
  { title: 'a page, cached', row: 'page', names: { changelogd: 'page', nginx: 'nginx, page' } },
  {
    title: 'the same as Markdown',
    row: 'page',
    names: { changelogd: 'Markdown', nginx: 'nginx, Markdown' },
  },
  { title: 'an agent’s call by MCP', row: 'mcp', names: { changelogd: 'changelogd, 2026-07-28' } },
  { title: 'start to first response', row: 'start' },
]

/** The names of the rows that the table needs. */
export const TABLE_ROWS: readonly string[] = [...new Set(LINES.map(({ row }) => row))]

export interface TableLine {
  title: string
  cells: { column: (typeof COLUMNS)[number]; figure: Figure | undefined }[]
}

/** What was measured of the table so far. */
export function tableLines(rows: readonly RowResult[]): TableLine[] {
  return LINES.flatMap(({ title, row, names = {} }) => {
    const figures = rows.find(({ name }) => name === row)?.figures
    if (!figures) return []
    const figureOf = (column: Column) => figures.find(({ name }) => name === (names[column] ?? column))
    return { title, cells: COLUMNS.map((column) => ({ column, figure: figureOf(column.name) })) }
  })
}

/** Where and when its rows were measured. */
export function machinesOf(rows: readonly MeasuredRow[]): string {
  const own = rows.filter(({ name }) => TABLE_ROWS.includes(name))
  return [...new Set(own.map(({ measured: { machine, date } }) => `${machine}, ${date.slice(0, 10)}`))].join(
    '; ',
  )
}

/** `72,900/s` or `47 ms`. */
export function shownValue({ median, unit }: Figure): string {
  const value = number(Number(median.toPrecision(3)))
  return unit === 'requests/s' ? `${value}/s` : `${value} ${unit}`
}

/** As markdown. The processor time of the server for a request follows in parentheses. */
export function tableText(rows: readonly MeasuredRow[]): string {
  const cell = (figure: Figure | undefined) => {
    if (!figure) return '–'
    const { processor } = figure
    return `${shownValue(figure)}${processor === undefined ? '' : ` (${number(processor)} µs)`}`
  }
  const lines = [
    ['', ...COLUMNS.map(({ title }) => title)],
    ['---', ...COLUMNS.map(() => '---:')],
    ...tableLines(rows).map(({ title, cells }) => [title, ...cells.map(({ figure }) => cell(figure))]),
  ]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\nMeasured on: ${machinesOf(rows)}.`
}

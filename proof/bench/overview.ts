import type { Part } from '../proof.ts'
import { number, type Table } from '../table.ts'
import type { Figure, RowResult } from './figures.ts'

type Parts = readonly Part<RowResult>[]

/** What the overview and the chart compare: ours, and what a user would choose instead. */
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

export const isOfOverview = (row: string): boolean => LINES.some((line) => line.row === row)

export interface OverviewLine {
  title: string
  cells: { column: (typeof COLUMNS)[number]; figure: Figure | undefined }[]
}

/** What was measured of it so far. */
export function overviewLines(parts: Parts): OverviewLine[] {
  return LINES.flatMap(({ title, row, names = {} }) => {
    const figures = parts.find(({ name }) => name === row)?.rows[0]?.figures
    if (!figures) return []
    const figureOf = (column: Column) => figures.find(({ name }) => name === (names[column] ?? column))
    return { title, cells: COLUMNS.map((column) => ({ column, figure: figureOf(column.name) })) }
  })
}

/** Where and when its rows were measured. */
export function machinesOf(parts: Parts): string {
  const own = parts.filter(({ name }) => isOfOverview(name))
  return [...new Set(own.map(({ measured: { machine, date } }) => `${machine}, ${date}`))].join('; ')
}

/** `72,900/s` or `47 ms`. */
export function shownValue({ median, unit }: Figure): string {
  const value = number(Number(median.toPrecision(3)))
  return unit === 'requests/s' ? `${value}/s` : `${value} ${unit}`
}

/** The processor time of the server for a request follows in parentheses. */
export function overview(parts: Parts): Table {
  const cell = (figure: Figure | undefined) => {
    if (!figure) return '–'
    const { processor } = figure
    return `${shownValue(figure)}${processor === undefined ? '' : ` (${number(processor)} µs)`}`
  }
  return {
    title: `Beside what one would use instead, on ${machinesOf(parts)}`,
    columns: ['', ...COLUMNS.map(({ title }) => title)],
    lines: overviewLines(parts).map(({ title, cells }) => [
      title,
      ...cells.map(({ figure }) => cell(figure)),
    ]),
  }
}

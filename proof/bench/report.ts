import type { Comparison, RowResult, Target } from './figures.ts'

/** A measured row for the terminal: its figures, then what they were to be. */
export function describe({ title, figures, comparisons, note }: RowResult): string {
  const lines = [
    `\n${title}`,
    ...table([
      ['', 'median', '', 'least – most', figures.some(({ processor }) => processor) ? 'CPU/request' : ''],
      ...figures.map((figure) => [
        figure.name,
        number(figure.median),
        figure.unit,
        figure.samples.length > 1
          ? `${number(Math.min(...figure.samples))} – ${number(Math.max(...figure.samples))}`
          : '',
        figure.processor === undefined ? '' : `${figure.processor.toFixed(1)} µs`,
      ]),
    ]),
    ...(note ? [`  ${note}`] : []),
    ...comparisons.map((comparison) => `  ${sentence(comparison)}`),
  ]
  return lines.join('\n')
}

/** Every target of a run, and whether it was met. */
export function summarize(rows: RowResult[]): string {
  return table([
    ['', 'ratio', 'target', ''],
    ...rows.flatMap(({ title, comparisons }) =>
      comparisons
        .filter(({ target }) => target)
        .map(({ of, against, ratio, target, met }) => [
          `${title}: ${of} / ${against}`,
          times(ratio),
          target ? wording(target) : '',
          met ? 'met' : 'NOT met',
        ]),
    ),
  ]).join('\n')
}

export const number = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : value < 1_000 ? 1 : 0 })

const sentence = ({ of, against, ratio, target, met }: Comparison): string =>
  `${of} / ${against} = ${times(ratio)}${target ? `   target ${wording(target)}: ${met ? 'met' : 'NOT met'}` : ''}`

const wording = ({ at, ratio }: Target): string => `${at === 'least' ? '≥' : '≤'} ${ratio}`

const times = (ratio: number): string => ratio.toFixed(2)

function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? []
  // The first column is words, the second numbers.
  const pad = (cell: string, column: number) =>
    column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd())
}

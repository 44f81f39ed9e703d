import type { Part } from '../proof.ts'
import type { RowResult } from './figures.ts'
import { COLUMNS, machinesOf, type OverviewLine, overviewLines, shownValue } from './overview.ts'

const WIDTH = 840
const GAP = 30
const HALF = (WIDTH - GAP) / 2
const LABEL = 136
const VALUE = 70
const TOP = 52
const TITLE = 18
const STEP = 14
const BAR = 10
const BETWEEN = 10

/** The overview as bars. Colours that are readable on white and on black, and no background of its own. */
export function chart(parts: readonly Part<RowResult>[]): string {
  const heights = [TOP, TOP]
  const groups = overviewLines(parts).map((line) => {
    const side = (heights[1] ?? 0) < (heights[0] ?? 0) ? 1 : 0
    const y = heights[side] ?? 0
    const { text, height } = group(line, side * (HALF + GAP), y)
    heights[side] = y + height + BETWEEN
    return text
  })
  const height = Math.max(...heights) + 14
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">changelogd beside what one would use instead: ${COLUMNS.slice(1)
    .map(({ title }) => title)
    .join('; ')}</title>
  <style>
    text { font: 11px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #57606a }
    .head { font-size: 16px; font-weight: 600; fill: #24292f }
    .name { font-size: 12px; font-weight: 600; fill: #24292f }
    .value { font-variant-numeric: tabular-nums }
    .ours text { font-weight: 700; fill: #24292f }
    .other rect { fill: #8c959f }
    .ours rect { fill: #1a7f64 }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 }
      .head, .name, .ours text { fill: #f0f6fc }
      .other rect { fill: #656c76 }
      .ours rect { fill: #2fb58c }
    }
  </style>
  <text x="0" y="18" class="head">Requests per second on one core</text>
  <text x="0" y="36">32 keep-alive connections, median; more is better. Milliseconds to start: less is better.</text>
${groups.join('\n')}
  <text x="0" y="${height - 4}">${machinesOf(parts)}</text>
</svg>
`
}

function group({ title, cells }: OverviewLine, x: number, y: number): { text: string; height: number } {
  const known = cells.flatMap(({ column, figure }) => (figure ? { column, figure } : []))
  const most = Math.max(...known.map(({ figure }) => figure.median))
  const bars = known.map(({ column, figure }, place) => {
    const top = y + TITLE + place * STEP
    const width = Math.max(2, (figure.median / most) * (HALF - LABEL - VALUE))
    const start = x + LABEL
    return `  <g class="${column.name === 'changelogd' ? 'ours' : 'other'}">
    <text x="${start - 8}" y="${top + 9}" text-anchor="end">${column.title}</text>
    <rect x="${start}" y="${top}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>
    <text x="${(start + width + 6).toFixed(1)}" y="${top + 9}" class="value">${shownValue(figure)}</text>
  </g>`
  })
  const head = `  <text x="${x}" y="${y + 11}" class="name">${title}</text>`
  return { text: [head, ...bars].join('\n'), height: TITLE + known.length * STEP }
}

import type { RowResult } from './figures.ts'
import { number } from './report.ts'

/** What each candidate is, for a reader who has not seen the benchmark. */
const LEGENDS: Record<string, string> = {
  changelogd: 'limiter, visibility, ETag',
  bare: 'Bun.serve, no checks at all',
  looking: 'bare, reading each request',
  nginx: 'static file, limit_req',
  node: 'Fastify + better-sqlite3',
  naive: 'Elysia + Drizzle, no cache',
}

const WIDTH = 760
const LEFT = 250
const RIGHT = 110
const BAR = 22
const STEP = 36
const TOP = 62

/** The first row as bars. Colours that are readable on white and on black, and no background of its own. */
export function chart({ figures }: RowResult, machine: string): string {
  const most = Math.max(...figures.map(({ median }) => median))
  const sorted = [...figures].sort((a, b) => b.median - a.median)
  const height = TOP + sorted.length * STEP + 34
  const bars = sorted.map(({ name, median }, place) => {
    const y = TOP + place * STEP
    const width = Math.max(2, (median / most) * (WIDTH - LEFT - RIGHT))
    const ours = name === 'changelogd'
    return `  <g class="${ours ? 'ours' : 'other'}">
    <text x="${LEFT - 12}" y="${y + 10}" text-anchor="end" class="name">${name}</text>
    <text x="${LEFT - 12}" y="${y + 24}" text-anchor="end" class="legend">${LEGENDS[name] ?? ''}</text>
    <rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3"/>
    <text x="${(LEFT + width + 8).toFixed(1)}" y="${y + 16}" class="value">${number(Math.round(median))}</text>
  </g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">Requests per second of a public changelog with 20 versions</title>
  <style>
    text { font-family: system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #57606a }
    .head { font-size: 16px; font-weight: 600; fill: #24292f }
    .legend, .foot { font-size: 11px }
    .name, .value { font-size: 13px; fill: #24292f }
    .value { font-variant-numeric: tabular-nums }
    .ours .name, .ours .value { font-weight: 700 }
    .other rect { fill: #8c959f }
    .ours rect { fill: #1a7f64 }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 }
      .head, .name, .value { fill: #f0f6fc }
      .other rect { fill: #656c76 }
      .ours rect { fill: #2fb58c }
    }
  </style>
  <text x="0" y="18" class="head">Reading a changelog: requests per second on one core</text>
  <text x="0" y="38" class="legend">20 versions, 3.9 KB, 32 keep-alive connections; median; more is better</text>
${bars.join('\n')}
  <text x="0" y="${height - 6}" class="foot">${machine}</text>
</svg>
`
}

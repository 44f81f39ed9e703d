import { availableParallelism, cpus, totalmem } from 'node:os'
import { version } from '../../package.json'
import type { Case, Row } from './support/case.ts'

export interface Report {
  case: Case
  rows: readonly Row[]
  seconds: number
}

/** The figures as a table in markdown. */
export function table(reports: readonly Report[]): string {
  const lines = reports.flatMap(({ case: { name }, rows }) =>
    rows.map(({ promise, tried, failed, figure, leftOut }) =>
      leftOut === undefined
        ? [name, count(tried), failed === 0 ? '0' : `**${count(failed)}**`, figure, promise]
        : [name, '', '', `left out: ${leftOut}`, promise],
    ),
  )
  return [
    '| case | tried | failed | figure | promise |',
    '|---|---:|---:|---|---|',
    ...lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`),
  ].join('\n')
}

/** When and where it was measured, and whether everything was kept. */
function outcome(reports: readonly Report[], date: Date): string {
  const rows = reports.flatMap((report) => report.rows)
  const broken = rows.filter(({ failed }) => failed > 0).length
  const leftOut = rows.filter((row) => row.leftOut !== undefined).length
  const minutes = reports.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  return `Measured on ${date.toISOString().slice(0, 10)} with changelogd ${version}${commit()} on ${machine()}, in ${minutes.toFixed(0)} minutes.
${broken === 0 ? 'Every promise was kept.' : `**${broken} of ${rows.length} promises were broken.**`}${
  leftOut === 0 ? '' : ` ${leftOut} of ${rows.length} were left out; the table says why.`
}`
}

/** The commit that was measured: a version names what was released, and more is measured than that. */
function commit(): string {
  const { success, stdout } = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], { cwd: import.meta.dir })
  return success ? ` (commit ${String(stdout).trim()})` : ''
}

const methods = (reports: readonly Report[]): string =>
  reports.map(({ case: { name, how } }) => `- **${name}**: ${how}`).join('\n')

/** The figures as a part of another page. */
export const summary = (reports: readonly Report[], date: Date): string =>
  [outcome(reports, date), table(reports), methods(reports)].join('\n\n')

/** docs/reliability.md. */
export function page(reports: readonly Report[], date: Date): string {
  return `# Reliability

What changelogd promises when things go wrong, how that is tested, and what was measured. \`bun run battery\` attacks
the built binary from outside, writes this page, and fails if a promise is broken.

${outcome(reports, date)}

## What is promised and what was measured

*Tried* counts attempts, *failed* the attempts that broke the promise.

${table(reports)}

## How it is tested

${methods(reports)}

## What is not promised

- SQLite has no checksums: a disk that changes a letter inside a text changes the response. Damage to the structure of the file is
  noticed. Keep backups on another disk.
- A request that arrives while the server stops may get no response; a response that has begun is completed.
- Times are those of this machine. Other programs on it make them longer.
`
}

const count = (value: number): string => value.toLocaleString('en')
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function machine(): string {
  // Most machines with arm64 do not name it.
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown'
  return `${model === 'unknown' ? '' : `${model}, `}${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}`
}

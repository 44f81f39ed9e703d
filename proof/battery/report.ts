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
  const minutes = reports.reduce((sum, { seconds }) => sum + seconds, 0) / 60
  return `Measured on ${day(date)} with changelogd ${version}${commit()} on ${machine()}, in ${minutes.toFixed(0)} minutes.
${verdict(table(reports))}`
}

/** Whether everything in a table was kept. */
function verdict(text: string): string {
  const rows = text.split('\n').slice(2)
  const broken = rows.filter((row) => /^\| [^|]+ \| [\d,]* \| \*\*/.test(row)).length
  const leftOut = rows.filter((row) => row.includes(' | left out: ')).length
  const kept =
    broken === 0 ? 'Every promise was kept.' : `**${broken} of ${rows.length} promises were broken.**`
  return leftOut === 0 ? kept : `${kept} ${leftOut} of ${rows.length} were left out; the table says why.`
}

const day = (date: Date): string => date.toISOString().slice(0, 10)

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

/** The page with these reports in the place of the rows that it has of their cases, and with a sentence about that. */
export function updatedPage(page: string, reports: readonly Report[], date: Date): string {
  const [old = ''] = /^\| case \|.*(?:\n\|.*)*/m.exec(page) ?? []
  const isOf = (row: string, { case: { name } }: Report) => row.startsWith(`| ${name} |`)
  const rows = old.split('\n').flatMap((row, at, all) => {
    const report = reports.find((each) => isOf(row, each))
    if (!report) return [row]
    return isOf(all[at - 1] ?? '', report) ? [] : table([report]).split('\n').slice(2)
  })
  const names = reports.map((report) => `\`${report.case.name}\``).join(', ')
  const again = `Measured again on ${day(date)}${commit()}: ${names}.`
  return page
    .replace(old, () => rows.join('\n'))
    .replace(
      /^(?:Every promise was kept\.|\*\*\d+ of \d+ promises).*?( Measured again .*)?$/m,
      (_, before = '') => `${verdict(rows.join('\n'))}${before} ${again}`,
    )
}

const count = (value: number): string => value.toLocaleString('en')
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function machine(): string {
  // Most machines with arm64 do not name it.
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown'
  return `${model === 'unknown' ? '' : `${model}, `}${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}`
}

/** `bun proof/page.ts` writes RESULTS.md and the chart from the stored results, as every run that stores some does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bench } from './bench/bench.ts'
import { chart } from './bench/chart.ts'
import type { Part, Proof } from './proof.ts'
import { PROOFS } from './proofs.ts'
import { storedParts } from './results.ts'
import { tableText } from './table.ts'

/** What is written, by the name of the file. */
export const generated = (): Readonly<Record<string, string>> => ({
  'RESULTS.md': page(),
  'results/chart.svg': chart(storedParts(bench)),
})

export function writePage(): void {
  for (const [name, text] of Object.entries(generated())) writeFileSync(join(import.meta.dir, name), text)
}

/** Those that are not what the stored results say. */
export const staleFiles = (): string[] =>
  Object.entries(generated())
    .filter(([name, text]) => readFileSync(join(import.meta.dir, name), 'utf8') !== text)
    .map(([name]) => name)

const page = (): string => `# Results

Written by \`bun run proof\` from the files in \`results/\`, which have every figure. Do not edit it.

${PROOFS.map(section).join('\n\n')}
`

function section(proof: Proof): string {
  const parts = storedParts(proof)
  const head = `## ${proof.name}\n\n\`bun run proof ${proof.name}\` ${proof.proves}. It takes ${proof.takes}.`
  if (parts.length === 0) return `${head}\n\nNo results are stored.`
  const notes = proof.notes?.(parts)
  const tables = proof.tables(parts).map((table) => tableText(table))
  const names = (of: readonly Part[]) => of.map(({ name }) => name).join(', ')
  const measured = measuredOn(parts, names).map((line) => `- ${line}`)
  return [head, verdictOf(proof, parts), measured.join('\n'), ...tables, ...(notes ? [notes] : [])].join(
    '\n\n',
  )
}

export function verdictOf(proof: Proof, parts: readonly Part[]): string {
  if (proof.verdict) return proof.verdict(parts)
  const failed = parts.filter((part) => part.failed > 0).map((part) => `${part.failed} in ${part.name}`)
  return failed.length === 0 ? 'Nothing failed.' : `**Failed: ${failed.join(', ')}.**`
}

/** When, of what and where parts were measured, a line for each. */
export function measuredOn(parts: readonly Part[], shown: (parts: readonly Part[]) => string): string[] {
  const text = ({ measured: { date, commit, machine } }: Part) => `${date}, commit ${commit}, ${machine}`
  return [...Map.groupBy(parts, text)].map(([measured, of]) => `Measured on ${measured}: ${shown(of)}`)
}

if (import.meta.main) writePage()

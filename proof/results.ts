import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Measured, Part, Proof } from './proof.ts'

export const ROOT = join(import.meta.dir, '..')

/** What was stored of a proof: the newest measurement of each part. */
export function storedParts<R>({ name, parts }: Proof<R>): Part<R>[] {
  const file = fileOf(name)
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Part<R>[]) : []
  return mergedParts(parts, stored)
}

/** Stores parts in the place of what is stored of them. The others stay. */
export function storeParts(proof: Proof, parts: readonly Part[]): void {
  const merged = mergedParts(proof.parts, [...storedParts(proof), ...parts])
  writeFileSync(fileOf(proof.name), resultsText(merged))
}

/** A line for each row, so that a difference names what was measured anew. */
const resultsText = (parts: readonly Part[]): string =>
  `[\n${parts
    .map(({ rows, ...part }) => {
      const lines = rows.map((row) => `\n    ${JSON.stringify(row)}`).join(',')
      return `  ${JSON.stringify(part).slice(0, -1)},"rows":[${lines}\n  ]}`
    })
    .join(',\n')}\n]\n`

/** In the order of the names, of two with one name the later. */
export function mergedParts<R>(names: readonly string[], parts: readonly Part<R>[]): Part<R>[] {
  const known = new Map(parts.map((part) => [part.name, part]))
  return names.flatMap((name) => known.get(name) ?? [])
}

const fileOf = (name: string): string => join(import.meta.dir, 'results', `${name}.json`)

/** Now, this commit and this machine. */
export function measuredNow(): Measured {
  return { date: new Date().toISOString().slice(0, 10), commit: commit(), machine: machine() }
}

/** With a plus if the source is not what the commit has. */
export function commit(): string {
  const git = (...args: string[]) => String(Bun.spawnSync(['git', '-C', ROOT, ...args]).stdout).trim()
  return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--', 'src') === '' ? '' : '+'}`
}

function machine(): string {
  // Linux names those of arm64 only by numbers, which lscpu knows.
  const lscpu = Bun.which('lscpu') ? String(Bun.spawnSync(['lscpu']).stdout) : ''
  const named = /^Model name:\s*(.+)$/m.exec(lscpu)?.[1] ?? cpus()[0]?.model ?? 'unknown processor'
  return `${named.replace(/\s+/g, ' ').trim()} (${process.arch}), ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`
}

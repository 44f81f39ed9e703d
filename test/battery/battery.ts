import { parseArgs } from 'node:util'
import { removeLeftovers } from '../support/leftovers.ts'
import { type Report, table } from './report.ts'
import type { Case, Effort, Row } from './support/case.ts'

/**
 * Runs the cases that the command line chooses, prints what was measured, and ends the process: with 1 if a promise was
 * broken. `write` gets the reports of a whole run; a part of one only prints.
 *
 *   --quick       a short form of every case, to see whether everything works
 *   --only NAME   one case; may be given more than once
 */
export async function runBattery(
  cases: readonly Case[],
  /** A case that takes longer is ended, and has failed. */
  timeoutMs: number,
  write: (reports: readonly Report[]) => void,
): Promise<never> {
  const { values: flags } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  const effort: Effort = { of: (whole, quick) => (flags.quick ? quick : whole) }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      removeLeftovers()
      process.exit(1)
    })

  const reports: Report[] = []
  for (const each of chosen(cases, flags.only)) {
    process.stdout.write(`${each.name} …`)
    const began = performance.now()
    const rows = await attempt(each, effort, timeoutMs)
    removeLeftovers()
    const seconds = (performance.now() - began) / 1000
    console.log(` ${seconds.toFixed(0)} s`)
    for (const { promise, failures } of rows)
      if (failures.length > 0) console.log([`  broken: ${promise}`, ...failures].join('\n    '))
    reports.push({ case: each, rows, seconds })
  }
  console.log(`\n${table(reports)}`)
  if (!flags.quick && flags.only.length === 0) write(reports)
  // Not left to the event loop: a connection that a case has lost would keep the process.
  process.exit(reports.some(({ rows }) => rows.some(({ failed }) => failed > 0)) ? 1 : 0)
}

/** The rows of a case. One that throws or hangs has broken its promises, and the others still run. */
async function attempt(each: Case, effort: Effort, timeoutMs: number): Promise<Row[]> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it took too long')), timeoutMs)
  try {
    return await Promise.race([each.run(effort), tooLong])
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return [{ promise: 'the case runs to its end', tried: 1, failed: 1, figure: '', failures: [failure] }]
  } finally {
    clearTimeout(timer)
  }
}

function chosen(cases: readonly Case[], names: readonly string[]): readonly Case[] {
  const unknown = names.filter((name) => !cases.some((each) => each.name === name))
  if (unknown.length > 0) {
    console.error(
      `There is no case ${unknown.join(', ')}: there are ${cases.map(({ name }) => name).join(', ')}.`,
    )
    process.exit(2)
  }
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name))
}

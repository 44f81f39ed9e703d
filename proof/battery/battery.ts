import { parseArgs } from 'node:util'
import { removeLeftovers } from '../../test/support/leftovers.ts'
import { type Report, table } from './report.ts'
import type { Case, Effort, Row } from './support/case.ts'

/**
 * Runs the cases that the command line chooses, prints what was measured, and ends the process: with 1 if a promise was
 * broken. `write` gets the reports of a whole run; a part of one only prints, or is put in the page by `update`.
 *
 *   --quick       a short form of every case, to see whether everything works
 *   --only NAME   one case; may be given more than once
 *   --update      puts the rows of chosen cases in the page of the last whole run, which then says so
 *   --minutes N   lets the case `agents` go on for so long: an hour is `--only agents --minutes 60`
 */
export async function runBattery(
  cases: readonly Case[],
  /** A case that takes longer is ended, and has failed. */
  timeoutMs: number,
  write: (reports: readonly Report[]) => void,
  update?: (reports: readonly Report[]) => void,
): Promise<never> {
  const { values: flags } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      update: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '0' },
    },
  })
  const minutes = Number(flags.minutes)
  if (!(minutes >= 0)) refuse(`--minutes takes a number, not ${JSON.stringify(flags.minutes)}.`)
  const effort: Effort = { of: (whole, quick) => (flags.quick ? quick : whole), minutes }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      removeLeftovers()
      process.exit(1)
    })

  const reports: Report[] = []
  for (const each of chosen(cases, flags.only)) {
    process.stdout.write(`${each.name} …`)
    const began = performance.now()
    const rows = await attempt(each, effort, timeoutMs + minutes * 60_000)
    removeLeftovers()
    const seconds = (performance.now() - began) / 1000
    console.log(` ${seconds.toFixed(0)} s`)
    for (const { promise, failures } of rows)
      if (failures.length > 0) console.log([`  broken: ${promise}`, ...failures].join('\n    '))
    reports.push({ case: each, rows, seconds })
  }
  console.log(`\n${table(reports)}`)
  if (!flags.quick && flags.only.length === 0) write(reports)
  else if (!flags.quick && flags.update) update?.(reports)
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
  if (unknown.length > 0)
    refuse(`There is no case ${unknown.join(', ')}: there are ${cases.map(({ name }) => name).join(', ')}.`)
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name))
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

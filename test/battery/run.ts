/**
 * The battery: `bun run battery [--quick] [--only NAME]`.
 *
 * It attacks dist/changelogd from outside and counts broken promises: every case of `cases.ts` has a server and a
 * database of its own, on loopback and in a temporary directory, and everything is removed afterwards. A whole run
 * takes less than 20 minutes on two cores and writes docs/reliability.md; a part of one only prints. The exit
 * status is 1 if a promise was broken.
 *
 *   --quick       a short form of every case, to see whether everything works
 *   --only NAME   one case; may be given more than once
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeLeftovers } from '../support/leftovers.ts'
import { CASES } from './cases.ts'
import { page, type Report, table } from './report.ts'
import type { Case, Effort, Row } from './support/case.ts'

/** A case that takes longer is ended, and has failed. */
const CASE_TIMEOUT_MS = 8 * 60_000

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
for (const each of chosen(flags.only)) {
  process.stdout.write(`${each.name} …`)
  const began = performance.now()
  const rows = await attempt(each)
  removeLeftovers()
  const seconds = (performance.now() - began) / 1000
  console.log(` ${seconds.toFixed(0)} s`)
  for (const { promise, failures } of rows)
    if (failures.length > 0) console.log([`  broken: ${promise}`, ...failures].join('\n    '))
  reports.push({ case: each, rows, seconds })
}
console.log(`\n${table(reports)}`)
if (!flags.quick && flags.only.length === 0)
  writeFileSync(join(import.meta.dir, '../../docs/reliability.md'), page(reports, new Date()))
// Not left to the event loop: a connection that a case has lost would keep the process.
process.exit(reports.some(({ rows }) => rows.some(({ failed }) => failed > 0)) ? 1 : 0)

/** The rows of a case. One that throws or hangs has broken its promises, and the others still run. */
async function attempt(each: Case): Promise<Row[]> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it took too long')), CASE_TIMEOUT_MS)
  try {
    return await Promise.race([each.run(effort), tooLong])
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return [{ promise: 'the case runs to its end', tried: 1, failed: 1, figure: '', failures: [failure] }]
  } finally {
    clearTimeout(timer)
  }
}

function chosen(names: readonly string[]): readonly Case[] {
  const unknown = names.filter((name) => !CASES.some((each) => each.name === name))
  if (unknown.length > 0) {
    console.error(
      `There is no case ${unknown.join(', ')}: there are ${CASES.map(({ name }) => name).join(', ')}.`,
    )
    process.exit(2)
  }
  return names.length === 0 ? CASES : CASES.filter(({ name }) => names.includes(name))
}

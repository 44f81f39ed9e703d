/**
 * The battery: `bun run battery [--quick] [--only NAME] [--update] [--minutes N]`.
 *
 * It attacks dist/changelogd from outside and counts broken promises: every case of `cases.ts` has a server and a
 * database of its own, on loopback and in a temporary directory, and everything is removed afterwards. A whole run
 * takes about half an hour on two cores and writes docs/reliability.md; see `battery.ts` for the rest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBattery } from './battery.ts'
import { CASES } from './cases.ts'
import { page, updatedPage } from './report.ts'

const CASE_TIMEOUT_MS = 12 * 60_000

const PAGE = join(import.meta.dir, '../../docs/reliability.md')

await runBattery(
  CASES,
  CASE_TIMEOUT_MS,
  (reports) => writeFileSync(PAGE, page(reports, new Date())),
  (reports) => writeFileSync(PAGE, updatedPage(readFileSync(PAGE, 'utf8'), reports, new Date())),
)
